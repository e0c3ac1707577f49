"""Lines out of bytes, however the bytes were cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.protocol.frames import BadFrame
from collie.protocol.lines import LineBuffer


def lines_of(pieces: list[bytes], limit: int = 100) -> list[bytes]:
    buffer = LineBuffer(limit)
    found = []
    for piece in pieces:
        buffer.receive_data(piece)
        while (line := buffer.next_line()) is not None:
            found.append(line)
    return found


@given(st.lists(st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"")), max_size=6), st.data())
def test_pieces_give_the_same_lines_as_the_whole(lines: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(line + b"\n" for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    edges = [0, *cuts, len(whole)]
    pieces = [whole[start:end] for start, end in pairwise(edges)]
    assert lines_of(pieces) == lines_of([whole]) == lines


@pytest.mark.parametrize("pieces", [[b"x" * 101], [b"x" * 101 + b"\n"], [b"ok\n" + b"x" * 101]])
def test_a_line_past_the_limit_is_refused_even_before_it_ends(pieces: list[bytes]) -> None:
    with pytest.raises(BadFrame):
        lines_of(pieces)


def test_a_line_of_exactly_the_limit_is_taken() -> None:
    assert lines_of([b"x" * 100 + b"\n"]) == [b"x" * 100]
