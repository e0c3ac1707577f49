"""What hooks report: which session counts, and what is shown of a pane."""

import pytest

from collie.host.reports import InvalidReport, MetadataReport, Reports, SessionReport


def session(
    session_id: str, *, agent: str = "claude", seq: int | None = None, start: str | None = None
) -> SessionReport:
    return SessionReport(
        source=f"herdr:{agent}", agent=agent, seq=seq, session_id=session_id, path=None, start_source=start
    )


def held(*reports: SessionReport, kind: str | None = "claude") -> str | None:
    place = Reports()
    for report in reports:
        place.report_session(report, kind)
    return place.session.value if place.session else None


def metadata(**changes: object) -> MetadataReport:
    fields: dict[str, object] = {
        "source": "script",
        "seq": None,
        "title": None,
        "display_agent": None,
        "state_labels": {},
        "tokens": {},
        "clear_title": False,
        "clear_display_agent": False,
        "clear_state_labels": False,
        "ttl": None,
    }
    return MetadataReport(**{**fields, **changes})  # type: ignore[arg-type]


def test_a_session_of_the_agent_that_runs_here_is_kept() -> None:
    assert held(session("one")) == "one"
    assert held(session("one"), kind=None) == "one"
    assert held(session("one"), kind="codex") is None


@pytest.mark.parametrize("session_id", ["", "x" * 513, "a\x1b[2J", "a\nb"])
def test_what_is_no_session_id_is_ignored(session_id: str) -> None:
    assert held(session(session_id)) is None


def test_only_the_official_source_counts() -> None:
    report = SessionReport(source="my-script", agent="claude", seq=None, session_id="one", path=None)
    assert held(report) is None


@pytest.mark.parametrize(
    ("agent", "start", "kept"),
    [
        ("claude", "startup", "one"),
        ("claude", "resume", "two"),
        ("claude", "clear", "two"),
        ("codex", "startup", "two"),
        ("copilot", None, "one"),
    ],
)
def test_another_session_replaces_the_first_only_where_that_can_be(agent: str, start: str | None, kept: str) -> None:
    first, second = session("one", agent=agent), session("two", agent=agent, start=start)
    assert held(first, second, kind=agent) == kept


def test_late_and_unnumbered_reports_are_passed_over() -> None:
    assert held(session("one", seq=5), session("two", seq=5, start="clear")) == "one"
    assert held(session("one", seq=5), session("two", start="clear")) == "one"
    assert held(session("one", seq=5), session("two", seq=6, start="clear")) == "two"


def test_a_file_is_the_session_of_some_kinds() -> None:
    report = SessionReport(source="herdr:pi", agent="pi", seq=None, session_id="x", path="/srv/a.jsonl")
    place = Reports()
    place.report_session(report, "pi")
    assert place.session is not None
    assert (place.session.kind, place.session.value) == ("path", "/srv/a.jsonl")


def test_another_agent_does_not_inherit_a_session() -> None:
    place = Reports()
    place.report_session(session("one"), None)
    place.keep_of("claude")
    assert place.session is not None
    place.keep_of("codex")
    assert place.session is None


def test_metadata_adds_up_and_tokens_can_go() -> None:
    place = Reports()
    assert place.report_metadata(metadata(title="pruning", tokens={"branch": "graft"}), 0.0)
    assert not place.report_metadata(metadata(state_labels={"idle": "resting"}), 0.0)
    assert (place.metadata.title, dict(place.metadata.state_labels)) == ("pruning", {"idle": "resting"})
    assert place.report_metadata(metadata(tokens={"branch": None}, clear_title=True), 0.0)
    assert (place.metadata.title, dict(place.metadata.tokens)) == (None, {})


def test_metadata_goes_when_its_time_is_over() -> None:
    place = Reports()
    place.report_metadata(metadata(title="pruning", ttl=60.0), 100.0)
    assert not place.expire(159.0)
    assert place.expire(160.0)
    assert place.metadata.title is None
    assert not place.expire(161.0)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"source": "a b"}, "invalid_metadata_source"),
        ({"source": ""}, "invalid_metadata_source"),
        ({"tokens": {"a b": "x"}}, "invalid_metadata_token"),
        ({"tokens": {"a": "x" * 81}}, "invalid_metadata_token"),
        ({"tokens": {str(number): "x" for number in range(17)}}, "invalid_metadata_token"),
        ({"state_labels": {"asleep": "x"}}, "invalid_state_label"),
        ({"title": "a\x1b]0;b\x07"}, "invalid_metadata_request"),
    ],
)
def test_what_cannot_be_shown_is_refused(changes: dict[str, object], code: str) -> None:
    with pytest.raises(InvalidReport) as refused:
        Reports().report_metadata(metadata(**changes), 0.0)
    assert refused.value.code == code


def test_a_pane_has_a_bounded_number_of_tokens() -> None:
    place = Reports()
    place.report_metadata(metadata(tokens={f"a{number}": "x" for number in range(16)}), 0.0)
    place.report_metadata(metadata(tokens={f"b{number}": "x" for number in range(16)}), 0.0)
    with pytest.raises(InvalidReport, match="32"):
        place.report_metadata(metadata(tokens={"c": "x"}), 0.0)
