"""Rollouts as TRL's trainers see them: what TRL and transformers do with a class is done here as well.

The contract is that of TRL 1.16: methods are found by `inspect.getmembers(type(instance), inspect.isfunction)`, all
but `reset` and `get_reward` are tools unless they begin with `_`, and a tool is called with keywords. Where TRL is
installed, `test_trl_trainer.py` has a trainer of its own play.
"""

from __future__ import annotations

import inspect
import json
from typing import Any, get_type_hints

import pytest

from conftest import TASKS
from moves import moves, settings
from probity_sandbox import Environment, Tool
from probity_sandbox.trl import OVER, Rollout, environment_class, factories, rows

Record = dict[str, Any]


def tools(rollout: Rollout) -> dict[str, Any]:
    """As a trainer finds them."""
    members = [name for name, _ in inspect.getmembers(type(rollout), predicate=inspect.isfunction)]
    names = [name for name in members if name not in ("reset", "get_reward") and not name.startswith("_")]
    return {name: getattr(rollout, name) for name in names}


def test_methods_are_the_tools_of_the_task(environment: Environment) -> None:
    for task in TASKS:
        with environment.open(task) as episode:
            brief = episode.brief
        found = tools(environment_class(environment, task)())
        assert found.keys() == {tool.name for tool in brief.tools} | {"say_to_user"}
        for tool in brief.tools:
            method = found[tool.name]
            signature = inspect.signature(method)
            properties = tool.parameters.get("properties", {})
            assert set(signature.parameters) == set(properties) == get_type_hints(method).keys() - {"return"}
            required = {name for name, it in signature.parameters.items() if it.default is inspect.Parameter.empty}
            assert required == set(tool.parameters.get("required", ()))
            doc = inspect.getdoc(method)
            assert doc is not None and doc.startswith(" ".join(tool.description.split()))
            assert all(f"\n    {name}: " in doc for name in properties)


def test_transformers_makes_the_schemas(environment: Environment) -> None:
    utils = pytest.importorskip("transformers.utils", reason="transformers is not installed")
    first = {instance.task.rpartition("/")[0]: instance.task for instance in environment.instances()}
    assert len(first) == 16
    for task in first.values():
        rollout = environment_class(environment, task)()
        with environment.open(task) as episode:
            known = {tool.name: tool for tool in episode.brief.tools}
        for name, method in tools(rollout).items():
            function = utils.get_json_schema(method)["function"]
            assert function["name"] == name and function["description"]
            if name not in known:
                continue
            told, ours = function["parameters"], known[name].parameters
            assert told["properties"].keys() == ours.get("properties", {}).keys()
            assert set(told.get("required", ())) == set(ours.get("required", ()))
            for key, schema in ours.get("properties", {}).items():
                kind = schema.get("type") or ("integer" if isinstance(schema["enum"][0], int) else "string")
                assert told["properties"][key]["type"] == kind, (task, name, key)
                assert told["properties"][key].get("enum") == schema.get("enum")


def test_the_oracle_gets_its_reward(environment: Environment, records: list[Record]) -> None:
    classes = {task: environment_class(environment, task) for task in TASKS}
    instances = {task: cls() for task, cls in classes.items()}
    for record in records:
        opening = settings(record)
        rollout = instances[opening["task"]]
        # A row as a data set gives it: all keys of all rows, and some of nobody's business.
        told = rollout.reset(**opening | {"prompt": [{"role": "user", "content": ""}], "answer": None})
        first = next(event for event in record["trace"]["events"] if event["type"] == "user")["text"]
        assert told.endswith(first) and len(told) > len(first)
        for text, calls in moves(record):
            heard = rollout.say_to_user(text) if text is not None else None
            for call in calls:
                heard = getattr(rollout, call.tool)(**call.arguments)
                json.loads(heard)
        assert heard == OVER == rollout.say_to_user("Hello?")
        assert rollout.get_reward() == record["scores"]["metrics"]["sr"]["value"]
        assert rollout.episode is not None and rollout.episode.score().digest == record["digest"]


def test_a_rollout_that_stops_has_given_up(environment: Environment) -> None:
    rollout = environment_class(environment, TASKS[0])()
    assert rollout.get_reward() is None
    first = rollout.reset()
    assert rollout.get_reward() == 0.0 == rollout.get_reward()
    assert rollout.say_to_user("Hello?") == OVER
    assert rollout.reset() == first


def test_what_is_not_scored_is_none(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    from probity_sandbox import Score

    rollout = environment_class(environment, TASKS[0])()
    rollout.reset()
    score = Score(None, {}, "sha256:", "user_failed")
    monkeypatch.setattr("probity_sandbox.episode.Episode.score", lambda *_: score)
    assert rollout.get_reward() is None


def test_wrong_arguments_are_the_sandbox_s_to_refuse(environment: Environment) -> None:
    rollout: Any = environment_class(environment, TASKS[0])()
    rollout.reset()
    assert json.loads(rollout.find_guests(nickname="Bo"))["error"]["code"] == "invalid_arguments"


def test_rows_and_factories(environment: Environment) -> None:
    found = rows(environment, TASKS, trials=2, seed=5)
    assert len(found) == len(TASKS) * 7 * 2 and len({json.dumps(row) for row in found}) == len(found)
    classes = factories(environment, TASKS)
    for row in found[::6]:
        rollout = classes[row["environment"]]()
        words = rollout.reset(**{key: value for key, value in row.items() if key != "environment"})
        assert row["prompt"][0]["content"] not in words
        episode = rollout.episode
        assert episode is not None and episode.opening["seed"] == 5
        assert episode.opening["levels"] == json.loads(row["levels"])
        assert episode.brief.system == row["prompt"][0]["content"]
    with pytest.raises(ValueError, match="other tools"):
        classes["finance/bank"]().reset(task=TASKS[0])


def test_levels_as_an_object_with_the_keys_of_other_rows(environment: Environment) -> None:
    rollout = environment_class(environment, TASKS[0])()
    rollout.reset(levels={"variant": "goal_switching", "mode": None})
    assert rollout.episode is not None and rollout.episode.opening["levels"] == {"variant": "goal_switching"}


@pytest.mark.parametrize("name", ["reset", "say_to_user", "class", "_private", "a-b"])
def test_names_that_cannot_be_methods_are_refused(name: str, environment: Environment, monkeypatch: Any) -> None:
    monkeypatch.setattr(Tool, "read", lambda tool: Tool(name, "Does it.", {"type": "object"}))
    with pytest.raises(ValueError, match=name):
        environment_class(environment, TASKS[0])
