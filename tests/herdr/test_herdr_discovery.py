"""Where herdr's socket is."""

from pathlib import Path

import pytest
import trio
import trio.testing
from tools.fake_herdr import FakeHerdr, Trouble, socket_folder

from collie.errors import CollieError
from collie.herdr.discovery import ANSWER_TIMEOUT, answers, herdr_socket

HOME = Path("/home/ana")
SESSIONS = HOME / ".config/herdr/sessions"


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        ({}, HOME / ".config/herdr/herdr.sock"),
        ({"XDG_CONFIG_HOME": "/cfg"}, Path("/cfg/herdr/herdr.sock")),
        ({"XDG_CONFIG_HOME": ""}, HOME / ".config/herdr/herdr.sock"),
        ({"XDG_RUNTIME_DIR": "/run/user/7"}, HOME / ".config/herdr/herdr.sock"),
        ({"HERDR_SOCKET_PATH": "/tmp/x.sock", "HERDR_SESSION": "barn"}, Path("/tmp/x.sock")),
        ({"HERDR_SESSION": "barn"}, SESSIONS / "barn/herdr.sock"),
        ({"HERDR_SESSION": "barn", "XDG_CONFIG_HOME": "/cfg"}, Path("/cfg/herdr/sessions/barn/herdr.sock")),
        ({"HERDR_SESSION": "default"}, HOME / ".config/herdr/herdr.sock"),
        ({"HERDR_SESSION": ".."}, HOME / ".config/herdr/herdr.sock"),
        ({"HERDR_SESSION": "a/b"}, HOME / ".config/herdr/herdr.sock"),
        ({"HERDR_SESSION": "x" * 65}, HOME / ".config/herdr/herdr.sock"),
        ({"HERDR_SESSION": "barn\n"}, HOME / ".config/herdr/herdr.sock"),
        ({"HERDR_SESSION": ""}, HOME / ".config/herdr/herdr.sock"),
    ],
)
def test_the_environment_says_where(environ: dict[str, str], path: Path) -> None:
    assert herdr_socket(environ, HOME) == path


def test_a_session_of_our_own_configuration_goes_first() -> None:
    environ = {"HERDR_SOCKET_PATH": "/tmp/x.sock", "HERDR_SESSION": "barn"}
    assert herdr_socket(environ, HOME, session="shed") == SESSIONS / "shed/herdr.sock"
    assert herdr_socket(environ, HOME, session="default") == HOME / ".config/herdr/herdr.sock"
    with pytest.raises(CollieError, match="no name of a herdr session"):
        herdr_socket(environ, HOME, session="../shed")


@pytest.mark.trio
async def test_somebody_answers_or_nobody(autojump_clock: trio.testing.MockClock) -> None:
    with socket_folder() as folder:
        host = FakeHerdr(folder / "herdr.sock", manners="0.8.2")
        assert await answers(host.path) is None
        async with trio.open_nursery() as nursery:
            await nursery.start(host.run)
            pong = await answers(host.path)
            assert pong is not None
            assert pong.version == "0.8.2"
            host.fail("ping", Trouble.SILENT)
            assert await answers(host.path) is None
            assert trio.current_time() == pytest.approx(ANSWER_TIMEOUT)
            host.refuse("ping", "server_unavailable")
            assert await answers(host.path) is None
            nursery.cancel_scope.cancel()
