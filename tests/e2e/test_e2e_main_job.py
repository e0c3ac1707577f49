"""The main job with real processes: an agent asks, it is answered from outside, it goes on."""

import json
import time
from collections.abc import Iterator

import pytest
from tools.processes import Machine, machine, wait_for


@pytest.fixture(scope="module")
def desk() -> Iterator[Machine]:
    with machine() as built:
        yield built


def start(desk: Machine, prompt: str | None = None, name: str | None = None) -> str:
    """A practice agent; its terminal id."""
    named = ["--name", name] if name else []
    prompted = ["--prompt", prompt] if prompt else []
    started = desk.json("start", "practice", *named, *prompted)
    assert started["kind"] == "practice"
    return str(started["terminal_id"])


def screen(desk: Machine, terminal_id: str) -> str:
    return desk.run("read", terminal_id).stdout


def shows(desk: Machine, terminal_id: str, text: str) -> None:
    wait_for(lambda: text in screen(desk, terminal_id))


def test_an_approved_command_goes_on_and_cannot_be_approved_again(desk: Machine) -> None:
    terminal = start(desk, "ask rm -rf build")
    approval = desk.approval(of=terminal)
    assert (approval["command"], approval["body_complete"]) == ("rm -rf build", True)
    assert approval["options"] == ["approve", "approve_always", "deny"]
    assert "nonce" not in approval
    done = desk.run("decide", approval["approval_id"], "approve", "--json")
    assert (done.returncode, json.loads(done.stdout)["outcome"]) == (0, "applied")
    shows(desk, terminal, "Bash(rm -rf build)")
    again = desk.run("decide", approval["approval_id"], "approve")
    assert again.returncode == 1
    assert "desk (command line)" in again.stderr
    records = [json.loads(line) for line in desk.run("audit", "--json", "-n", "20").stdout.splitlines()]
    assert "approve: applied" in [each["result"][:16] for each in records if each["method"] == "approval.decide"]


def test_a_script_that_has_just_started_an_agent_sees_its_question(desk: Machine) -> None:
    terminal = start(desk, "ask rm -rf logs")
    assert [each["command"] for each in desk.approvals() if each["terminal_id"] == terminal] == ["rm -rf logs"]


def test_a_name_that_is_taken_leaves_no_shell_behind(desk: Machine) -> None:
    start(desk, name="collier")
    before = desk.json("host", "status")["panes"]
    refused = desk.run("start", "practice", "--name", "collier")
    assert (refused.returncode, refused.stderr) == (1, "collie: another agent is called collier\n")
    assert desk.json("host", "status")["panes"] == before


def test_a_denied_command_does_not_go_on(desk: Machine) -> None:
    terminal = start(desk, "ask rm -rf dist")
    done = desk.run("decide", desk.approval(of=terminal)["approval_id"], "deny")
    assert done.returncode == 0
    shows(desk, terminal, "Interrupted")
    assert "Bash(rm -rf dist)" not in screen(desk, terminal).replace("Not run", "")


def test_an_always_approved_command_is_not_asked_again(desk: Machine) -> None:
    terminal = start(desk, "ask git push")
    assert desk.run("decide", desk.approval(of=terminal)["approval_id"], "approve-always").returncode == 0
    shows(desk, terminal, "Done.")
    assert desk.run("prompt", terminal, "ask git push --force").returncode == 0
    shows(desk, terminal, "Bash(git push --force)")
    assert not [each for each in desk.approvals() if each["terminal_id"] == terminal]


def test_a_note_reaches_the_agent(desk: Machine) -> None:
    terminal = start(desk, "ask docker build .")
    done = desk.run("decide", desk.approval(of=terminal)["approval_id"], "deny", "--note", "use podman, not docker")
    assert (done.returncode, done.stderr) == (0, "")
    shows(desk, terminal, "use podman, not docker")


def test_a_question_is_answered_by_its_choice(desk: Machine) -> None:
    terminal = start(desk, "question")
    approval = desk.approval(of=terminal)
    assert approval["options"] == []
    chosen = approval["choices"][1]
    wrong = desk.run("decide", approval["approval_id"], "choose", "--choice", "9")
    assert (wrong.returncode, "still open" in wrong.stderr) == (1, True)
    assert desk.run("decide", approval["approval_id"], "choose", "--choice", str(chosen["index"])).returncode == 0
    shows(desk, terminal, chosen["label"])


