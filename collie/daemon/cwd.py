"""The folder that an agent is to work in, as a client named it."""

from pathlib import Path

from collie.protocol.errors import Code, WireError
from collie.protocol.ids import FORMAT_CHARACTERS, has_controls


def resolve_cwd(cwd: str, roots: tuple[Path, ...]) -> Path:
    """The folder itself, links followed; it must lie under one of the roots, if there are any. Raises WireError."""
    if has_controls(cwd) or FORMAT_CHARACTERS.search(cwd):
        raise WireError(Code.INVALID_PARAMS, "cwd is not a valid path")
    try:
        path = Path(cwd).resolve(strict=True)
        is_dir = path.is_dir()
    except (FileNotFoundError, NotADirectoryError) as exc:
        raise WireError(Code.INVALID_PARAMS, "cwd does not exist") from exc
    except (OSError, ValueError, RuntimeError) as exc:
        raise WireError(Code.INVALID_PARAMS, "cwd is not a valid path") from exc
    if not is_dir:
        raise WireError(Code.INVALID_PARAMS, "cwd is not a directory")
    if roots and not any(path.is_relative_to(root) for root in roots):
        raise WireError(Code.INVALID_PARAMS, "cwd is outside the allowed roots")
    return path
