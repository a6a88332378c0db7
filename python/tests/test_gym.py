"""The Gymnasium environment, as its own checker sees it and as the oracle plays it."""

from __future__ import annotations

import json
import math
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from moves import moves, settings
from probity_sandbox import Call, Environment, Instance, Score
from probity_sandbox.gym import AnyText, ProbityEnv, message

Record = dict[str, Any]


def action(text: str | None, calls: list[Call]) -> str:
    made = [{"tool": call.tool, "arguments": call.arguments} for call in calls]
    return json.dumps(({} if text is None else {"text": text}) | ({"calls": made} if made else {}))


@pytest.mark.filterwarnings("ignore:.*render modes")
def test_the_checker_of_gymnasium_is_content(environment: Environment) -> None:
    check_env(ProbityEnv(environment))
    made = gymnasium.make("probity_sandbox.gym:Probity-v0", environment=environment)
    check_env(made.unwrapped)
    made.close()


def test_recorded_moves_have_the_recorded_digest_and_reward(environment: Environment, records: list[Record]) -> None:
    env = ProbityEnv(environment)
    for record in records:
        opening = settings(record)
        observation, info = env.reset(seed=opening.pop("seed"), options=opening)
        assert json.loads(observation)["user"] and info["reward"] is None and info["tools"] and info["system"]
        *before, last = moves(record)
        for text, calls in before:
            observation, reward, terminated, truncated, info = env.step(action(text, calls))
            assert observation in env.observation_space
            assert (reward, terminated, truncated, info["reward"]) == (0.0, False, False, None)
        # Words need no JSON around them.
        assert last[0] is not None and not last[1]
        observation, reward, terminated, truncated, info = env.step(last[0])
        assert (terminated, truncated, observation) == (True, False, "null")
        assert reward == info["reward"] == record["scores"]["metrics"]["sr"]["value"]
        assert info["digest"] == record["digest"] and info["not_scored"] is False
    env.close()


