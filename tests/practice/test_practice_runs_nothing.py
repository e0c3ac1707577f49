"""The practice agent cannot run, write or reach anything: it has no means to."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import collie.practice

FOLDER = Path(collie.practice.__file__).parent
MODULES = {
    "collections.abc",
    "contextlib",
    "dataclasses",
    "enum",
    "os",
    "posixpath",
    "re",
    "select",
    "signal",
    "sys",
    "termios",
    "time",
    "types",
    "unicodedata",
}
FROM_OS = {
    "environ",
    "get_terminal_size",
    "getcwd",
    "isatty",
    "path",
    "pipe",
    "read",
    "set_blocking",
    "write",
}
FORBIDDEN_NAMES = {"__import__", "breakpoint", "compile", "eval", "exec", "getattr", "globals", "open", "vars"}


def sources() -> list[Path]:
    return sorted(FOLDER.rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield node.module or ""


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.name)
def test_a_module_imports_only_what_cannot_run_anything(source: Path) -> None:
    foreign = {name for name in imported(ast.parse(source.read_text())) if not name.startswith("collie.practice.")}
    assert foreign <= MODULES


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.name)
def test_a_module_uses_no_part_of_os_that_runs_or_changes_anything(source: Path) -> None:
    tree = ast.parse(source.read_text())
    assert not any(isinstance(node, ast.ImportFrom) and node.module == "os" for node in ast.walk(tree))
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    used = {node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id == "os"}
    assert used <= FROM_OS
    bare = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "os"]
    assert len(bare) == sum(isinstance(node.value, ast.Name) and node.value.id == "os" for node in attributes)


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.name)
def test_a_module_has_no_name_that_opens_or_evaluates(source: Path) -> None:
    names = {node.id for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.Name)}
    assert not names & FORBIDDEN_NAMES
