"""Shapes of Claude Code's screens that no capture of this folder holds, and what must be read of them."""

import pytest
from tools.captures import claude
from tools.drawn_permission import Drawing, draw

from collie.agents.facts import Decision, Dialog, DialogType, Facts, State
from collie.agents.region import region_text
from collie.agents.registry import kind_named
from collie.screen.ansi import parse

KIND = kind_named("claude")
assert KIND is not None
READ = KIND.read

RULE = "─" * 60
EDGE = "▔" * 60
DASHES = "╌" * 60


def read(*rows: str, columns: int = 60) -> Facts:
    return READ(parse("\n".join(rows), columns=columns))


def dialog_of(*rows: str, columns: int = 60) -> Dialog:
    dialog = read(*rows, columns=columns).dialog
    assert dialog is not None
    return dialog


def countdown(time: str) -> str:
    return (
        f"⚠ Claude Code will automatically deny this request in {time}, "
        "to avoid blocking progress on an unattended session"
    )


@pytest.mark.parametrize("width", [60, 100, 160])
def test_a_countdown_does_not_change_what_an_answer_is_bound_to(width: int) -> None:
    texts = []
    for reason in ("", countdown("4:59"), countdown("0:07"), countdown("about 2 minutes")):
        screen = parse(draw(Drawing(command="rm -rf build", width=width, reason=reason)), columns=width)
        dialog = READ(screen).dialog
        assert dialog is not None
        assert dialog.option_for(Decision.APPROVE) == 0
        texts.append(region_text(dialog, 0))
    assert len(set(texts)) == 1


def test_a_countdown_in_a_command_or_in_other_words_stays() -> None:
    for drawing in (
        Drawing(command=countdown("4:59")),
        Drawing(command="x", reason=countdown("4:59") + "!"),
        Drawing(command="x", reason=countdown("04:59")),
    ):
        dialog = READ(parse(draw(drawing), columns=100)).dialog
        assert dialog is not None
        assert "automatically deny" in dialog.body


def test_a_fetch_in_a_named_session_has_its_rule_right_below() -> None:
    rows = claude("webfetch").text("txt").rstrip("\n").split("\n")
    facts = read(*rows, "─" * 86 + " payment-fix ─", "", "  2 tasks (1 done, 1 open)", "  ◻ Write it", columns=100)
    assert facts.dialog is not None
    assert facts.dialog.option_for(Decision.DENY) == 2


def test_the_numbered_trust_question_of_older_versions() -> None:
    dialog = dialog_of(
        RULE,
        " Do you trust the files in this folder?",
        "",
        " /home/alice/d/demo-app",
        "",
        " ❯ 1. Yes, proceed",
        "   2. No, exit",
        "",
        " Enter to confirm · Esc to exit",
    )
    assert (dialog.type, dialog.decisions) == (DialogType.TRUST, ((Decision.APPROVE, 0), (Decision.DENY, 1)))


def test_an_unnumbered_label_goes_on_in_the_row_below_where_it_had_no_room() -> None:
    dialog = dialog_of(
        RULE,
        "  Make this the default?",
        "",
        "  ❯ Yes, set this rather long thing up as my default choice",
        "    from now on",
        "    No, keep it",
    )
    assert dialog.type is DialogType.STARTUP
    assert [option.label for option in dialog.options] == [
        "Yes, set this rather long thing up as my default choice from now on",
        "No, keep it",
    ]


def test_a_trust_question_with_a_row_that_is_not_known_offers_nothing() -> None:
    dialog = dialog_of(
        RULE,
        " Accessing workspace:",
        "",
        " Is this a project you created or one you trust?",
        "",
        " ❯ No, exit",
        "   Maybe later",
        "   Yes, I trust this folder",
        "",
        " Enter to confirm · Esc to cancel",
    )
    assert (dialog.readable, dialog.options, dialog.decisions) == (False, (), ())
    assert "not all known" in dialog.why


