"""The captured screens of `fixtures/` (or of another folder of the same shape) and the facts that each must give."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collie.agents.facts import Facts
from collie.agents.kind import AgentKind
from collie.agents.registry import ALL_KINDS
from collie.screen.ansi import parse
from collie.screen.cells import Screen

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One captured screen."""

    folder: Path
    kind: AgentKind

    @property
    def name(self) -> str:
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def meta(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "meta.json").read_text("utf-8"))
        return found

    @property
    def expected(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "facts.json").read_text("utf-8"))
        return found

    def text(self, form: str) -> str:
        """The screen as `ansi` or `txt`."""
        return (self.folder / f"screen.{form}").read_text("utf-8")

    def screen(self, form: str = "ansi") -> Screen:
        return parse(self.text(form), columns=self.meta["columns"])

    def read(self, form: str = "ansi") -> Facts:
        return self.kind.read(self.screen(form))


def cases(folder: Path = FIXTURES) -> Iterator[Case]:
    """All screens below `folder`, whose subfolders begin with a kind's name; those without facts included."""
    for kind in ALL_KINDS:
        for screen in sorted(folder.glob(f"{kind.name}-*/*/screen.ansi")):
            yield Case(folder=screen.parent, kind=kind)


def case(name: str) -> Case:
    """The fixture of this name, such as `claude-2.1.332/edit`."""
    return next(found for found in cases() if found.name == name)


def claude(name: str) -> Case:
    """A fixture of Claude Code."""
    return case(f"claude-2.1.332/{name}")


def plain_differences(expected: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """What plain text tells otherwise than the colours do, beyond what colour alone can witness.

    Colour alone shows: an open text field (and so that a row with other words is an amended Yes), a placeholder in the
    input box, which rows of a picker are headings or under the cursor, OpenCode's cursor.
    """
    dialog, plain = expected.get("dialog", {}), got.get("dialog", {})
    wrong = [
        f"{key}: {expected.get(key)!r} but plain {got.get(key)!r}"
        for key in ("kind", "state", "banner", "notice", "opaque")
        if expected.get(key) != got.get(key)
    ]
    if ("draft" in expected) != ("draft" in got):
        wrong.append("draft")
    kept = {"type", "title", "command", "target", "complete", "ticked", "pages", "note"}
    if dialog.get("type") != "picker" and plain.get("readable"):
        kept |= {"options", "readable"} | ({"cursor"} if plain.get("cursor") is not None else set())
    wrong += [
        f"{key}: {dialog.get(key)!r} but plain {plain.get(key)!r}" for key in kept if dialog.get(key) != plain.get(key)
    ]
    known = dialog.get("decisions", {}).items()
    wrong += [f"decision {item} only in plain text" for item in plain.get("decisions", {}).items() if item not in known]
    return wrong
