"""Where an agent may be started."""

from pathlib import Path

import pytest

from collie.daemon.cwd import resolve_cwd
from collie.protocol.errors import Code, WireError


def test_a_folder_is_resolved_and_held_to_the_roots(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    (inside / "file").touch()
    assert resolve_cwd(str(inside / "link"), ()) == outside.resolve()
    assert resolve_cwd(str(inside), (inside.resolve(),)) == inside.resolve()
    for cwd, message in [
        (str(inside / "nothing"), "cwd does not exist"),
        (str(inside / "file"), "cwd is not a directory"),
        (str(inside / "file" / "x"), "cwd does not exist"),
        (str(inside / "link"), "cwd is outside the allowed roots"),
        (str(outside), "cwd is outside the allowed roots"),
        ("/x\u202ey", "cwd is not a valid path"),
        ("/" + "x" * 300, "cwd is not a valid path"),
    ]:
        with pytest.raises(WireError) as refused:
            resolve_cwd(cwd, (inside.resolve(),))
        assert (refused.value.code, refused.value.message) == (Code.INVALID_PARAMS, message)
