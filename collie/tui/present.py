"""What the dashboard says of agents, the host, the daemon and the audit log: models in, words and lines out. Pure."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from collie.client.picture import Link, Picture
from collie.protocol.models import Agent, AgentStatus, HostState, HostStatus
from collie.tui.lines import Line, Tone, joined, line_width, piece, spread, wrap
from collie.tui.reveal import plain

KINDS: Final = ("claude", "codex", "copilot", "opencode", "gemini", "practice")
"""The agents that can be started from here."""

NOTHING_ASKED: Final[Mapping[str, str]] = MappingProxyType({})
SEPARATOR: Final = (piece("  ·  ", Tone.DIM),)
STATUS: Final = {
    AgentStatus.BLOCKED: ("▲", "needs you", Tone.WARN),
    AgentStatus.WORKING: ("●", "working", Tone.BUSY),
    AgentStatus.DONE: ("✓", "done", Tone.GOOD),
    AgentStatus.IDLE: ("○", "idle", Tone.DIM),
    AgentStatus.UNKNOWN: ("?", "unknown", Tone.DIM),
}
"""Glyph, word and tone of each status, in the order in which agents are listed."""


def age(milliseconds: int) -> str:
    """How long ago, in at most four cells up to ten years."""
    seconds = max(0, milliseconds) // 1_000
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def more_lines(count: int, what: str = "more line") -> str:
    """So many more lines."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def agent_label(agent: Agent) -> str:
    """What a person calls the agent."""
    return plain(agent.name) or plain(agent.title) or plain(agent.kind) or "agent"


def find_agent(picture: Picture, terminal_id: str) -> Agent | None:
    """The agent in that terminal, None when it is gone."""
    return next((agent for agent in picture.agents if agent.terminal_id == terminal_id), None)


def workspace_labels(picture: Picture) -> dict[str, str]:
    """What each workspace is called."""
    return {each.workspace_id: plain(each.label) for each in picture.workspaces}


def sorted_agents(
    agents: Iterable[Agent], matching: str, labels: Mapping[str, str], asked: Mapping[str, str] = NOTHING_ASKED
) -> tuple[Agent, ...]:
    """Those that need a person first, then by what they do, the longest first; only those with every word of
    `matching` in what is shown of them. `asked` is what each terminal's question wants to do."""
    words = matching.lower().split()
    kept = []
    for agent in agents:
        shown = _haystack(agent, labels, asked.get(agent.terminal_id, "")) if words else ""
        if all(word in shown for word in words):
            kept.append(agent)
    order = tuple(STATUS)
    return tuple(sorted(kept, key=lambda agent: (order.index(agent.status), agent.status_since_ms, agent.terminal_id)))


def _haystack(agent: Agent, labels: Mapping[str, str], asked: str) -> str:
    place = (labels.get(agent.workspace_id), STATUS[agent.status][1])
    fields = (agent.name, agent.kind, agent.title, agent.cwd, agent.last_line, asked, *place)
    return " ".join(field for field in fields if field).lower()


def header_line(picture: Picture, width: int, *, hosting: bool) -> Line:
    """The line at the top: which machine, how many agents do what, how host and daemon stand.

    Where there is no room for all of it, the counts stay longest.
    """
    machine = plain(picture.machine.name) if picture.machine else ""
    name, counts = (piece(" Collie", Tone.ACCENT),), _counts(picture)
    full = joined((name, (piece(machine, Tone.STRONG),) if machine else (), counts), SEPARATOR)
    health = joined((_host_word(picture.host), _daemon_word(picture, hosting)), SEPARATOR)
    if line_width(full) + line_width(health) < width:
        return spread(full, health, width)
    short = joined((_host_word(picture.host, short=True), _daemon_word(picture, hosting)), (piece("  "),))
    if line_width(full) + line_width(short) < width:
        return spread(full, short, width)
    bare = joined((name, counts), (piece("  "),))
    if line_width(bare) + line_width(short) < width:
        return spread(bare, short, width)
    host_is_up = picture.host is not None and picture.host.state is HostState.UP
    troubles = (
        () if host_is_up else _host_word(picture.host, short=True),
        () if _is_connected(picture) else _daemon_word(picture, hosting),
    )
    return spread(bare, joined(troubles, (piece("  "),)), width)


