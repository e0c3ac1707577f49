"""The wire's error codes, and the exception that carries one (specs: phone-protocol section 9)."""

from enum import StrEnum

import msgspec

from collie.errors import CollieError
from collie.protocol.models import Outcome


class Code(StrEnum):
    """Each code says whose fault it is: the client's, the agent's state, or the machine's."""

    MALFORMED_FRAME = "malformed_frame"
    FRAME_TOO_LARGE = "frame_too_large"
    UNKNOWN_METHOD = "unknown_method"
    INVALID_PARAMS = "invalid_params"
    UNSUPPORTED_PROTOCOL = "unsupported_protocol"
    HELLO_REQUIRED = "hello_required"
    NOT_PAIRED = "not_paired"
    PAIRING_FAILED = "pairing_failed"
    NOT_FOUND = "not_found"
    CONFIRM_REQUIRED = "confirm_required"
    AGENT_BLOCKED = "agent_blocked"
    AGENT_NOT_READY = "agent_not_ready"
    APPROVAL_NOT_FOUND = "approval_not_found"
    APPROVAL_EXPIRED = "approval_expired"
    APPROVAL_NONCE_MISMATCH = "approval_nonce_mismatch"
    APPROVAL_ALREADY_RESOLVED = "approval_already_resolved"
    RATE_LIMITED = "rate_limited"
    HERDR_UNAVAILABLE = "herdr_unavailable"
    NOT_IMPLEMENTED = "not_implemented"
    TOO_LARGE = "too_large"
    CHECKSUM_MISMATCH = "checksum_mismatch"
    DRAFT_CHANGED = "draft_changed"
    DRAFT_NOT_CLEARED = "draft_not_cleared"
    TERMINALS_DISABLED = "terminals_disabled"
    TERMINAL_LOCKED = "terminal_locked"
    TERMINAL_KEY_MISSING = "terminal_key_missing"
    INTERNAL = "internal"
    FROM_PANE = "from_pane"
    """Ours: the caller stands inside a pane, and an agent is not the operator."""
    UNKNOWN = "unknown"
    """A code that this side does not know."""

    @classmethod
    def _missing_(cls, value: object) -> "Code":
        return cls.UNKNOWN


class ErrorBody(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The `error` of an error frame.

    `draft` is the input box's text under `draft_changed`, `protocol_version` the server's own under
    `unsupported_protocol`, `outcome` how the approval ended under `approval_already_resolved` (ours, additive).
    """

    code: str
    message: str
    draft: str | None = None
    protocol_version: int | None = None
    outcome: Outcome | None = None


class WireError(CollieError):
    """A request was refused with a code; raised by handlers, and by a client that got one."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        draft: str | None = None,
        protocol_version: int | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.draft = draft
        self.protocol_version = protocol_version
        self.outcome = outcome

    def body(self) -> ErrorBody:
        """The error as the wire carries it."""
        return ErrorBody(
            code=self.code.value,
            message=self.message,
            draft=self.draft,
            protocol_version=self.protocol_version,
            outcome=self.outcome,
        )

    @classmethod
    def from_body(cls, body: ErrorBody) -> "WireError":
        """The exception a client raises for an error frame."""
        return cls(
            Code(body.code),
            body.message,
            draft=body.draft,
            protocol_version=body.protocol_version,
            outcome=body.outcome,
        )
