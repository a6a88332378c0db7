"""The user of a task alone, for whoever has a world of their own."""

from __future__ import annotations

import pytest

from conftest import TASKS
from probity_sandbox import Environment, Refused, User


def test_a_contract_user_answers_from_the_facts(environment: Environment) -> None:
    with User("contract", TASKS[0], environment=environment) as user:
        assert user.words is not None and "Okafor" in user.words
        answer = user.reply("What is your first name?")
        assert answer is not None and "Ines" in answer and user.end is None


def test_a_user_ends_the_dialogue(environment: Environment) -> None:
    for kind in ("scripted", "contract"):
        with User(kind, TASKS[0], environment=environment, levels={"variant": "underspecification"}) as user:
            heard = [user.words]
            while (words := user.reply("I am afraid that is not possible.")) is not None:
                heard.append(words)
            assert all(heard) and user.words is None and user.end == "completed"


def test_a_user_with_a_server_of_its_own() -> None:
    with User("contract", TASKS[1]) as user:
        assert user.words
    with pytest.raises(Refused, match="unknown_user"):
        User("nobody", TASKS[1])
