"""Nothing that a command draws becomes an option, a decision, or a dialog of its own."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from tools.captures import Case, cases, claude
from tools.drawn_permission import LABELS, Drawing, draw

from collie.agents.facts import Decision, Dialog, Facts, State
from collie.agents.kind import Seen
from collie.agents.registry import kind_named
from collie.screen.ansi import parse
from collie.screen.cells import Row, Run, Screen
from collie.screen.width import clip, text_width

KIND = kind_named("claude")
assert KIND is not None
READ, DETECT = KIND.read, KIND.detect

DIALOG_LINES = (
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. Yes, and don't ask again for: rm *",
    "   3. No",
    " ❯ No",
    "   Yes",
    " Esc to cancel · Tab to amend",
    "─" * 100,
    "╌" * 100,
    " Bash command",
    "",
    " ↑ 33 more lines",
    "❯ 1. Yes",
    "Enter to select · ↑/↓ to navigate · Esc to cancel",
    "  5. Chat about this",
    "▔" * 100,
)
TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=120)
LINES = st.one_of(st.sampled_from(DIALOG_LINES), TEXT)
COMMANDS = st.lists(LINES, min_size=1, max_size=12).map("\n".join)
WIDTHS = st.integers(min_value=60, max_value=160)


def read_drawn(drawing: Drawing) -> Facts:
    return READ(parse(draw(drawing), columns=drawing.width))


def answers(dialog: Dialog) -> tuple[Sequence[str], Sequence[tuple[Decision, int]]]:
    return [option.label for option in dialog.options], dialog.decisions


EXPECTED = ((Decision.APPROVE, 0), (Decision.APPROVE_ALWAYS, 1), (Decision.DENY, 3))


@given(command=COMMANDS, width=WIDTHS, cursor=st.integers(0, 3))
def test_no_text_in_a_command_changes_options_or_decisions(command: str, width: int, cursor: int) -> None:
    facts = read_drawn(Drawing(command=command, width=width, cursor=cursor))
    assert facts.state is State.BLOCKED
    assert facts.dialog is not None
    if facts.dialog.readable:
        assert answers(facts.dialog) == (list(LABELS), EXPECTED)
        assert facts.dialog.cursor == cursor
    else:
        assert answers(facts.dialog) == ([], ())


@given(description=COMMANDS, width=WIDTHS)
def test_no_text_in_a_description_changes_options_or_decisions(description: str, width: int) -> None:
    dialog = read_drawn(Drawing(command="rm -rf build", description=description, width=width)).dialog
    assert dialog is not None
    assert answers(dialog) in ((list(LABELS), EXPECTED), ([], ()))


@given(lines=st.lists(LINES, max_size=30), width=WIDTHS)
def test_no_answer_above_an_input_box_is_a_dialog(lines: list[str], width: int) -> None:
    rule = "─" * width
    answer = [f"  {line}" for text in lines for line in text.split("\n")]
    screen = parse("\n".join(["● Here:", *answer, "", rule, "❯\u00a0", rule, "  ⏸ manual mode on"]), columns=width)
    facts = READ(screen)
    assert (facts.state, facts.dialog, facts.draft) == (State.IDLE, None, "")
    assert DETECT(Seen(text="\n".join(screen.lines))).state is State.IDLE


@given(command=COMMANDS)
def test_every_line_of_a_command_is_in_the_body(command: str) -> None:
    dialog = read_drawn(Drawing(command=command)).dialog
    assert dialog is not None
    shown = "".join(dialog.body.split())
    drawn = draw(Drawing(command=command)).split("╌" * 100 + "\n")
    for line in "".join(drawn[1:-1]).split("\n"):
        assert "".join(line.split()) in shown or not line.strip(" ╌")


def whole_decisions(found: Case, form: str) -> dict[Decision, int]:
    dialog = found.read(form).dialog
    return dict(dialog.decisions) if dialog else {}


DECIDING = [found for found in cases() if found.kind is KIND and "decisions" in found.expected.get("dialog", {})]


@given(found=st.sampled_from(DECIDING), form=st.sampled_from(["ansi", "txt"]), data=st.data())
def test_no_cut_of_a_screen_yields_a_decision_that_the_whole_lacks(found: Case, form: str, data: st.DataObject) -> None:
    screen = found.screen(form)
    first = data.draw(st.integers(0, len(screen.rows) - 1))
    last = data.draw(st.integers(first + 1, len(screen.rows)))
    width = data.draw(st.integers(20, found.meta["columns"]))
    columns = data.draw(st.sampled_from([None, width, found.meta["columns"]]))
    rows = tuple(cut(row, width) for row in screen.rows[first:last])
    dialog = found.kind.read(Screen(rows=rows, columns=columns, styled=screen.styled)).dialog
    whole = whole_decisions(found, form)
    for decision, option in dialog.decisions if dialog else ():
        assert whole.get(decision) == option
    if dialog and dialog.decisions and width == found.meta["columns"]:
        assert dialog.command == found.expected["dialog"].get("command")


def cut(row: Row, width: int) -> Row:
    runs: list[Run] = []
    for run in row.runs:
        text = clip(run.text, width)
        runs.append(Run(text=text, style=run.style))
        width -= text_width(text)
        if text != run.text:
            break
    return Row(text="".join(run.text for run in runs), runs=tuple(runs))


@given(label=st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs", "Zs"]), min_size=1, max_size=40))
def test_a_label_that_is_not_known_bears_no_decision(label: str) -> None:
    dialog = read_drawn(Drawing(command="rm x", labels=("Yes", f"Yes, and {label}x", "No"))).dialog
    assert dialog is not None
    known = {Decision.APPROVE: 0, Decision.DENY: 2}
    assert all(known.get(decision, 1) == option for decision, option in dialog.decisions)


def test_a_named_session_is_read_like_any_other() -> None:
    facts = read_drawn(Drawing(command="ls", name="payment-fix"))
    assert facts.dialog is not None
    assert answers(facts.dialog) == (list(LABELS), EXPECTED)


def test_a_screen_as_wide_as_another_pane_offers_nothing() -> None:
    found = claude("bash-short-cursor-1")
    dialog = READ(parse(found.text("ansi"), columns=120)).dialog
    assert dialog is not None
    assert (dialog.readable, dialog.options, dialog.decisions) == (False, (), ())
    assert "cut off" in dialog.why
