"""A line of the audit pane, in words for people; the log itself keeps its own. Pure."""

import re
import time
from functools import cache
from typing import Final

from collie.protocol.models import AuditLine
from collie.tui.lines import Line, Tone, clip, pad_text, piece
from collie.tui.reveal import plain

_PEER_CELLS: Final = 20
_METHOD_CELLS: Final = 16
_WIDE_CELLS: Final = 60
"""Below this many cells there is no room for who it was."""

WORDS: Final = {
    "rejected": "refused",
    "replayed": "it was answered already",
    "bad nonce": "not the question that was shown",
    "unconfirmed": "keys sent, not confirmed",
    "superseded": "its screen changed first",
    "agent_blocked": "the agent asks something itself",
    "agent_not_ready": "the agent was not ready for it",
    "approval_already_resolved": "it was answered already",
    "approval_expired": "the question had expired",
    "approval_nonce_mismatch": "not the question that was shown",
    "approval_not_found": "there is no such question",
    "checksum_mismatch": "the file did not arrive whole",
    "confirm_required": "it was not confirmed",
    "draft_changed": "there was another draft in its box",
    "draft_not_cleared": "its box could not be cleared",
    "from_pane": "asked for from inside a pane",
    "herdr_unavailable": "the host did not answer",
    "internal": "Collie failed inside",
    "invalid_params": "the request was wrong",
    "not_found": "there is no such thing",
    "not_paired": "the device is not paired",
    "pairing_failed": "the pairing failed",
    "rate_limited": "too many in a short time",
    "terminals_disabled": "shells are closed to devices",
    "too_large": "it is too large",
}
"""What the log's short words mean."""


@cache
def _known() -> re.Pattern[str]:
    """The short words, where they stand by themselves; compiled when the first line is drawn, not at the start."""
    words = "|".join(sorted(WORDS, key=len, reverse=True))
    return re.compile(rf"(?<![=/.])\b({words})\b(?![=/.])")


def result_words(result: str) -> str:
    """A result as a person would say it."""
    return _known().sub(lambda found: WORDS[found[0]], plain(result))


def audit_line(line: AuditLine, width: int) -> Line:
    """One attempt: when, who, what, with what result."""
    refused = line.result.startswith(("rejected", "failed", "refused"))
    at = time.strftime("%H:%M:%S", time.localtime(line.ts / 1_000))
    parts: Line
    if width < _WIDE_CELLS:
        parts = (piece(f"{at} ", Tone.DIM), piece(f"{plain(line.method)} "))
    else:
        parts = (
            piece(f"{at}  ", Tone.DIM),
            piece(pad_text(plain(line.peer), _PEER_CELLS) + "  "),
            piece(pad_text(plain(line.method), _METHOD_CELLS) + "  ", Tone.STRONG),
        )
    target = f"  {plain(line.target)}" if line.target else ""
    result = piece(result_words(line.result), Tone.WARN if refused else Tone.GOOD)
    return clip((*parts, result, piece(target, Tone.DIM)), width)