def test_a_dialog_taller_than_the_screen_is_shown_as_cut_and_not_decidable(desk: Machine) -> None:
    lines = "\n".join(f"echo step-{number}" for number in range(60))
    terminal = start(desk, f"ask {lines}")
    approval = desk.approval(of=terminal)
    assert (approval["body_complete"], approval["options"]) == (False, [])
    assert approval["unreadable"]
    assert desk.run("decide", approval["approval_id"], "approve").returncode == 1
    assert desk.approval(of=terminal)["approval_id"] == approval["approval_id"]
    assert "Done." not in screen(desk, terminal)
    assert desk.run("keys", terminal, "esc").returncode == 0
    wait_for(lambda: not [each for each in desk.approvals() if each["terminal_id"] == terminal])


def test_an_answer_given_in_the_agent_itself_takes_the_card_away(desk: Machine) -> None:
    terminal = start(desk, "ask make clean")
    approval = desk.approval(of=terminal)
    time.sleep(0.3)  # the agent ignores a confirming key for as long after it has drawn the dialog
    assert desk.run("keys", terminal, "enter").returncode == 0
    wait_for(lambda: not [each for each in desk.approvals() if each["terminal_id"] == terminal])
    late = desk.run("decide", approval["approval_id"], "approve", "--json")
    assert late.returncode == 1
    assert json.loads(late.stdout)["by"] == "terminal"


def test_two_deciders_at_once_give_one_answer_and_the_other_is_told_who(desk: Machine) -> None:
    terminal = start(desk, "ask make install")
    approval = desk.approval(of=terminal)
    deciders = [desk.begin("decide", approval["approval_id"], decision) for decision in ("approve", "deny")]
    ended = [(decider.wait(20), decider.communicate()) for decider in deciders]
    assert sorted(status for status, _ in ended) == [0, 1]
    refused = next(err for status, (_, err) in ended if status == 1)
    assert "already" in refused


def test_agents_are_found_by_name_and_closed(desk: Machine) -> None:
    terminal = start(desk, name="shepherd")
    assert desk.run("prompt", "shepherd", "say Good morning").returncode == 0
    shows(desk, "shepherd", "Good morning")
    assert desk.run("read", "nobody").returncode == 1
    assert desk.run("close", "shepherd").returncode == 0
    wait_for(lambda: terminal not in [each["terminal_id"] for each in desk.json("agents")["agents"]])


def test_a_prompt_to_an_agent_that_asks_is_refused_and_typed_nowhere(desk: Machine) -> None:
    terminal = start(desk, "ask make docs")
    desk.approval(of=terminal)
    refused = desk.run("prompt", terminal, "yes")
    assert refused.returncode == 1
    assert "blocked" in refused.stderr
    assert desk.approval(of=terminal)["command"] == "make docs"


def test_the_facts_of_a_live_screen_are_explained(desk: Machine) -> None:
    terminal = start(desk, "ask make lint")
    desk.approval(of=terminal)
    facts = desk.json("explain", terminal)
    assert (facts["state"], facts["dialog"]["command"]) == ("blocked", "make lint")
    assert "approve" in desk.run("explain", terminal).stdout


def test_status_counts_what_is_there(desk: Machine) -> None:
    status = desk.json("status")
    assert (status["running"], status["headless"], status["host"]["kind"]) == (True, True, "embedded")
    assert sum(status["agents"].values()) == len(desk.json("agents")["agents"])


def test_a_stopped_daemon_leaves_its_agents_running() -> None:
    with machine() as desk:
        start(desk, "work 600")
        stopped = desk.run("stop")
        assert (stopped.returncode, stopped.stdout.count("\n")) == (0, 1)
        assert desk.daemon is not None
        assert desk.daemon.wait(10) == 0
        assert desk.run("status").returncode == 1
        assert "ready" in desk.serve()
        wait_for(lambda: [each["status"] for each in desk.json("agents")["agents"]] == ["working"])
