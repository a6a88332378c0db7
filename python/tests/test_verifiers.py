"""Rollouts of verifiers: its own environment, interception, traces and scoring, with a model that follows a script."""

from __future__ import annotations

import asyncio
import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import script

pytest.importorskip("verifiers.v1", reason="verifiers is not installed")
pytestmark = pytest.mark.filterwarnings("default")

import verifiers.v1 as vf  # noqa: E402
from verifiers.v1.utils.loaders import load_environment, resolve_env_config  # noqa: E402

from probity_sandbox.errors import ProbityError, ServerDied  # noqa: E402
from probity_sandbox.verifiers import WATCHED, Door, ProbityTask, ProbityTaskset  # noqa: E402

Record = dict[str, Any]


def environment(record: Record) -> Any:
    """As `vf-eval` makes it of its flags."""
    header = record["trace"]["header"]
    taskset = {"id": "probity-sandbox", "tasks": [header["task"]], "levels": header["levels"], "task": {"seed": 3}}
    agent = {"harness": {"id": "verifiers_stub"}, "runtime": {"type": "subprocess"}}
    return load_environment(resolve_env_config({"taskset": taskset, "agent": agent}))


def rollouts(record: Record, provider: str, *models: str) -> list[Any]:
    """The traces of one rollout for each model, all at once."""
    own = environment(record)
    (task,) = own.taskset
    client = vf.EvalClientConfig(base_url=provider, api_key_var="NO_KEY")

    async def played() -> list[Any]:
        async with own.serving():
            slots = [(slot, model) for model in models for slot in own.slots(task)]
            run = (own.run_slot(slot, vf.ModelContext(model=model, client=client)) for slot, model in slots)
            return [episode.traces[0] for episode in await asyncio.gather(*run)]

    return asyncio.run(played())


def test_each_rollout_has_an_episode_of_its_own(oracle: Record, provider: str) -> None:
    traces = rollouts(oracle, provider, "oracle", "leaver", "oracle", "silent")
    assert [trace.errors for trace in traces] == [[]] * 4 and all(trace.ok for trace in traces)
    assert [trace.rewards["reward"].score for trace in traces] == [1.0, 0.0, 1.0, 0.0] == [t.reward for t in traces]
    ended = [trace.info["probity"] for trace in traces]
    assert [line["end"] for line in ended] == ["completed", "agent_failed", "completed", "agent_failed"]
    assert ended[0]["digest"] == oracle["digest"] == ended[2]["digest"] != ended[1]["digest"]
    assert len({line["digest"] for line in ended}) == 3
    assert traces[0].metrics["sr"] == 1.0
    # It was played through the model, by the tools of the task.
    assert traces[0].num_turns == len(script(oracle)) + 1 and traces[3].num_turns == 1
    assert any(tool.name == "say_to_user" for tool in traces[3].tools)
    first = next(event for event in oracle["trace"]["events"] if event["type"] == "user")["text"]
    assert traces[0].messages[1].content == first
    # What a trainer keeps tells nothing of the goal.
    assert set(ended[0]) == {"reward", "end", "digest", "readings"}


def test_what_is_not_scored_has_no_reward(oracle: Record, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line: Record = {"reward": None, "end": "user_failed", "digest": "sha256:", "scores": {"metrics": {"sr": {}}}}
    monkeypatch.setattr(Door, "score", lambda *_: line)
    (trace,) = rollouts(oracle, provider, "oracle")
    assert not trace.ok and trace.rewards == {"reward": None}
    assert trace.errors[-1].type == "TaskError" and "user_failed" in trace.errors[-1].message


def traced(task: ProbityTask, num_turns: int, agent: str = "agent") -> Any:
    """A rollout in which nobody came to its episode."""
    trace = SimpleNamespace(
        id="nobody", tools=[], num_turns=num_turns, agent=SimpleNamespace(name=agent, trainable=agent == "agent")
    )
    Door.of(task.config).url(trace.id, task.data)
    return trace


def test_a_model_that_saw_no_tools_or_was_not_asked_is_not_scored(oracle: Record) -> None:
    (task,) = environment(oracle).taskset
    with pytest.raises(ProbityError, match="never shown"):
        task._ended(traced(task, 1))
    with pytest.raises(ProbityError, match="never asked"):
        task._ended(traced(task, 0))
    # Nobody is asked in a check of `vf-validate` that an untouched task fails.
    assert task._ended(traced(task, 0, "validate"))["reward"] == 0.0


def test_a_door_that_has_ended_is_replaced_and_what_it_played_has_no_reward(oracle: Record) -> None:
    (task,) = environment(oracle).taskset
    trace = traced(task, 1)
    door = Door.of(task.config)
    assert Door.of(task.config) is door
    # The input's end ends it, as it does when this process is gone.
    stream = door._process.stdin
    assert stream is not None
    stream.close()
    assert door._process.wait(timeout=60) is not None
    with pytest.raises(ServerDied, match="does not answer"):
        door.leave(trace.id)
    again = Door.of(task.config)
    assert again is not door and again._base != door._base
    with pytest.raises(ServerDied, match="another one"):
        task._ended(trace)


def test_a_server_that_ends_by_itself_ends_its_door() -> None:
    watched = ["sh", "-c", WATCHED, "sh", "sh", "-c", "exit 3"]
    with subprocess.Popen(watched, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.wait(timeout=60) is not None


def test_the_taskset_holds_the_instances(oracle: Record) -> None:
    taskset = environment(oracle).taskset
    assert isinstance(taskset, ProbityTaskset)
    (task,) = taskset
    assert task.data.levels == oracle["trace"]["header"]["levels"] and "say_to_user" in task.data.system_prompt
    # Where a rollout runs, a task is made anew of what was sent there.
    again = ProbityTask(type(task.data).model_validate_json(task.data.model_dump_json()), task.config)
    assert again.key == task.key and asyncio.run(again.validate(None)) is True
    with pytest.raises(ProbityError, match="subprocess"):
        asyncio.run(task.setup(None, SimpleNamespace(is_local=False)))
    taskset.config.levels = {"variant": "nobody's"}
    with pytest.raises(ValueError, match="nothing is played"):
        list(taskset)


def test_a_door_that_does_not_open_says_why(oracle: Record) -> None:
    (task,) = environment(oracle).taskset
    with pytest.raises(ProbityError, match="there is no user `nobody`"):
        Door.of(task.config.model_copy(update={"user": "nobody"}))
