"""Places and focus."""

from collie.host.layout import Layout
from collie.host.splits import Direction


def test_the_first_workspace_takes_the_focus_and_later_ones_do_not() -> None:
    layout = Layout()
    first = layout.create_workspace(label=None, folder="/srv/orchard")
    second = layout.create_workspace(label="north", folder="/srv")
    assert (first.pane_id, second.pane_id, second.tab.tab_id) == ("w1:p1", "w2:p1", "w2:t1")
    assert layout.focused_slot is first
    assert layout.is_focused(first.workspace)
    assert not layout.is_focused(second.tab)


def test_numbers_are_not_used_again() -> None:
    layout = Layout()
    first = layout.create_workspace(label=None, folder="/")
    layout.remove(layout.split(first, Direction.RIGHT))
    layout.remove(layout.create_tab(first.workspace, label=None))
    tab = layout.create_tab(first.workspace, label=None)
    assert (tab.pane_id, tab.tab.tab_id) == ("w1:p4", "w1:t3")
    layout.remove(first)
    layout.remove(tab)
    assert layout.focused_slot is None
    assert layout.create_workspace(label=None, folder="/").pane_id == "w2:p1"


def test_what_goes_takes_along_what_is_empty_then() -> None:
    layout = Layout()
    first = layout.create_workspace(label=None, folder="/")
    beside = layout.split(first, Direction.DOWN)
    tab = layout.create_tab(first.workspace, label=None)
    left = layout.remove(beside)
    assert (left.tab, left.workspace) == (False, False)
    left = layout.remove(tab)
    assert (left.tab, left.workspace) == (True, False)
    left = layout.remove(first)
    assert (left.tab, left.workspace) == (True, True)
    assert list(layout.slots()) == []


def test_focus_passes_to_a_neighbour() -> None:
    layout = Layout()
    slots = [layout.create_workspace(label=None, folder="/") for _ in range(3)]
    layout.focus(slots[2])
    layout.remove(slots[2])
    assert layout.focused_slot is slots[1]
    beside = layout.split(slots[1], Direction.RIGHT)
    layout.focus(beside)
    layout.remove(beside)
    assert layout.focused_slot is slots[1]
    tab = layout.create_tab(slots[1].workspace, label=None)
    layout.focus(tab)
    layout.remove(tab)
    assert layout.focused_slot is slots[1]


def test_focus_sees_the_whole_tab() -> None:
    layout = Layout()
    first = layout.create_workspace(label=None, folder="/")
    beside = layout.split(first, Direction.RIGHT)
    other = layout.create_tab(first.workspace, label=None)
    for slot in layout.slots():
        slot.seen = False
    layout.focus(first)
    assert (first.seen, beside.seen, other.seen) == (True, True, False)
