"""Workspaces, tabs and panes: where each is, what its id is, which has the focus. No I/O.

Focus exists without anybody looking: while there are panes, one workspace, one tab of each workspace and one pane of
each tab have it. Numbers only go up, so that no id is used twice in a host's life.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from collie.herdr.models import Rect
from collie.host import ids, splits
from collie.host.splits import Direction, Tree

AREA: Final = Rect(x=0, y=0, width=120, height=40)
"""What a tab measures, in cells: herdr's size while no terminal is attached."""


@dataclass(slots=True, kw_only=True, eq=False)
class Workspace:
    """Some tabs. `folder` names it while it has no label of its own."""

    workspace_id: str
    label: str | None
    folder: str
    tabs: "list[Tab]" = field(default_factory=list)
    active: "Tab" = field(init=False)
    tabs_made: int = 0
    panes_made: int = 0


@dataclass(slots=True, kw_only=True, eq=False)
class Tab:
    """Some panes side by side."""

    tab_id: str
    number: int
    label: str | None
    workspace: Workspace
    tree: Tree
    focused: str


@dataclass(slots=True, kw_only=True, eq=False)
class Slot:
    """The place of one terminal. `seen` turns false when its agent finishes, and true when somebody looks."""

    pane_id: str
    tab: Tab
    label: str | None = None
    seen: bool = True

    @property
    def workspace(self) -> Workspace:
        return self.tab.workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a pane's going took along."""

    tab: bool
    workspace: bool


class Layout:
    """All that a host holds, by place."""

    def __init__(self) -> None:
        self.workspaces: list[Workspace] = []
        self.focused: Workspace | None = None
        self._slots: dict[str, Slot] = {}
        self._made = 0

    # Looking up

    def slots(self, workspace: Workspace | None = None) -> Iterator[Slot]:
        """The panes of one workspace, or all, in their order."""
        for each in self.workspaces if workspace is None else [workspace]:
            for tab in each.tabs:
                yield from self.slots_of(tab)

    def slots_of(self, tab: Tab) -> Iterator[Slot]:
        """The panes of a tab."""
        return (self._slots[pane] for pane in splits.panes(tab.tree))

    def tabs(self) -> Iterator[Tab]:
        """All tabs in their order."""
        return (tab for workspace in self.workspaces for tab in workspace.tabs)

    def workspace(self, workspace_id: str) -> Workspace | None:
        """The workspace of this id."""
        return next((each for each in self.workspaces if each.workspace_id == workspace_id), None)

    def tab(self, tab_id: str) -> Tab | None:
        """The tab of this id."""
        return next((each for each in self.tabs() if each.tab_id == tab_id), None)

    def slot(self, pane_id: str) -> Slot | None:
        """The pane of this id."""
        return self._slots.get(pane_id)

    @property
    def focused_slot(self) -> Slot | None:
        """The pane that has the focus."""
        return self._slots[self.focused.active.focused] if self.focused else None

    def is_focused(self, item: Workspace | Tab | Slot) -> bool:
        """Whether the focus is on it, or in it."""
        focus = self.focused_slot
        return focus is not None and item in (focus, focus.tab, focus.workspace)

    # Making

    def create_workspace(self, *, label: str | None, folder: str) -> Slot:
        """A workspace with one tab and one pane, last in order; it has the focus when nothing else has."""
        self._made += 1
        workspace = Workspace(workspace_id=ids.workspace_id(self._made), label=label, folder=folder)
        self.workspaces.append(workspace)
        slot = self.create_tab(workspace, label=None)
        workspace.active = slot.tab
        if self.focused is None:
            self.focused = workspace
        return slot

    def create_tab(self, workspace: Workspace, *, label: str | None) -> Slot:
        """A tab with one pane, last in order, without the focus."""
        workspace.tabs_made += 1
        pane_id = self._next_pane(workspace)
        tab_id = ids.tab_id(workspace.workspace_id, workspace.tabs_made)
        tab = Tab(
            tab_id=tab_id,
            number=workspace.tabs_made,
            label=label,
            workspace=workspace,
            tree=pane_id,
            focused=pane_id,
        )
        workspace.tabs.append(tab)
        return self._add(pane_id, tab)

    def split(self, slot: Slot, direction: Direction, ratio: float = splits.RATIO) -> Slot:
        """A pane beside `slot`, without the focus."""
        pane_id = self._next_pane(slot.workspace)
        slot.tab.tree = splits.divide(slot.tab.tree, slot.pane_id, pane_id, direction, ratio)
        return self._add(pane_id, slot.tab)

    def _next_pane(self, workspace: Workspace) -> str:
        workspace.panes_made += 1
        return ids.pane_id(workspace.workspace_id, workspace.panes_made)

    def _add(self, pane_id: str, tab: Tab) -> Slot:
        slot = self._slots[pane_id] = Slot(pane_id=pane_id, tab=tab)
        return slot

    # Focus

    def focus(self, slot: Slot) -> None:
        """Give the focus to a pane, its tab and its workspace; what is in that tab counts as seen."""
        slot.tab.focused = slot.pane_id
        slot.workspace.active = slot.tab
        self.focused = slot.workspace
        for each in self.slots_of(slot.tab):
            each.seen = True

    # Going

    def remove(self, slot: Slot) -> Left:
        """Take a pane out, with its tab if it was the last there, and its workspace likewise."""
        del self._slots[slot.pane_id]
        tab = slot.tab
        tree = splits.without(tab.tree, slot.pane_id)
        if tree is None:
            return Left(tab=True, workspace=self._remove_tab(tab))
        tab.tree = tree
        if tab.focused == slot.pane_id:
            tab.focused = next(splits.panes(tree))
        return Left(tab=False, workspace=False)

    def _remove_tab(self, tab: Tab) -> bool:
        workspace = tab.workspace
        index = workspace.tabs.index(tab)
        workspace.tabs.remove(tab)
        if workspace.tabs:
            if workspace.active is tab:
                workspace.active = workspace.tabs[min(index, len(workspace.tabs) - 1)]
            return False
        index = self.workspaces.index(workspace)
        self.workspaces.remove(workspace)
        if self.focused is workspace:
            self.focused = self.workspaces[min(index, len(self.workspaces) - 1)] if self.workspaces else None
        return True

    # Boxes

    def boxes(self, tab: Tab) -> dict[str, Rect]:
        """The box of each pane of a tab."""
        return dict(splits.boxes(tab.tree, AREA))
