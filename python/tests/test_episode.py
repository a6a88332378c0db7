"""An episode over the protocol is the episode of a run: the same moves have the same digest."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from moves import heard, moves, opened, played
from probity_sandbox import Call, Environment, Refused

Record = dict[str, Any]


def test_recorded_moves_have_the_recorded_digest(environment: Environment, records: list[Record]) -> None:
    assert {record["agent"] for record in records} == {"oracle", "heuristic"}
    for record in records:
        with opened(environment, record) as episode:
            said = [episode.heard.user] if episode.heard else []
            for text, calls in moves(record):
                told = episode.step(text, calls)
                if calls and told is not None:
                    assert told.observations is not None and len(told.observations) == len(calls)
                elif told is not None:
                    said.append(told.user)
            score = episode.score(record=True)
        assert score.digest == record["digest"]
        assert score.reward == record["scores"]["metrics"]["sr"]["value"]
        assert score.record is not None and score.record["trace"] == record["trace"]
        assert episode.state_hash.removeprefix("sha256:") == record["trace"]["final_state"].removeprefix("sha256:")
        assert said == list(heard(record))
        assert episode.done and episode.heard is None and episode.end == score.end
    rewards = {record["scores"]["metrics"]["sr"]["value"] for record in records}
    assert rewards == {0.0, 1.0}


def test_observations_are_the_recorded_ones(environment: Environment, oracle: Record) -> None:
    steps = [event for event in oracle["trace"]["events"] if event["type"] == "step"]
    with opened(environment, oracle) as episode:
        for text, calls in moves(oracle):
            told = episode.step(text, calls)
            for call, observation in zip(calls, (told and told.observations) or (), strict=True):
                step = steps.pop(0)
                assert step["tool"] == call.tool
                assert step["outcome"]["observation"] == observation
    assert not steps


def test_a_fork_at_any_message_goes_on_by_itself(environment: Environment, oracle: Record) -> None:
    all = moves(oracle)
    with opened(environment, oracle) as episode:
        for at, (text, calls) in enumerate(all):
            here = episode.heard
            forks = episode.fork(2)
            assert [fork.heard for fork in forks] == [here, here]
            forks[0].give_up()
            assert played(forks[1], all[at:]).score().digest == oracle["digest"]
            assert episode.heard == here and not episode.done
            for fork in forks:
                fork.close()
            episode.step(text, calls)
        assert episode.score().digest == oracle["digest"]


def test_what_is_undone_never_was(environment: Environment, oracle: Record) -> None:
    with opened(environment, oracle) as episode:
        for text, calls in moves(oracle):
            here = episode.heard, episode.state_hash
            episode.step("That is not possible.")
            episode.call("no_such_tool") if not episode.done else None
            episode.undo(1 if episode.done else 2)
            assert (episode.heard, episode.state_hash) == here
            episode.step(text, calls)
        assert episode.score().digest == oracle["digest"]
        episode.undo()
        assert not episode.done and episode.end is None


def test_reset_begins_again(environment: Environment, oracle: Record) -> None:
    with opened(environment, oracle) as episode:
        first, id = episode.heard, episode.id
        episode.say("Wait.")
        assert episode.reset() == first and episode.id != id
        assert played(episode, moves(oracle)).score().digest == oracle["digest"]


def test_calls_of_a_message_are_one_batch(environment: Environment, oracle: Record) -> None:
    (_, first), (_, second) = moves(oracle)[:2]
    with opened(environment, oracle) as episode:
        told = episode.step("One moment.", [*first, *second, Call("no_such_tool", {})])
        assert told is not None and told.observations is not None and len(told.observations) == 3
        assert told.observations[2]["error"]["code"] == "unknown_tool"
        assert episode.undo(1) is not None


def test_errors_have_a_code_a_message_and_help(environment: Environment, oracle: Record) -> None:
    def refused(code: str, request: Any, *arguments: Any, **named: Any) -> Refused:
        with pytest.raises(Refused) as caught:
            request(*arguments, **named)
        assert caught.value.code == code and caught.value.message and code in str(caught.value)
        return caught.value

    task = oracle["trace"]["header"]["task"]
    assert refused("unknown_task", environment.open, "no/such/task").help
    refused("unknown_levels", environment.open, task, levels={"variant": "sleepy"})
    refused("unknown_user", environment.open, task, user="nobody")
    refused("unknown_option", environment.open, task, options={"mood": "good"})
    refused("bad_request", environment.ask, "dance", {})
    refused("bad_request", environment.open, task, seed=-1)
    with environment.open(task) as episode:
        refused("not_over", episode.score)
        refused("nothing_to_undo", episode.undo)
        here = episode.heard, episode.state_hash
        refused("too_many", episode.fork, 10_001)
        assert (episode.heard, episode.state_hash) == here
        episode.give_up()
        assert episode.done and episode.end == "agent_failed" and episode.detail
        refused("over", episode.say, "Hello?")
        assert episode.score().reward == 0.0
    refused("unknown_episode", episode.say, "Hello?")
    episode.close()


def test_a_value_that_is_no_json_is_never_sent(environment: Environment, oracle: Record) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with opened(environment, oracle) as episode:
        for value in (float("nan"), object(), "\ud800", deep, "x" * 1024 * 1024):
            with pytest.raises(Refused, match="bad_request"):
                episode.call("find_guests", last_name=value)
        assert played(episode, moves(oracle)).score().digest == oracle["digest"]


def test_any_characters_go_there_and_come_back(environment: Environment, oracle: Record) -> None:
    text = "Zażółć \u2028 \U0001f600 \"'\\ \x00 end"
    with opened(environment, oracle) as episode:
        episode.say(text)
        episode.give_up()
        record = episode.score(record=True).record
        assert record is not None
        assert [event["text"] for event in record["trace"]["events"] if event["type"] == "reply"] == [text]


def test_threads_share_a_server(environment: Environment, records: list[Record]) -> None:
    def play(record: Record) -> str:
        with opened(environment, record) as episode:
            return played(episode, moves(record)).score().digest

    with ThreadPoolExecutor(8) as threads:
        digests = list(threads.map(play, records * 3))
    assert digests == [record["digest"] for record in records] * 3


def test_instances_can_be_opened(environment: Environment) -> None:
    instances = environment.instances()
    of_one = environment.instances(instances[0].task)
    assert of_one == [instance for instance in instances if instance.task == instances[0].task]
    assert len(of_one) == 7 and len(instances) > 100
    for instance in of_one:
        with environment.open(instance.task, levels=instance.levels) as episode:
            assert episode.brief.tools and episode.brief.system and episode.heard is not None


def test_metrics_that_are_not_scored_have_no_value(environment: Environment, oracle: Record) -> None:
    with opened(environment, oracle) as episode:
        score = played(episode, moves(oracle)).score()
    assert score.value("sr") == 1.0
    for name, reading in score.scores["metrics"].items():
        assert (score.value(name) is None) == (reading["status"] == "not_scored")
    assert any(reading["status"] == "not_scored" for reading in score.scores["metrics"].values())


def test_what_is_told_beside_the_dialogue(of_suite: Callable[[str], Environment]) -> None:
    """A call for help whose agent is shown who calls, and a ticket of which a part was played before."""
    environment = of_suite("mm-tau")
    shown = (instance for instance in environment.instances() if instance.levels["exposure"] == "p2")
    instance = next(shown)
    with environment.open(instance.task, levels=instance.levels) as episode:
        contexts = [episode.heard.context] if episode.heard is not None else []
        while (heard := episode.step("I am afraid I cannot do that.")) is not None:
            contexts.append(heard.context)
            assert heard.as_json().get("context") == heard.context
    assert any(contexts)
    environment = of_suite("tickets")
    begun = [instance for instance in environment.instances() if instance.levels["mode"] == "single_turn"]
    episodes = [environment.open(instance.task, levels=instance.levels) for instance in begun[:20]]
    histories = [line for episode in episodes for line in episode.brief.history]
    assert histories and all(line.keys() in ({"heard"}, {"said"}) for line in histories)


@pytest.mark.parametrize("suite", ["tickets", "mm-tau"])
def test_other_suites(suite: str, of_suite: Callable[[str], Environment]) -> None:
    environment = of_suite(suite)
    for instance in environment.instances()[:5]:
        with environment.open(instance.task, levels=instance.levels) as episode:
            assert episode.heard is not None and episode.heard.user
            episode.say("I am afraid I cannot help you with that.")


def test_the_tools_of_an_environment_alone() -> None:
    with Environment(only="finance/bank") as environment:
        (instance,) = environment.instances()
        with environment.open(instance.task) as episode:
            assert isinstance(episode.call("find_customers", last_name="Lehmann"), list)
