"""What programs in a pane report of it: their session, and metadata for people. No I/O (specs: herdr-api 9.2, 9.3)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from collie.herdr.models import AgentSession

ID_CHARACTERS: Final = 512
PATH_CHARACTERS: Final = 4096
TOKENS: Final = 32
"""Tokens that one pane may have, over all its sources."""

TOKENS_A_CALL: Final = 16
VALUE_CHARACTERS: Final = 80
LABELS: Final = frozenset({"idle", "working", "blocked", "done", "unknown"})

_PATH_KINDS: Final = frozenset({"pi", "omp"})
"""Kinds whose session is known by its file; all others go by its id."""

_REPLACING: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "claude": frozenset({"clear", "resume", "compact"}),
        "codex": frozenset({"startup", "clear", "resume", "compact"}),
    }
)
"""Start sources with which a report may replace a session that is already known, by kind."""

SOURCES: Final = 64
"""Sources of one pane whose numbers are remembered; a report of yet another that is numbered is not used."""

_SOURCE = re.compile(r"[A-Za-z0-9:._-]{1,80}\Z")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,32}\Z")
_AGENT = _TOKEN


class InvalidReport(ValueError):
    """A report that is refused; `code` is the wire's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReport:
    """What a hook said: the session that its agent has now."""

    source: str
    agent: str
    seq: int | None
    session_id: str | None
    path: str | None
    start_source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What is shown of a pane besides what is known of it; `until` is when it goes again."""

    title: str | None = None
    display_agent: str | None = None
    state_labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    tokens: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    until: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataReport:
    """What a program wants to be shown: None leaves a part as it is, a token that is None goes."""

    source: str
    seq: int | None
    title: str | None
    display_agent: str | None
    state_labels: Mapping[str, str]
    tokens: Mapping[str, str | None]
    clear_title: bool
    clear_display_agent: bool
    clear_state_labels: bool
    ttl: float | None


class Reports:
    """What was reported of one pane. `session` and `metadata` are what holds now."""

    def __init__(self) -> None:
        self.session: AgentSession | None = None
        self.metadata = Metadata()
        self._seqs: dict[str, int] = {}

    def forget(self) -> None:
        """The agent is gone, and its session and metadata with it."""
        self.session = None
        self.metadata = Metadata()

    def keep_of(self, kind: str) -> None:
        """An agent of this kind was found: a session that was reported before is another's, or its own."""
        if self.session is not None and self.session.agent != kind:
            self.session = None

    def report_session(self, report: SessionReport, kind: str | None) -> None:
        """Take a session over, if it is of the agent that runs here (`kind`, None: not known yet) and not outdated."""
        session = _session(report)
        if session is None or kind not in (None, report.agent) or not self._is_newer(report.source, report.seq):
            return
        held = self.session
        is_other = held is not None and held.agent == session.agent and held.value != session.value
        if not is_other or report.start_source in _REPLACING.get(report.agent, frozenset()):
            self.session = session

    def report_metadata(self, report: MetadataReport, now: float) -> bool:
        """Take metadata over; whether tokens changed.

        Raises: InvalidReport.
        """
        _check_metadata(report)
        if not self._is_newer(report.source, report.seq):
            return False
        held = self.metadata
        tokens = {key: text for key, text in {**held.tokens, **report.tokens}.items() if text is not None}
        if len(tokens) > TOKENS:
            raise InvalidReport("metadata_token_limit", f"a pane has at most {TOKENS} tokens")
        labels = {} if report.clear_state_labels else dict(held.state_labels)
        self.metadata = Metadata(
            title=report.title or (None if report.clear_title else held.title),
            display_agent=report.display_agent or (None if report.clear_display_agent else held.display_agent),
            state_labels=MappingProxyType({**labels, **report.state_labels}),
            tokens=MappingProxyType(tokens),
            until=None if report.ttl is None else now + report.ttl,
        )
        return tokens != dict(held.tokens)

    def expire(self, now: float) -> bool:
        """Drop metadata whose time is over; whether there was some."""
        if self.metadata.until is None or now < self.metadata.until:
            return False
        self.metadata = replace(Metadata(), until=None)
        return True

    def _is_newer(self, source: str, seq: int | None) -> bool:
        """Reports of one source may overtake each other; once it numbers them, they must be numbered."""
        last = self._seqs.get(source)
        if seq is None:
            return last is None
        if (seq <= last) if last is not None else len(self._seqs) >= SOURCES:
            return False
        self._seqs[source] = seq
        return True


def _session(report: SessionReport) -> AgentSession | None:
    if report.source != f"herdr:{report.agent}" or not _AGENT.match(report.agent):
        return None
    if report.agent in _PATH_KINDS and report.path is not None:
        fits = report.path.startswith("/") and len(report.path) <= PATH_CHARACTERS and report.path.isprintable()
        return _found(report, "path", report.path) if fits else None
    session_id = report.session_id
    if not session_id or len(session_id) > ID_CHARACTERS or not session_id.isprintable():
        return None
    return _found(report, "id", session_id)


def _found(report: SessionReport, kind: str, value: str) -> AgentSession:
    return AgentSession(source=report.source, agent=report.agent, kind=kind, value=value)


def _check_metadata(report: MetadataReport) -> None:
    if not _SOURCE.match(report.source):
        raise InvalidReport("invalid_metadata_source", "a source is 1 to 80 of A-Z a-z 0-9 : . _ -")
    if len(report.tokens) > TOKENS_A_CALL:
        raise InvalidReport("invalid_metadata_token", f"at most {TOKENS_A_CALL} tokens a call")
    for key, text in report.tokens.items():
        if not _TOKEN.match(key) or (text is not None and not _is_short(text)):
            raise InvalidReport("invalid_metadata_token", f"token {key!r} is not 1 to 32 of A-Za-z0-9_-, or too long")
    for label, text in report.state_labels.items():
        if label not in LABELS or not _is_short(text):
            raise InvalidReport("invalid_state_label", f"{label!r} is no state, or its label too long")
    for text in (report.title, report.display_agent):
        if text is not None and not _is_short(text):
            raise InvalidReport("invalid_metadata_request", f"at most {VALUE_CHARACTERS} printable characters")


def _is_short(text: str) -> bool:
    return len(text) <= VALUE_CHARACTERS and text.isprintable()