def test_what_is_not_scored_is_no_number(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    env = ProbityEnv(environment)
    env.reset()
    not_scored = Score(None, {"metrics": {}}, "sha256:", "user_failed")
    monkeypatch.setattr("probity_sandbox.episode.Episode.score", lambda *_: not_scored)
    env.episode.give_up()
    monkeypatch.setattr("probity_sandbox.episode.Episode.step", lambda *_: None)
    _, reward, terminated, truncated, info = env.step("Hello")
    assert math.isnan(reward) and (terminated, truncated) == (False, True)
    assert info["reward"] is None and info["not_scored"] is True


def test_seeds_choose_what_is_played(environment: Environment) -> None:
    def played(seed: int | None, env: ProbityEnv) -> list[Any]:
        infos = [env.reset(seed=seed)[1]] + [env.reset()[1] for _ in range(4)]
        return [(info["task"], info["levels"], info["seed"]) for info in infos]

    env = ProbityEnv(environment)
    unseeded = played(None, env)
    assert unseeded == played(0, ProbityEnv(environment)) and len(set(map(str, unseeded))) > 1
    assert played(1, env) == played(1, ProbityEnv(environment)) != unseeded
    assert env.reset(seed=7)[1]["seed"] == 7


def test_only_some_instances(environment: Environment) -> None:
    instance = Instance("finance/bank/mislaid_card", {"variant": "goal_switching"})
    env = ProbityEnv(environment, [instance], max_messages=1)
    _, info = env.reset()
    assert (info["task"], info["levels"]) == (instance.task, instance.levels)
    *_, terminated, truncated, info = env.step('{"calls": [{"tool": "no_such_tool"}]}')
    assert (terminated, truncated) == (True, False) and info["reward"] == 0.0 and info["end"] != "completed"


def test_shaped_rewards_add_up_to_the_scored_one(records: list[Record]) -> None:
    """With a discount of 1 what shaping adds cancels out, as the potential is 0 at both ends. This one has a server of
    its own."""
    env = ProbityEnv(shaping=1.0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("Hello")
    shaped = []
    for record in records:
        opening = settings(record)
        env.reset(seed=opening.pop("seed"), options=opening)
        rewards = [env.step(action(text, calls))[1] for text, calls in moves(record)]
        assert sum(rewards) == pytest.approx(record["scores"]["metrics"]["sr"]["value"])
        shaped.append(any(rewards[:-1]))
        assert env.episode.potential == 0.0
    oracle = [record["agent"] == "oracle" for record in records]
    assert all(is_shaped for is_shaped, is_oracle in zip(shaped, oracle, strict=True) if is_oracle)
    env.close()
    env.close()


def test_no_potential_is_no_shaping(environment: Environment) -> None:
    with pytest.raises(ValueError, match="without `shaping`"):
        ProbityEnv(environment, shaping=0.9).reset()
    with environment.open("finance/bank/mislaid_card") as episode:
        assert episode.potential is None


def test_options_that_are_none_are_refused(environment: Environment) -> None:
    env = ProbityEnv(environment)
    for options in ({"levels": {"variant": "ideal"}}, {"task": "finance/bank/mislaid_card", "mood": "good"}):
        with pytest.raises(ValueError, match="options are"):
            env.reset(options=options)
    assert env.reset(options={"trial": 2})[1]["trial"] == 2


def test_a_vector_of_environments(environment: Environment) -> None:
    """One in another process starts a server of its own; texts of any characters need `shared_memory=False`."""
    makers = [lambda: ProbityEnv(environment)] * 2
    in_turn = gymnasium.vector.SyncVectorEnv(makers)
    beside = gymnasium.vector.AsyncVectorEnv(makers[1:], shared_memory=False, context="spawn")
    told = []
    seeds: list[int | None] = [3, 4]
    for vector, seeds in ((in_turn, seeds), (beside, seeds[1:])):
        observations, infos = vector.reset(seed=seeds)
        stepped, rewards, *_ = vector.step(("Please wait.",) * len(seeds))
        told.append(list(zip(observations, infos["task"], stepped, rewards, strict=True)))
        vector.close()
    assert told[0][1:] == told[1] and told[0][0] != told[0][1]


def calls(argument: str) -> str:
    return f'{{"calls": [{{"tool": "find_customers", "arguments": {{"last_name": {argument}}}}}]}}'


@pytest.mark.parametrize(
    "wrong",
    [calls("1" + "0" * 400), calls("[" * 150 + "]" * 150), calls(r'"\ud800"'), "\ud800", "x" * 3_000_000],
    ids=["number", "lists", "surrogate in a call", "surrogate", "3 MB"],
)
def test_an_action_that_cannot_be_read_is_told_and_ends_nothing(wrong: str, environment: Environment) -> None:
    env = ProbityEnv(environment)
    env.reset(options={"task": "finance/bank/mislaid_card"})
    here = env.episode.heard
    observation, reward, terminated, truncated, info = env.step(wrong)
    told = json.loads(observation)["error"]
    assert told["code"] == "bad_request" == info["refused"] and told["message"]
    assert observation in env.observation_space and (reward, terminated, truncated) == (0.0, False, False)
    assert env.episode.heard == here and "observations" in json.loads(env.step(calls('"Lehmann"'))[0])
    env.close()


def test_the_space_of_actions_ends_where_requests_do(environment: Environment) -> None:
    env = ProbityEnv(environment, [Instance("finance/bank/mislaid_card", {})])
    assert "x" * 3_000_000 not in env.action_space
    longest = "x" * (1024 * 1024 - 1024)
    assert longest in env.action_space and longest + "x" not in env.action_space
    env.reset()
    # It goes into a request, and is too long for a message, which is the agent's own fault.
    *_, terminated, _, info = env.step(longest)
    assert terminated and info["end"] == "agent_failed"


@pytest.mark.parametrize(
    "words",
    ["Hello", "5", "[]", "{}", "null", '{"say": "x"}', '{"text": 5}', '{"calls": 5}', '{"calls": [{"tool_name": "x"}]}']
    + ['{"calls": [{"tool": "x", "arguments": [1]}]}', "[" * 100_000, '{"text": "x", "more": 1}']
    + [calls("NaN"), calls("-Infinity"), calls("1e999")],
)
def test_what_is_no_message_is_words(words: str) -> None:
    assert message(words) == (words, [])


def test_messages() -> None:
    assert message('{"text": "x"}') == ("x", [])
    assert message('{"calls": [{"tool": "t"}]}') == (None, [Call("t", {})])
    assert message('{"text": "x", "calls": [{"tool": "t", "arguments": {"a": [1]}}]}') == ("x", [Call("t", {"a": [1]})])


def test_texts_of_any_characters_are_in_the_spaces() -> None:
    space = AnyText(100, seed=1)
    assert "Zażółć \x00\U0001f600" in space and "" in space and 5 not in space
    samples = [space.sample() for _ in range(20)]
    assert samples == [AnyText(100, seed=1).sample()] + samples[1:] and all(sample in space for sample in samples)
