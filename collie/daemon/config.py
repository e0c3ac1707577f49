"""collie.toml -> Config, frozen and whole: an unknown key is an error that names it, its line and what is known."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit.exceptions import ParseError

from collie.errors import CollieError
from collie.herdr.discovery import herdr_socket
from collie.protocol.ids import AgentKindName

FILE_NAME: Final = "collie.toml"


class HostKind(StrEnum):
    """Which host owns the panes; AUTO is herdr if it answers, else the embedded one."""

    AUTO = "auto"
    HERDR = "herdr"
    EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything a daemon is told before it starts.

    `task_roots` are the folders that agents may be started in, () when the file does not say: then a peer is held to
    the home folder, and the operator to none. `lifeline` is the reading end of a pipe, for a throwaway data directory:
    when its other end is closed, the embedded host ends and takes the directory along.
    """

    data_dir: Path
    host_kind: HostKind = HostKind.AUTO
    herdr_session: str | None = None
    from_panes: bool = False
    task_agents: tuple[str, ...] = ("claude", "codex", "copilot")
    task_roots: tuple[Path, ...] = ()
    lifeline: int | None = None
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def path(self) -> Path:
        """The file that it was read from."""
        return self.data_dir / FILE_NAME


def load(data_dir: Path, environ: Mapping[str, str]) -> Config:
    """The configuration of a data directory; without a file, the defaults.

    Raises: CollieError, `<path>:<line>: <what is wrong>`.
    """
    path = data_dir / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = ""
    except UnicodeDecodeError as exc:
        raise CollieError(f"{path}: not UTF-8 text: {exc.reason} at byte {exc.start}") from exc
    except OSError as exc:
        raise CollieError(f"cannot read {path}: {exc.strerror}") from exc
    return _Reader(path, text).config(data_dir, environ)


class _Reader:
    """Takes the values out of one file's text."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text

    def config(self, data_dir: Path, environ: Mapping[str, str]) -> Config:
        values: dict[str, Any] = {}
        for section, table in self._document().items():
            if section not in SECTIONS:
                raise self._error((section,), f"unknown section [{section}]; known: {', '.join(SECTIONS)}")
            if not isinstance(table, dict):
                raise self._error((section,), f"{section} must be a section, [{section}]")
            for key, value in table.items():
                row = SECTIONS[section].get(key)
                if row is None:
                    known = ", ".join(SECTIONS[section])
                    raise self._error((section, key), f'unknown key "{key}" in [{section}]; known: {known}')
                values[row.field] = self._value((section, key), row, value)
        return Config(data_dir=data_dir, environ=environ, **values)

    def _document(self) -> dict[str, Any]:
        try:
            return tomlkit.parse(self._text).unwrap()
        except ParseError as exc:
            why = str(exc).removesuffix(f" at line {exc.line} col {exc.col}")
            raise CollieError(f"{self._path}:{exc.line}: {why}") from exc

    def _value(self, key: tuple[str, str], row: "Key", value: Any) -> Any:
        try:
            return row.convert(value)
        except ValueError as exc:
            raise self._error(key, f'"{key[1]}" in [{key[0]}] {exc}') from exc

    def _error(self, key: tuple[str, ...], what: str) -> CollieError:
        return CollieError(f"{self._path}:{line_of(self._text, key)}: {what}")


def line_of(text: str, key: tuple[str, ...]) -> int:
    """The line on which a key (section first) of a valid document begins, counted from 1.

    Found by parsing beginnings of the text: the key is there from the end of its value on, and the text up to the
    line before its first is valid too.
    """
    lines = text.splitlines(keepends=True)
    valid = 0
    for count in range(1, len(lines) + 1):
        try:
            document: Any = tomllib.loads("".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        if _holds(document, key):
            return valid + 1
        valid = count
    return 1


def _holds(document: Any, key: tuple[str, ...]) -> bool:
    for part in key:
        if not isinstance(document, dict) or part not in document:
            return False
        document = document[part]
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key of the file: the field of Config it fills, and how its value is taken.

    `convert` raises ValueError with words that follow the key's name.
    """

    field: str
    convert: Callable[[Any], Any]


def _kind(value: Any) -> HostKind:
    if value in list(HostKind):
        return HostKind(value)
    raise ValueError(f"must be one of {', '.join(repr(kind.value) for kind in HostKind)}, not {value!r}")


def _session(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be text, not {value!r}")
    try:
        herdr_socket({}, Path("/"), session=value)
    except CollieError as exc:
        raise ValueError(f"is wrong: {exc}") from exc
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, not {value!r}")
    return value


def _agents(value: Any) -> tuple[str, ...]:
    names = _texts(value)
    for name in names:
        if not AgentKindName.accepts(name):
            raise ValueError(f"holds {name!r}, which is no name of an agent kind")
    return names


def _roots(value: Any) -> tuple[Path, ...]:
    return tuple(_root(Path(name)) for name in _texts(value))


def _root(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError(f"holds {str(path)!r}, which is not absolute")
    try:
        return path.resolve(strict=True)
    except OSError as exc:
        raise ValueError(f"holds {str(path)!r}: {exc.strerror}") from exc


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise ValueError(f'must be a list of texts, such as ["…"], not {value!r}')
    return tuple(value)


SECTIONS: Final[Mapping[str, Mapping[str, Key]]] = {
    "host": {"kind": Key(field="host_kind", convert=_kind)},
    "herdr": {"session": Key(field="herdr_session", convert=_session)},
    "control": {"from_panes": Key(field="from_panes", convert=_flag)},
    "tasks": {
        "agents": Key(field="task_agents", convert=_agents),
        "roots": Key(field="task_roots", convert=_roots),
    },
}
"""Every key that is understood, by section."""
