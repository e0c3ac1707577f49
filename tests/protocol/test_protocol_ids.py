"""The validated strings: the edges of each."""

import pytest

from collie.protocol.ids import (
    AgentName,
    ApprovalId,
    Cwd,
    DraftText,
    Label,
    Nonce,
    Note,
    OpId,
    PromptText,
    TerminalId,
    ValidatedText,
)

GOOD: list[tuple[type[ValidatedText], str]] = [
    (TerminalId, "term_66:a.b-c"),
    (TerminalId, "x" * 64),
    (ApprovalId, "A_-9"),
    (AgentName, "a"),
    (OpId, "o" * 22),
    (Nonce, "n" * 43),
    (Label, "Ana’s phone"),
    (Note, "use podman, not docker"),
    (Cwd, "/srv/a b/é"),
    (PromptText, "a\n\tb"),
    (PromptText, "é" * 16_384),
    (DraftText, ""),
    (DraftText, "a\nb"),
]
BAD: list[tuple[type[ValidatedText], str]] = [
    (TerminalId, ""),
    (TerminalId, "x" * 65),
    (TerminalId, "a\n"),
    (TerminalId, "a/b"),
    (ApprovalId, "a.b"),
    (AgentName, "Ana"),
    (AgentName, "9a"),
    (OpId, "o" * 21),
    (Nonce, "n" * 43 + "\n"),
    (Label, ""),
    (Label, " a"),
    (Label, "a\u200bb"),
    (Label, "x" * 65),
    (Note, "   "),
    (Note, "a\nb"),
    (Note, "x" * 201),
    (Cwd, "srv"),
    (Cwd, "/a\x00"),
    (Cwd, "/" + "x" * 1024),
    (PromptText, "\n \t"),
    (PromptText, "a\x1bb"),
    (PromptText, "a\x85b"),
    (PromptText, "é" * 16_385),
    (DraftText, "a\tb"),
    (DraftText, "\u202e"),
]


@pytest.mark.parametrize(("kind", "value"), GOOD)
def test_what_the_wire_allows_is_kept_as_it_is(kind: type[ValidatedText], value: str) -> None:
    assert kind(value) == value


@pytest.mark.parametrize(("kind", "value"), BAD)
def test_what_the_wire_refuses_says_the_type_and_not_the_value(kind: type[ValidatedText], value: str) -> None:
    with pytest.raises(ValueError, match=rf"^invalid {kind.__name__}$"):
        kind(value)


def test_a_nonce_is_not_printed() -> None:
    assert "n" * 43 not in repr(Nonce("n" * 43))
