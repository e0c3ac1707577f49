"""Which program a process of a pane is: launchers are looked through (specs: herdr-api 10.1)."""

from collections.abc import Sequence

_SUFFIXES = (".exe", ".cmd", ".bat", ".ps1", ".js", ".mjs", ".cjs")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "fish"})
_SCRIPT_ENGINES = frozenset({"node", "nodejs", "bun"})
_WITH_VALUE = {
    "node": frozenset({"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions"}),
    "python": frozenset({"-W", "-X", "--check-hash-based-pycs"}),
    "shell": frozenset({"-o", "-O", "+o", "+O", "--rcfile", "--init-file"}),
}
_NO_SCRIPT = {
    "node": frozenset({"-e", "--eval", "-p", "--print", "-i", "--interactive"}),
    "python": frozenset({"-c", "-m"}),
    "shell": frozenset({"-c", "-s"}),
}


def program_path(argv: Sequence[str]) -> str | None:
    """The path of what runs, `/` between its parts: the script of a launcher, else the executable itself.

    None when a launcher runs no script file (`python -m`, `sh -c`), or nothing is given.
    """
    if not argv or not argv[0]:
        return None
    path = argv[0].replace("\\", "/")
    launcher = _launcher(program_name(path).removeprefix("-"))
    return path if launcher is None else _script(launcher, argv[1:])


def program_name(path: str) -> str:
    """The file name of a program, in lower case, without a suffix that only says how it is run."""
    name = path.rsplit("/", 1)[-1].lower()
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _launcher(name: str) -> str | None:
    if name in _SCRIPT_ENGINES:
        return "node"
    if name in _SHELLS:
        return "shell"
    is_python = name.startswith("python") and all(part.isdigit() or not part for part in name[6:].split("."))
    return "python" if is_python else None


def _script(launcher: str, arguments: Sequence[str]) -> str | None:
    rest = iter(arguments)
    for argument in rest:
        if argument in _NO_SCRIPT[launcher] or (launcher == "shell" and _is_command_flag(argument)):
            return None
        if argument in _WITH_VALUE[launcher]:
            next(rest, None)
        elif argument == "--":
            return next(rest, "").replace("\\", "/") or None
        elif not argument.startswith(("-", "+")) and argument != "run":
            return argument.replace("\\", "/")
    return None


def _is_command_flag(argument: str) -> bool:
    """`-c` among a shell's joined flags, as in `-lc`."""
    return argument.startswith("-") and not argument.startswith("--") and "c" in argument
