"""SGR and the styles it makes."""

import random

import pytest

from collie.host.terminal import controls
from collie.host.terminal.reads import read
from collie.host.terminal.screen import Terminal
from collie.host.terminal.sgr import apply_sgr
from collie.host.terminal.state import State
from collie.host.terminal.style import DEFAULT, Style, StyleTable


@pytest.mark.parametrize(
    ("parameters", "style"),
    [
        ("", Style()),
        ("1;2;3;4;5;7;8;9;53", Style(bold=True, faint=True, italic=True, underline=1, blink=True, inverse=True)),
        ("31;42", Style(foreground=1, background=2)),
        ("97;100", Style(foreground=15, background=8)),
        ("38;5;208;48;2;1;2;3", Style(foreground=208, background=(1, 2, 3))),
        ("38:5:208;48:2:1:2:3", Style(foreground=208, background=(1, 2, 3))),
        ("38:2::1:2:3", Style(foreground=(1, 2, 3))),
        ("58;5;9;4:3", Style(underline=3, underline_colour=9)),
        ("21", Style(underline=2)),
        ("4:0", Style()),
        ("4:9;4:", Style()),
        ("1;0;3", Style(italic=True)),
        ("1;;3", Style(italic=True)),
        ("38;5;256;1", Style(bold=True)),
        ("38;2;1;2", Style(foreground=(1, 2, 0))),
        ("38;5", Style(foreground=0)),
        ("38", Style()),
        ("38;7;1", Style(bold=True)),
        ("38;4:3", Style()),
        ("1:2;999", Style()),
    ],
)
def test_parameters(parameters: str, style: Style) -> None:
    result = apply_sgr(Style(), parameters)
    if parameters.startswith("1;2;3;4"):
        assert (result.invisible, result.strike, result.overline) == (True, True, True)
        result = Style(
            **{name: getattr(result, name) for name in ("bold", "faint", "italic", "underline", "blink", "inverse")}
        )
    assert result == style


def test_each_attribute_is_taken_back() -> None:
    everything = apply_sgr(Style(), "1;2;3;4;5;7;8;9;53;31;42;58;5;3")
    assert apply_sgr(everything, "22;23;24;25;27;28;29;55;39;49;59") == Style()


def test_sequences_that_are_not_sgr_change_no_style() -> None:
    terminal = Terminal(20, 2)
    terminal.feed(b"\x1b[>4;2m\x1b[?4m\x1b[1 mx")
    assert read(terminal, "visible", format="ansi").text == "x"


def test_the_table_gives_each_style_a_key_and_forgets_what_a_sweep_does_not_find() -> None:
    table = StyleTable()
    bold, red = table.key(Style(bold=True)), table.key(Style(foreground=1))
    assert table.key(Style()) == DEFAULT
    assert table.key(Style(bold=True)) == bold
    assert table[red] == Style(foreground=1)
    assert table.opening(red) == "\x1b[0m\x1b[38;5;1m"
    for _ in table.sweep([red], []):
        pass
    assert table.key(Style(italic=True)) == bold
    assert table[red] == Style(foreground=1)


def test_what_is_asked_for_during_a_sweep_is_kept() -> None:
    table = StyleTable()
    old, held = table.key(Style(bold=True)), table.key(Style(foreground=1, background=2))
    sweep = table.sweep(["" for _ in range(100)], [held])
    next(sweep)
    assert table.key(Style(bold=True)) == old
    new = table.key(Style(italic=True))
    for _ in sweep:
        pass
    assert [table[key] for key in (old, new, held, table.blank(held))] == [
        Style(bold=True),
        Style(italic=True),
        Style(foreground=1, background=2),
        Style(background=2),
    ]


def test_blanks_keep_only_the_background() -> None:
    table = StyleTable()
    key = table.key(Style(bold=True, foreground=1, background=2))
    assert table[table.blank(key)] == Style(background=2)
    assert table.blank(table.key(Style(bold=True))) == DEFAULT


def test_a_full_table_wants_a_sweep_and_gives_the_default_style() -> None:
    table = StyleTable(limit=10)
    for number in range(9):
        assert table.key(Style(foreground=number)) != DEFAULT
    assert table.key(Style(bold=True)) == DEFAULT
    assert table.wants_sweep
    for _ in table.sweep([], []):
        assert not table.wants_sweep
    assert table.key(Style(bold=True)) != DEFAULT


def test_a_program_may_use_any_number_of_colours() -> None:
    """Styles of cells that are gone make room for new ones; what is on the screen keeps its colour."""
    state = State(10, 2, 2)
    state.styles = StyleTable(limit=50)
    for red in range(256):
        state.set_rendition(f"38;2;{red};0;0")
        state.pen.write(state.grid, "x")
    styles = [state.styles[key].foreground for row in state.grid.rows for key in row.styles]
    assert styles == [(red, 0, 0) for red in range(240, 256)]


def test_no_cell_ever_loses_its_style_to_a_sweep() -> None:
    """Whatever is written, moved, wrapped and switched while styles are swept, each cell keeps its own."""
    rng = random.Random(5)
    small, large = State(12, 4, 30), State(12, 4, 30)
    small.styles = StyleTable(limit=600)
    screens = ["\x1b[?1049h", "\x1b[?1049l", "\x1b[2J", "\x1b7", "\x1b8"]
    moves = [*screens, "\n", "\x1b[@", "\x1b[3P", "\x1b[H", "\u2733", "\ufe0f"]
    for number in range(3000):
        text = rng.choice(moves) if rng.random() < 0.5 else "xyz"
        size = (rng.randint(3, 14), 4) if rng.random() < 0.01 else None
        for state in (small, large):
            state.set_rendition(f"38;2;{number // 256};{number % 256};0;48;5;{number % 7}")
            play(state, text)
            if size:
                state.resize(*size)
        assert cells(small) == cells(large)


def play(state: State, text: str) -> None:
    if text.startswith("\x1b["):
        controls.csi(state, text[2:-1], text[-1])
    elif text.startswith("\x1b"):
        controls.escape(state, text[1:])
    elif text == "\n":
        controls.control(state, text)
    else:
        state.pen.write(state.grid, text)


def cells(state: State) -> list[Style]:
    buffers = (state.grid.primary, state.grid.alternate)
    rows = [row for buffer in buffers for row in buffer.window(0, buffer.total)]
    return [state.styles[row.style_at(column)] for row in rows for column in range(state.grid.columns)]