def test_a_list_to_tick_at_startup() -> None:
    rows = (RULE, "  2 new MCP servers found in this project", "", "  ❯ [✔] tracker", "    [ ] second")
    hints = " Space to select · Esc to reject all"
    dialog = dialog_of(*rows, "       Enable selected", hints)
    assert (dialog.type, dialog.ticked, dialog.cursor) == (DialogType.STARTUP, (0,), 0)
    assert [option.label for option in dialog.options] == ["tracker", "second", "Enable selected"]
    assert not dialog_of(*rows, hints).readable
    assert not dialog_of(*rows[:3], "  ❯ [✔] tracker", "  ❯ [ ] second", "       Enable selected", hints).readable


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("two cursors", ("   2. ", " ❯ 2. "), "2 options are marked"),
        ("no cursor", (" ❯ 1. ", "   1. "), "0 options are marked"),
        ("a number is missing", ("   3. ", "   5. "), "not counted through"),
        ("a row at the edge", (" Do it", "Do it"), "at the screen's edge"),
        ("one dashed rule", ("╌" * 100 + "\n Do you", " Do you"), "not paired"),
        ("no question", (" Do you want to proceed?", " Proceeding."), "no question"),
        ("no footer", (" Esc to cancel · Tab to amend", ""), "last rows are off the screen"),
        ("a stray row", ("   4. No", "  x\n   4. No"), "none of them"),
    ],
)
def test_a_permission_that_is_not_whole_still_blocks_and_offers_nothing(
    name: str, change: tuple[str, str], why: str
) -> None:
    text = draw(Drawing(command="rm -rf build")).replace(*change, 1)
    facts = READ(parse(text, columns=100))
    assert facts.state is State.BLOCKED, name
    assert facts.dialog is not None
    assert (facts.dialog.readable, facts.dialog.options, facts.dialog.decisions) == (False, (), ()), name
    assert why in facts.dialog.why


def test_a_new_dialog_below_a_rule_blocks_without_being_read() -> None:
    dialog = dialog_of(
        RULE, "  Something new", "", "  Press it?", "", "  [x] this", "", "  Enter to confirm · Esc to cancel"
    )
    assert (dialog.type, dialog.readable) == (DialogType.OTHER, False)
    assert dialog.title == "Something new"


def test_a_panel_that_asks_yes_or_no_is_not_taken_for_a_settings_menu() -> None:
    dialog = dialog_of(
        EDGE, "  Log out?", "", "  ❯ Yes, log out", "    No, stay", "", "  Enter to confirm · Esc to cancel"
    )
    assert (dialog.type, dialog.decisions) == (DialogType.OTHER, ())


def test_a_panel_that_is_not_known_is_a_settings_menu_and_never_blocks() -> None:
    facts = read(EDGE, "  Widgets  One   Two", "", "  ❯ First   on", "    Second  off", "", "  Esc to close")
    assert facts.state is State.IDLE
    assert facts.dialog is not None
    assert (facts.dialog.type, [option.label for option in facts.dialog.options]) == (
        DialogType.PICKER,
        ["First", "Second"],
    )


def test_searching_the_history_does_not_block() -> None:
    facts = read(
        RULE,
        "  Search prompts · everywhere",
        "    1m ago   /resume",
        "  ❯ 16s ago  /hooks",
        f"  ╭{'─' * 54}╮",
        f"  │ ⌕ Filter history…{' ' * 37}│",
        f"  ╰{'─' * 54}╯",
        "",
        "  ↑/↓ to navigate · Enter to use · Esc to cancel",
    )
    assert facts.state is State.IDLE
    assert facts.dialog is not None
    assert facts.dialog.type is DialogType.PICKER


def test_a_panel_without_key_hints_has_its_options() -> None:
    dialog = dialog_of(EDGE, "  Rewind", "", "  Restore?", "", "  ❯ 1. Restore conversation", "    2. Never mind")
    assert (dialog.type, dialog.cursor) == (DialogType.PICKER, 0)
    assert [option.label for option in dialog.options] == ["Restore conversation", "Never mind"]


def test_a_plan_in_a_terminal_with_few_rows_has_no_blank_rows() -> None:
    dialog = dialog_of(
        EDGE,
        "   Ready to code?",
        f"  {'╌' * 56}",
        "   Plan: one",
        f"   {' ' * 54}↓",
        f"  {'─' * 56}",
        "   Claude has written up a plan and is ready to execute.",
        "   Would you like to proceed?",
        "   ❯ 1. Yes, and use auto mode",
        "     2. Yes, manually approve edits",
        "     3. Tell Claude what to change",
        "        shift+tab to approve with this feedback",
        "",
        "   ctrl+g to edit in Vim · ~/.claude/plans/x.md",
    )
    assert (dialog.type, dialog.title, dialog.cursor) == (DialogType.PLAN, "Ready to code?", 0)
    assert (dialog.complete, dialog.scrolled, dialog.decisions) == (True, True, ())


