"""Whatever a terminal shows, reading it gives facts: no reader ever raises, and offers only what it names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.captures import Case, cases

from collie.agents.explain import to_json, to_text
from collie.agents.facts import Decision, Facts, State
from collie.agents.kind import AgentKind, Seen
from collie.agents.region import region_text
from collie.agents.registry import ALL_KINDS
from collie.screen.ansi import parse
from collie.screen.cells import Screen

CAPTURED = [found for found in cases() if found.kind.name != "practice"]
PIECES = st.sampled_from(sorted({line for found in CAPTURED for line in found.text("ansi").split("\n")}))
LINES = st.one_of(
    PIECES, st.text(alphabet=st.sampled_from("─╌▔│┃╭╮╰╯┌┐❯›●☐☒✔←→↑↓ 1.2[]aY:·…\x1b[7m0;2\u00a0"), max_size=40)
)
KINDS = st.sampled_from(ALL_KINDS)


def is_sound(kind: AgentKind, facts: Facts) -> bool:
    """Whether everything that the facts name is in them."""
    dialog = facts.dialog
    if dialog is None:
        return facts.kind == kind.name
    count = len(dialog.options)
    indexes = [option for _, option in dialog.decisions] + list(dialog.ticked or ())
    indexes += [dialog.cursor] if dialog.cursor is not None else []
    indexes += [dialog.field.option] if dialog.field else []
    return (
        all(0 <= index < count for index in indexes)
        and dialog.readable != bool(dialog.why)
        and not (dialog.decisions and not (dialog.readable and dialog.complete))
        and len({decision for decision, _ in dialog.decisions}) == len(dialog.decisions)
        and all(option.label.strip() for option in dialog.options)
    )


@given(kind=KINDS, lines=st.lists(LINES, max_size=30), columns=st.sampled_from([None, 1, 20, 60, 100]))
def test_any_rows_give_sound_facts(kind: AgentKind, lines: list[str], columns: int | None) -> None:
    screen = parse("\n".join(lines), columns=columns)
    facts = kind.read(screen)
    assert is_sound(kind, facts)
    to_json(facts)
    to_text(screen, facts)
    if facts.dialog:
        assert region_text(facts.dialog, facts.dialog.cursor)
    kind.detect(Seen(text="\n".join(screen.lines), title="x", progress="4;0"))


@given(found=st.sampled_from(CAPTURED), data=st.data())
def test_a_capture_with_rows_swapped_or_lost_gives_sound_facts(found: Case, data: st.DataObject) -> None:
    rows = found.text("ansi").split("\n")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(rows) - 1))
        match data.draw(st.sampled_from(["drop", "double", "swap", "replace"])):
            case "drop":
                del rows[at]
            case "double":
                rows.insert(at, rows[at])
            case "swap":
                rows[at], rows[at - 1] = rows[at - 1], rows[at]
            case "replace":
                rows[at] = data.draw(LINES)
        rows = rows or [""]
    facts = found.kind.read(parse("\n".join(rows), columns=found.meta["columns"]))
    assert is_sound(found.kind, facts)


QUIET = [found for found in CAPTURED if found.kind.reads_dialogs and found.expected["state"] != "blocked"]


@given(found=st.sampled_from(QUIET), data=st.data())
def test_a_screen_that_does_not_wait_offers_no_decision_when_rows_are_lost(found: Case, data: st.DataObject) -> None:
    rows = found.text("ansi").split("\n")
    first = data.draw(st.integers(0, len(rows) - 1))
    last = data.draw(st.integers(first + 1, len(rows)))
    facts = found.kind.read(parse("\n".join(rows[first:last]), columns=found.meta["columns"]))
    assert not (facts.dialog and facts.dialog.decisions)


WAITING = [found for found in CAPTURED if "dialog" in found.expected]


@pytest.mark.parametrize("found", WAITING, ids=lambda found: found.name)
def test_no_cut_of_the_rows_gives_a_decision_that_the_whole_screen_lacks(found: Case) -> None:
    screen = found.screen()
    whole = found.kind.read(screen).dialog
    assert whole is not None
    for at in range(1, len(screen.rows)):
        for rows in (screen.rows[at:], screen.rows[:at]):
            cut = found.kind.read(Screen(rows=rows, columns=screen.columns, styled=screen.styled)).dialog
            assert cut is None or set(cut.decisions) <= set(whole.decisions), at


@pytest.mark.parametrize("kind", ALL_KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("text", ["", "\n", "\x1b[", "❯", "─" * 100, "\n".join(["─" * 100] * 3), "▔" * 100 + "\n"])
def test_almost_nothing_on_the_screen(kind: AgentKind, text: str) -> None:
    facts = kind.read(parse(text, columns=100))
    assert facts.state in (State.UNKNOWN, State.IDLE)
    assert not (facts.dialog and facts.dialog.option_for(Decision.APPROVE))
