"""The palette: the rows of `actions`, with the reason beside those that cannot be done now."""

from collections.abc import Awaitable, Callable, Iterator

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from collie.tui.actions import ACTIONS, Action, Place
from collie.tui.screens.window import Window

_NEVER_HERE = frozenset({Place.LIST})


class ActionsProvider(Provider):
    """Finds any action of the window that the palette was opened over."""

    async def discover(self) -> Hits:
        for action, why in self._rows():
            yield DiscoveryHit(action.tells, self._run(action), help=_help(action, why))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for action, why in self._rows():
            if (score := matcher.match(action.tells)) > 0:
                yield Hit(score, matcher.highlight(action.tells), self._run(action), help=_help(action, why))

    def _rows(self) -> Iterator[tuple[Action, str]]:
        screen = self.screen
        if not isinstance(screen, Window):
            return
        seen: set[str] = set()
        for action in ACTIONS:
            if action.place in _NEVER_HERE or "{key}" in action.name or action.name in seen:
                continue
            method = action.name.partition("(")[0].removeprefix("screen.")
            if action.name.startswith("screen.") and not hasattr(screen, f"action_{method}"):
                continue
            seen.add(action.name)
            yield action, screen.why_not(action.name)

    def _run(self, action: Action) -> Callable[[], Awaitable[None]]:
        async def run() -> None:
            await self.screen.run_action(action.name)

        return run


def _help(action: Action, why: str) -> str:
    """Why it cannot be done, else its key; as markup, which Textual takes help for."""
    return Content(why or f"key: {action.shown}").markup
