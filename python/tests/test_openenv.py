"""The OpenEnv server, asked by OpenEnv's own client and judged by its own validator."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from conftest import TASKS
from moves import Move, moves, settings
from probity_sandbox import Environment, Score, ServerDied

pytest.importorskip("openenv.core", reason="openenv is not installed")
pytestmark = pytest.mark.filterwarnings("default")

Record = dict[str, Any]


@pytest.fixture(scope="module")
def url(environment: Environment) -> Iterator[str]:
    import uvicorn

    from probity_sandbox.openenv import app

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app(environment), port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.started
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=30)


def action(move: Move) -> dict[str, Any]:
    text, calls = move
    return {"text": text, "calls": [{"tool": call.tool, "arguments": dict(call.arguments)} for call in calls]}


def play(url: str, record: Record) -> Any:
    from openenv.core.generic_client import GenericEnvClient

    with GenericEnvClient(base_url=url).sync() as client:
        begun = client.reset(**settings(record))
        assert begun.observation["system"] and begun.observation["tools"] and begun.observation["user"]
        assert begun.reward is None and not begun.done
        *before, last = moves(record)
        for number, made in enumerate(before, 1):
            result = client.step(action(made))
            assert result.reward is None and not result.done
            assert client.state()["step_count"] == number
        state = client.state()
        assert state["task"] == record["trace"]["header"]["task"] and state["state_hash"]
        return client.step(action(last))


def test_recorded_moves_have_the_recorded_digest_and_reward(url: str, records: list[Record]) -> None:
    with ThreadPoolExecutor(4) as threads:
        for record, result in zip(records, threads.map(lambda record: play(url, record), records), strict=True):
            assert result.done and result.reward == record["scores"]["metrics"]["sr"]["value"]
            assert result.metadata["digest"] == record["digest"]
            assert "scores" not in json.dumps([result.observation, result.metadata])


def test_what_is_not_scored_has_no_reward(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    from probity_sandbox.openenv import Sandbox, SandboxAction, SandboxEnvironment

    session = SandboxEnvironment(Sandbox(environment))
    session.reset()
    score = Score(None, {}, "sha256:", "user_failed")
    monkeypatch.setattr("probity_sandbox.episode.Episode.score", lambda *_: score)
    told = session.step(SandboxAction(text=""))
    assert told.done and told.reward is None and told.metadata["not_scored"] is True
    monkeypatch.undo()
    session.close()


def test_tasks_are_instances(environment: Environment, url: str) -> None:
    def asked(path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    (name,) = asked("/list_environments")
    name = name["name"] if isinstance(name, dict) else name
    assert [split["name"] for split in asked(f"/{name}/splits")] == ["all"]
    instances = environment.instances()
    assert asked(f"/{name}/num_tasks", {"split": "all"})["num_tasks"] == len(instances)
    task = asked(f"/{name}/task", {"split": "all", "index": 9})
    assert (instances[9].task, instances[9].levels) == (task["task"]["task"], task["task"]["levels"])


def test_errors_are_told(url: str) -> None:
    from openenv.core.generic_client import GenericEnvClient

    wrongs: list[tuple[dict[str, Any], str]] = [({"task": "no/such/task"}, "unknown_task"), ({"mood": "x"}, "`mood`")]
    for wrong, why in [*wrongs, ({"index": 10**6}, "there are"), ({"split": "test"}, "no split")]:
        with GenericEnvClient(base_url=url).sync() as client, pytest.raises(RuntimeError, match=why):
            client.reset(**wrong)


def test_a_server_that_died_is_started_anew_by_reset(stub: Path) -> None:
    from probity_sandbox.openenv import Sandbox, SandboxAction, SandboxEnvironment

    environment = Environment(binary=stub)
    sandbox = Sandbox(environment)
    sessions = [SandboxEnvironment(sandbox) for _ in range(3)]
    for session in sessions:
        session.reset(task=TASKS[0])
    os.kill(environment.server_pid, signal.SIGKILL)
    for session in sessions:
        with pytest.raises(ServerDied):
            session.step(SandboxAction(text="Hello?"))
    assert [session.reset(task=TASKS[0]).user for session in sessions] == ["Hello"] * 3
    anew = {sandbox.ask(lambda served: served.server_pid) for _ in sessions}
    assert len(anew) == 1 and anew != {environment.server_pid}
    assert sessions[0].step(SandboxAction(text="Hello?")).user == "Hello"
    sandbox.ask(Environment.close)
    with pytest.raises(ServerDied, match="closed"):
        sessions[0].reset(task=TASKS[0])


def test_what_contradicts_itself_is_refused(environment: Environment) -> None:
    from probity_sandbox.openenv import Sandbox, SandboxEnvironment

    session = SandboxEnvironment(Sandbox(environment))
    first = session.reset(task=TASKS[0]).user
    wrongs: list[dict[str, Any]] = [{"levels": {"variant": "ideal"}}, {"levels": {}, "index": 1}]
    wrongs += [{"task": TASKS[0], "index": 0}, {"task": TASKS[0], "split": "all"}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="task"):
            session.reset(**wrong)
    assert session._heard()["user"] == first
    session.close()


def test_the_validator_of_openenv_is_content(url: str) -> None:
    program = [sys.executable, "-m", "openenv.cli", "validate"]
    package = Path(__file__).parents[1] / "openenv_probity"
    for arguments in (["--url", url], [str(package), "--level", "static"]):
        ended = subprocess.run([*program, *arguments], capture_output=True, text=True, check=False)
        assert ended.returncode == 0 and "Verdict: PASS" in ended.stdout, ended.stdout + ended.stderr
