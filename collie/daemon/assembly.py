"""All parts of a daemon, made and joined. Nothing runs yet."""

from collections.abc import Callable
from dataclasses import dataclass

from collie import __version__
from collie.daemon.agents import Agents
from collie.daemon.approvals.board import Approvals
from collie.daemon.audit import AuditLog
from collie.daemon.clock import Clock
from collie.daemon.config import Config
from collie.daemon.dispatch import Dispatcher
from collie.daemon.drive.drive import Drive
from collie.daemon.drive.operations import Operations
from collie.daemon.errands import Errands
from collie.daemon.flock import Flock
from collie.daemon.handler import Handler
from collie.daemon.handlers.agents import AgentHandlers
from collie.daemon.handlers.approvals import ApprovalHandlers
from collie.daemon.handlers.audit import AuditHandlers
from collie.daemon.handlers.daemon import DaemonHandlers
from collie.daemon.handlers.flock import FlockHandlers
from collie.daemon.handlers.host import HostHandlers
from collie.daemon.hosting import Ensure, Hosting
from collie.daemon.hub import AuditTrail, Hub
from collie.daemon.identity import Identities
from collie.daemon.looks import Looks
from collie.daemon.machine import machine_info
from collie.daemon.outputs import Outputs
from collie.daemon.pace import FrameRates
from collie.daemon.panes import PaneProcesses
from collie.daemon.reception import Reception
from collie.daemon.reconcile import Reconciler
from collie.daemon.session import House
from collie.daemon.since import load_since
from collie.daemon.starting import Starter
from collie.daemon.watch import Watch
from collie.protocol import limits
from collie.protocol.methods import HelloResult
from collie.protocol.models import MachineInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What runs, and what sessions need."""

    house: House
    errands: Errands
    flock: Flock
    looks: Looks
    reconciler: Reconciler
    reception: Reception


def assemble(
    config: Config,
    *,
    headless: bool,
    clock: Clock,
    audit_log: AuditLog,
    stop_daemon: Callable[[str], None],
    ensure_host: Ensure,
) -> Parts:
    """Make a daemon's parts. `ensure_host` finds the embedded host or starts it."""
    hub = Hub()
    audit = AuditTrail(audit_log, hub, clock)
    flock = Flock(load_since(config.data_dir))
    hosting = Hosting(config, ensure_host)
    host = hosting.client
    approvals = Approvals(
        host=host, publish=hub.publish, audit=audit, now=clock.now, wall_ms=clock.wall_ms, token=clock.token
    )
    looks = Looks(flock, approvals)
    panes = PaneProcesses(host)
    outputs = Outputs()
    reconciler = Reconciler(
        hosting=hosting, flock=flock, looks=looks, panes=panes, hub=hub, outputs=outputs, clock=clock
    )
    agents = Agents(hosting=hosting, flock=flock, reconciler=reconciler)
    drive = Drive(host=host)
    starter = Starter(
        config=config, hosting=hosting, flock=flock, reconciler=reconciler, prompt=drive.prompt, clock=clock
    )
    machine = machine_info(config)
    handlers: dict[str, Handler] = {
        **AgentHandlers(hosting=hosting, agents=agents, drive=drive, starter=starter).table(),
        **ApprovalHandlers(approvals=approvals, hosting=hosting, reconciler=reconciler, looks=looks).table(),
        **AuditHandlers(log=audit_log).table(),
        **DaemonHandlers(
            config=config,
            started_ms=clock.wall_ms(),
            headless=headless,
            hosting=hosting,
            flock=flock,
            approvals=approvals,
            log=audit_log,
            hub=hub,
            stop_daemon=stop_daemon,
        ).table(),
        **FlockHandlers(machine=machine, agents=agents, flock=flock, approvals=approvals).table(),
        **HostHandlers(hosting=hosting, reconciler=reconciler).table(),
    }
    errands = Errands()
    house = House(
        hub=hub,
        dispatcher=Dispatcher(handlers, audit, Operations(now=clock.now)),
        errands=errands,
        audit=audit,
        rates=FrameRates(clock.now),
        welcome=lambda: _hello(machine, hosting),
        watch=Watch(hosting=hosting, flock=flock, outputs=outputs).run,
    )
    identities = Identities(config=config, hosting=hosting, panes=panes)
    reception = Reception(house=house, look=identities.look, now=clock.now)
    return Parts(house=house, errands=errands, flock=flock, looks=looks, reconciler=reconciler, reception=reception)


def _hello(machine: MachineInfo, hosting: Hosting) -> HelloResult:
    """Who answers, as things stand now."""
    return HelloResult(
        protocol_version=limits.PROTOCOL_VERSION,
        collied_version=__version__,
        machine=machine,
        herdr_version=hosting.version or None,
    )
