"""SGR and the styles it makes."""

import pytest

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


def test_the_table_gives_each_style_a_key_and_forgets_on_request() -> None:
    table = StyleTable()
    bold, red = table.key(Style(bold=True)), table.key(Style(foreground=1))
    assert table.key(Style()) == DEFAULT
    assert table.key(Style(bold=True)) == bold
    assert table[red] == Style(foreground=1)
    assert table.opening(red) == "\x1b[0m\x1b[38;5;1m"
    table.keep({red})
    assert table.key(Style(italic=True)) == bold
    assert table[red] == Style(foreground=1)


def test_blanks_keep_only_the_background() -> None:
    table = StyleTable()
    key = table.key(Style(bold=True, foreground=1, background=2))
    assert table[table.blank(key)] == Style(background=2)
    assert table.blank(table.key(Style(bold=True))) == DEFAULT


def test_a_full_table_asks_for_room_and_then_gives_the_default_style() -> None:
    table = StyleTable(limit=10)
    for number in range(9):
        assert table.key(Style(foreground=number)) != DEFAULT
    assert table.wants_room(Style(bold=True))
    assert not table.wants_room(Style(foreground=1))
    assert table.key(Style(bold=True)) == DEFAULT
    assert not table.wants_room(Style(bold=True))


def test_a_program_may_use_any_number_of_colours() -> None:
    """Styles of cells that are gone make room for new ones; what is on the screen keeps its colour."""
    state = State(10, 2, 2)
    state.styles = StyleTable(limit=50)
    for red in range(256):
        state.set_rendition(f"38;2;{red};0;0")
        state.pen.write(state.grid, "x")
    styles = [state.styles[key].foreground for row in state.grid.rows for key in row.styles]
    assert styles == [(red, 0, 0) for red in range(240, 256)]
