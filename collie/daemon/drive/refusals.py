"""What the host says when it will not or cannot, in the codes of the wire (specs: phone-protocol section 6.3)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from collie.herdr.errors import HostRefused, HostUnavailable, ScreenChanged
from collie.protocol.errors import Code, WireError

_BY_HOST_CODE: Final[Mapping[str, tuple[Code, str]]] = MappingProxyType(
    {
        "agent_blocked": (Code.AGENT_BLOCKED, "agent is blocked; answer it through an approval"),
        "agent_not_ready": (Code.AGENT_NOT_READY, "agent is not ready"),
        "agent_not_running": (Code.AGENT_NOT_READY, "agent is not ready"),
        "agent_launch_pending": (Code.AGENT_NOT_READY, "agent is not ready"),
        "agent_prompt_failed": (Code.AGENT_NOT_READY, "the host did not enter the prompt"),
        "empty_agent_prompt": (Code.INVALID_PARAMS, "empty prompt"),
        "timeout": (Code.AGENT_NOT_READY, "the agent did not take the input in time"),
        "agent_pane_busy": (Code.AGENT_NOT_READY, "the pane is busy"),
        "workspace_group_close_required": (
            Code.NOT_IMPLEMENTED,
            "the workspace has linked worktree workspaces; close the group in herdr",
        ),
        "agent_not_found": (Code.NOT_FOUND, "not found"),
        "pane_not_found": (Code.NOT_FOUND, "not found"),
        "workspace_not_found": (Code.NOT_FOUND, "not found"),
        "target_pane_not_found": (Code.NOT_FOUND, "not found"),
    }
)

GONE: Final = frozenset({"agent_not_found", "pane_not_found"})
"""Host codes that mean: what was asked for is not there any more."""


def wire_error(error: HostUnavailable | HostRefused) -> WireError:
    """The error that a client gets for what went wrong with the host."""
    if isinstance(error, HostUnavailable):
        return WireError(Code.HERDR_UNAVAILABLE, "herdr unavailable")
    if isinstance(error, ScreenChanged):
        return WireError(Code.AGENT_NOT_READY, "the screen changed meanwhile; nothing was sent")
    code, message = _BY_HOST_CODE.get(error.code, (Code.INTERNAL, f"herdr refused: {error.code}"))
    return WireError(code, message)


@contextmanager
def as_wire() -> Iterator[None]:
    """Turns what the host raises into the error that a client gets."""
    try:
        yield
    except (HostUnavailable, HostRefused) as trouble:
        raise wire_error(trouble) from trouble
