"""Why an agent has its status: which rule of its kind matched the screen.

Unlike other records these are encoded with their nulls, as herdr does.
"""

import msgspec


class MatchedRule(msgspec.Struct, frozen=True, kw_only=True):
    """The rule that decided; `id` tells a permission form from a menu."""

    id: str
    priority: int = 0
    region: str = ""
    state: str = "unknown"


class EvaluatedRule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that was looked at. Its evidence is not read: it quotes the screen."""

    id: str
    priority: int = 0
    region: str = ""
    state: str = "unknown"
    matched: bool = False


class Explain(msgspec.Struct, frozen=True, kw_only=True):
    """An evaluation of the screen at this moment; it can disagree with the published status for a tick.

    `state` is never `done`. `fallback_reason` says why no rule was needed, `skipped_update_reason` which rule kept the
    previous state.
    """

    agent: str | None = None
    state: str = "unknown"
    manifest_source: str | None = None
    manifest_version: str | None = None
    cached_remote_version: str | None = None
    local_override_shadowing_remote: bool = False
    remote_update_status: str | None = None
    remote_update_error: str | None = None
    matched_rule: MatchedRule | None = None
    visible_idle: bool = False
    visible_blocker: bool = False
    visible_working: bool = False
    screen_detection_skipped: bool = False
    skip_state_update: bool = False
    skipped_update_reason: str | None = None
    fallback_reason: str | None = None
    warning: str | None = None
    evaluated_rules: tuple[EvaluatedRule, ...] = ()
