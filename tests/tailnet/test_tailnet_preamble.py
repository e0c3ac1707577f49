"""The line by which a local caller says which node it is: what is read, what is refused."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.tailnet.node import WhoIsFailed
from collie.tailnet.preamble import PREAMBLE_BYTES, Preamble, decode, encode

NODES = st.text(string.ascii_letters + string.digits, min_size=1, max_size=64)
CLAIMING = st.builds(
    Preamble,
    node=NODES,
    tags=st.lists(st.text(max_size=10), max_size=3).map(tuple),
    sharer=st.integers(0, 2**53),
    user=st.integers(0, 2**53),
)


def test_golden() -> None:
    assert encode(Preamble(node="nPEAR7CNTRL")) == b'{"node":"nPEAR7CNTRL"}\n'
    assert decode(b'{"node": "nPEAR7CNTRL"}\r\n', allow_claims=False) == Preamble(node="nPEAR7CNTRL")


@given(NODES)
def test_a_node_id_is_read_as_it_was_said_and_fits(node: str) -> None:
    line = encode(Preamble(node=node))

    assert decode(line, allow_claims=False) == Preamble(node=node)
    assert len(line) <= PREAMBLE_BYTES


@given(CLAIMING)
def test_claims_are_believed_only_where_they_may_be(preamble: Preamble) -> None:
    assert decode(encode(preamble), allow_claims=True) == preamble
    with pytest.raises(WhoIsFailed, match="claims more than its node id"):
        decode(encode(preamble), allow_claims=False)


@pytest.mark.parametrize("claim", [b'"tags":[]', b'"sharer":0', b'"user":0'])
def test_an_empty_claim_is_a_claim(claim: bytes) -> None:
    with pytest.raises(WhoIsFailed, match="claims"):
        decode(b'{"node":"a",%s}' % claim, allow_claims=False)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"nPEAR",
        b"{}",
        b"[]",
        b'"node"',
        b'{"node":""}',
        b'{"node":7}',
        b'{"node":null}',
        b'{"node":"a b"}',
        b'{"node":"a\\n"}',
        b'{"node":"../a"}',
        '{"node":"é"}'.encode(),
        b'{"node":"\xff"}',
        b'{"node":"%s"}' % (b"n" * 65),
        b'{"node":"a","name":"b"}',
        b'{"node":"a","tags":"b"}',
        b'{"node":"a","user":1.5}',
        b'{"node":"a"}{"node":"b"}',
        b"\x16\x03\x01\x02\x00\x01",
        b"GET / HTTP/1.1",
        b"[" * 250,
    ],
)
def test_what_is_no_preamble_is_refused(line: bytes) -> None:
    with pytest.raises(WhoIsFailed):
        decode(line, allow_claims=True)


@given(st.binary(max_size=PREAMBLE_BYTES))
def test_any_bytes_are_read_or_refused(line: bytes) -> None:
    with pytest.raises(WhoIsFailed):
        decode(line, allow_claims=True)
