"""Methods about the host itself."""

from collie.herdr import models as m
from collie.host import params as p
from collie.host import records
from collie.host.caller import Caller
from collie.host.host import Host


def ping(host: Host, params: p.Params, caller: Caller) -> m.Pong:
    """Who is there, and what it can do beyond the protocol."""
    return m.Pong(
        version=records.VERSION,
        protocol=records.PROTOCOL,
        capabilities=m.Capabilities(detached_server_daemon=True, conditional_input=True, refusals=True),
    )


def snapshot(host: Host, params: p.Params, caller: Caller) -> m.SessionSnapshotResult:
    """One consistent picture."""
    return m.SessionSnapshotResult(snapshot=records.snapshot(host.session))


def manifests(host: Host, params: p.Params, caller: Caller) -> m.AgentManifestStatus:
    """The kinds of agents that can be started and are recognised."""
    return m.AgentManifestStatus(
        manifests=tuple(
            m.Manifest(
                agent=kind.name,
                source=f"bundled:{kind.name}",
                source_kind="bundled",
                active_version=records.VERSION,
            )
            for kind in host.setup.kinds.all
        )
    )


def notification(host: Host, params: p.NotificationShow, caller: Caller) -> m.NotificationShow:
    """Nobody looks at this host, so nothing is shown."""
    return m.NotificationShow(shown=False, reason="no_foreground_client")


def stop(host: Host, params: p.Params, caller: Caller) -> m.Ok:
    """End the host and what runs in it, once this is answered."""
    return m.Ok()