def _is_connected(picture: Picture) -> bool:
    return picture.link is Link.CONNECTED


def _counts(picture: Picture) -> Line:
    if picture.link is Link.CONNECTING:
        return ()
    total = len(picture.agents)
    parts: list[Line] = [(piece(f"{total} agent{'' if total == 1 else 's'}"),)]
    for status in (AgentStatus.BLOCKED, AgentStatus.WORKING):
        glyph, word, tone = STATUS[status]
        count = sum(agent.status is status for agent in picture.agents)
        if count > 1 and status is AgentStatus.BLOCKED:
            word = "need you"
        if count:
            parts.append((piece(f"{glyph} {count} {word}", tone),))
    return joined(parts, (piece("  "),))


def _host_word(host: HostStatus | None, *, short: bool = False) -> Line:
    if host is None:
        return ()
    name = piece("host " if short else f"{plain(host.kind)} host ")
    match host.state:
        case HostState.UP:
            return (name, piece("● up", Tone.GOOD))
        case HostState.LOST:
            return (name, piece("▲ lost", Tone.BAD))
    return (name, piece("◌ not up" if short else f"◌ {plain(host.detail) or 'not up yet'}", Tone.BUSY))


def _daemon_word(picture: Picture, hosting: bool) -> Line:
    match picture.link:
        case Link.CONNECTED:
            return (piece("daemon "), piece("● here " if hosting else "● attached ", Tone.GOOD))
        case Link.CONNECTING:
            return (piece("daemon "), piece("◌ starting ", Tone.BUSY))
        case Link.LOST:
            return (piece("daemon "), piece("▲ lost ", Tone.BAD))


def banner(picture: Picture, lost_ms: int, width: int, *, gone: tuple[str, ...] = ()) -> tuple[Line, ...]:
    """What is wrong, what Collie does about it, and what that means for the reader; () when nothing is wrong.

    `lost_ms` is how long ago the daemon was lost, `gone` the agents that went with a host which is back.
    """
    wrong = _wrong(picture, lost_ms) or (_came_back(gone) if gone else ())
    return tuple(row for line in wrong for row in wrap(line, max(1, width), rest=(piece("  "),)))


def _wrong(picture: Picture, lost_ms: int) -> tuple[Line, ...]:
    if picture.link is Link.LOST:
        return _daemon_lost(picture, lost_ms)
    host = picture.host
    if picture.link is Link.CONNECTED and host is not None and host.state is not HostState.UP:
        return _host_lost(host) if host.state is HostState.LOST else ()
    return ()


def _daemon_lost(picture: Picture, lost_ms: int) -> tuple[Line, ...]:
    detail = plain(picture.stopping or picture.link_detail)
    known = picture.machine is not None
    first = "▲ The daemon is lost" if known else "▲ No daemon yet"
    lines: list[Line] = [
        (piece(first, Tone.BAD), piece(f": {detail}" if detail else "")),
        (piece("  The agents go on. Collie keeps trying to reach it, or to run it here.", Tone.DIM),),
    ]
    if known:
        lines.append((piece(f"  What you see is {age(lost_ms)} old; answers are off until it is back.", Tone.WARN),))
    return tuple(lines)


def _host_lost(host: HostStatus) -> tuple[Line, ...]:
    detail = f": {plain(host.detail)}" if host.detail else ""
    lines: list[Line] = [(piece(f"▲ The {plain(host.kind)} host is lost", Tone.BAD), piece(detail))]
    if host.lost:
        names = ", ".join(plain(name) for name in host.lost)
        lines.append((piece(f"  Gone with it: {names}", Tone.WARN),))
    lines.append((piece("  Collie keeps looking for it; answers are off until it is back.", Tone.DIM),))
    return tuple(lines)


def _came_back(gone: tuple[str, ...]) -> tuple[Line, ...]:
    names = ", ".join(plain(name) for name in gone)
    return (
        (piece("▲ The host was lost, and is back", Tone.WARN), piece(f". Gone with the old one: {names}")),
        (piece("  Press n to start them anew, esc when you have read this.", Tone.DIM),),
    )