def test_a_question_taller_than_the_screen_is_not_complete() -> None:
    dialog = dialog_of(
        "│ the end of a long question?",
        "",
        "❯ 1. One",
        "     First",
        "  2. Type something.",
        RULE,
        "  3. Chat about this",
        " ↑ 5 more lines",
        "Enter to select · ↑/↓ to navigate · Esc to cancel",
    )
    assert (dialog.type, dialog.readable, dialog.complete, dialog.title) == (DialogType.QUESTION, True, False, "")
    assert [option.label for option in dialog.options] == ["One", "Type something.", "Chat about this"]


def test_options_that_scroll_out_of_sight_are_not_read() -> None:
    dialog = dialog_of(
        RULE,
        " ☐ Database",
        "",
        "Which?",
        "",
        "❯ 1. PostgreSQL",
        "↓ 2. SQLite",
        RULE,
        "  5. Chat about this",
        "",
        "Enter to select · ↑/↓ to navigate · Esc to cancel",
    )
    assert (dialog.type, dialog.readable) == (DialogType.QUESTION, False)


def test_a_draft_that_looks_like_a_dialog_is_a_draft() -> None:
    facts = read(RULE, "❯\u00a0❯ 1. Yes", "  2. No", "", "  Esc to cancel · Tab to amend", RULE, "  ⏸ manual mode on")
    assert (facts.state, facts.dialog) == (State.IDLE, None)
    assert facts.draft == "❯ 1. Yes\n2. No\n\nEsc to cancel · Tab to amend"
    assert facts.draft_rows == 4


@pytest.mark.parametrize(
    ("row", "draft", "opaque"),
    [
        ("❯\u00a0", "", False),
        ("❯ fix it", "fix it", False),
        ("!\u00a0git log", "git log", True),
        ("❯\u00a0[Image #1] what is this?", "[Image #1] what is this?", True),
        ("❯\u00a0see [...Truncated text #1 +9 lines...]", "see [...Truncated text #1 +9 lines...]", True),
        ("#\u00a0remember this", "remember this", True),
    ],
)
def test_what_the_input_box_holds(row: str, draft: str, opaque: bool) -> None:
    facts = read(RULE, row, RULE, "  ⏸ manual mode on")
    assert (facts.draft, facts.opaque) == (draft, opaque)


def test_dim_text_in_the_box_was_not_typed() -> None:
    placeholder = f"{RULE}\n❯\u00a0\x1b[7mT\x1b[0;2mry something\x1b[0m\n{RULE}\n"
    suggestion = f"{RULE}\n❯\u00a0fix\x1b[7m \x1b[0;2mthe tests\x1b[0m\n{RULE}\n"
    assert READ(parse(placeholder, columns=60)).draft == ""
    assert READ(parse(suggestion, columns=60)).draft == "fix"


