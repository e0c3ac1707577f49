"""What programs in a pane find in their environment."""

import pytest

from collie.host.environment import Place, env_fault, pane_environment

PLACE = Place(socket="/run/herdr.sock", workspace_id="w1", tab_id="w1:t1", pane_id="w1:p1")


def made(inherited: dict[str, str], asked: dict[str, str] | None = None, scripts: str | None = None) -> dict[str, str]:
    return pane_environment(inherited, asked or {}, PLACE, cwd="/srv", scripts=scripts)


def test_what_an_outer_terminal_left_is_gone() -> None:
    outer = ("TMUX", "TMUX_PANE", "STY", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "KITTY_WINDOW_ID", "CODEX_THREAD_ID")
    env = made({"LANG": "C", "HERDR_PANE_ID": "w9:p9", "HERDR_SESSION": "x", **dict.fromkeys(outer, "x")})
    assert env == {
        "LANG": "C",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "PWD": "/srv",
        "HERDR_ENV": "1",
        "HERDR_SOCKET_PATH": "/run/herdr.sock",
        "HERDR_WORKSPACE_ID": "w1",
        "HERDR_TAB_ID": "w1:t1",
        "HERDR_PANE_ID": "w1:p1",
    }


def test_the_caller_may_change_all_but_where_the_pane_is() -> None:
    env = made({"LANG": "C"}, {"LANG": "C.UTF-8", "TERM": "dumb", "HERDR_PANE_ID": "w2:p2"})
    assert (env["LANG"], env["TERM"], env["HERDR_PANE_ID"]) == ("C.UTF-8", "dumb", "w1:p1")


@pytest.mark.parametrize(
    ("path", "found"), [("/bin", "/bin:/opt/collie"), ("/opt/collie:/bin", "/opt/collie:/bin"), ("", "/opt/collie")]
)
def test_our_commands_come_last_in_the_path(path: str, found: str) -> None:
    assert made({"PATH": path}, scripts="/opt/collie")["PATH"] == found


@pytest.mark.parametrize("env", [{"": "x"}, {"A=B": "x"}, {"A\0": "x"}, {"A": "x\0"}])
def test_what_no_process_could_be_given_is_a_fault(env: dict[str, str]) -> None:
    assert env_fault(env)
    assert env_fault({"A": "x=y", "B": ""}) is None