@pytest.mark.parametrize("label", ["Jump to bottom", "1 new message", "12 new messages", "Waiting for your answer"])
@pytest.mark.parametrize("hint", [" ↓", " (ctrl+End) ↓", ": ctrl+End to scroll"])
def test_the_pill_is_the_shaded_text_in_the_middle(label: str, hint: str) -> None:
    pill = f" {label}{hint} "
    before = "x" * ((60 - len(pill)) // 2)
    shaded = f"{before}\x1b[48;2;55;55;55m{pill}\x1b[0mx\n"
    assert READ(parse(shaded, columns=60)).banner == label
    assert READ(parse(f"xx\x1b[48;2;55;55;55m{pill}\x1b[0m\n", columns=60)).banner is None
    assert READ(parse(f"{before}\x1b[48;2;55;55;55m{pill[1:]}\x1b[0mx\n", columns=60)).banner is None
    assert (READ(parse(shaded, columns=60)).state is State.BLOCKED) == (label == "Waiting for your answer")


NOTICE = ("● How is Claude doing this session? (optional)", "  1: Bad    2: Fine   3: Good   0: Dismiss", "")


@pytest.mark.parametrize(
    ("rows", "digits"),
    [
        (NOTICE, "1230"),
        (("✦ One lead", "  goes on", "", "  1: Yes   0: Dismiss", "", "", ""), "10"),
        (("● Lead", "  1: A   2: B", "  3: C   0: Dismiss"), "1230"),
        (("● Lead", "  1: A   2: B   0: Close"), ""),
        (("● Lead", "  1: A   3: B   0: Dismiss"), ""),
        (("● Lead", "  1: A: b   0: Dismiss"), ""),
        (("● Lead", "   1: A   0: Dismiss"), ""),
        (("  1: A   0: Dismiss",), ""),
        (("● Lead", "", "text", "  1: A   0: Dismiss"), ""),
        (("● Lead", "  1: A   0: Dismiss", "", "", "", ""), ""),
        (("● Lead", "  1: A   2: B   3: C   4: D   5: E   0: Dismiss"), ""),
    ],
)
def test_a_notice_has_digits_or_is_none(rows: tuple[str, ...], digits: str) -> None:
    facts = read(*rows, RULE, "❯\u00a0", RULE)
    assert "".join(option.digit for option in facts.notice) == digits


@pytest.mark.parametrize(
    ("above", "footer", "state"),
    [
        ("✽ Wandering…", "  ⏸ manual mode on", State.WORKING),
        ("✢ Fixing the tests… (15s · ↓ 183 tokens)", "  ⏸ manual mode on", State.WORKING),
        ("✻ 529 Overloaded · retrying in 12s · attempt 3/10", "  ⏸ manual mode on", State.WORKING),
        ("✻ Waiting for 1 background agent to finish", "  ⏸ manual mode on", State.WORKING),
        ("● Done.", "  ⏵⏵ accept edits on (shift+tab to cycle) · esc to interrupt", State.WORKING),
        ("● Done.", "  ⏸ manual mode on\n\n  ● main\n  ◯ Explore  Look around   1m 3s · ↓ 2.2k tokens", State.WORKING),
        ("✻ Baked for 8s · done 4:52 PM", "  ⏸ manual mode on", State.IDLE),
        ("✻ Crunched for 19s · done 4:50 PM · 1 shell still running", "  ⏸ manual mode on · 1 shell", State.IDLE),
        ("● It says: ✽ Wandering…", "  ⏸ manual mode on", State.IDLE),
        ("● Press esc to interrupt", "  ⏸ manual mode on", State.IDLE),
    ],
)
def test_working_is_seen_where_claude_draws_it(above: str, footer: str, state: State) -> None:
    assert read(above, "", RULE, "❯\u00a0", RULE, footer).state is state


def test_a_note_being_written_needs_its_colours_to_count_as_a_yes() -> None:
    found = claude("bash-short-amend-yes-typed")
    coloured, plain = found.read().dialog, found.read("txt").dialog
    assert coloured is not None
    assert plain is not None
    assert coloured.option_for(Decision.APPROVE) == 0
    assert plain.option_for(Decision.APPROVE) is None
    assert plain.option_for(Decision.DENY) == 3


def test_a_terminal_without_colours_still_shows_the_text_cursor() -> None:
    text = claude("bash-short-amend-yes-typed").text("txt").replace("run the tests", "run the tests\x1b[7m \x1b[0m")
    dialog = READ(parse(text, columns=100)).dialog
    assert dialog is not None
    assert dialog.field is not None
    assert (dialog.field.text, dialog.option_for(Decision.APPROVE)) == ("then run the tests", 0)


def test_a_gutter_is_dim_and_a_commands_own_bar_is_not() -> None:
    text = draw(Drawing(command="│ leading bar"))
    styled = text.replace(" │ leading", "\x1b[1m\x1b[0m │ leading")
    plain, coloured = READ(parse(text, columns=100)).dialog, READ(parse(styled, columns=100)).dialog
    assert plain is not None
    assert coloured is not None
    assert (plain.command, coloured.command) == ("leading bar", "│ leading bar")


def test_lines_that_begin_alike_are_lines_of_their_own() -> None:
    line = "echo step-{} && touch /srv/cap/elsewhere/file-{}.txt"
    command = "\n".join(line.format(f"{number:02}", f"{number:02}") for number in range(1, 5))
    dialog = READ(parse(draw(Drawing(command=command, width=60)), columns=60)).dialog
    assert dialog is not None
    assert dialog.command == command
