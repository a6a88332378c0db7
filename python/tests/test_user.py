"""The user of a task alone, for whoever has a world of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import TASKS, program
from probity_sandbox import Environment, Refused, User
from probity_sandbox.binary import BINARY_VARIABLE


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


def test_a_user_with_a_server_of_its_own(stub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Environment] = []
    close = Environment.close

    def noted(environment: Environment) -> None:
        closed.append(environment)
        close(environment)

    monkeypatch.setattr(Environment, "close", noted)
    monkeypatch.setenv(BINARY_VARIABLE, str(stub))
    with User("contract", TASKS[1]) as user:
        assert user.words == "Hello" and not closed
    refusing = "import json\nid = json.loads(input())['id']\n"
    refusing += "print(json.dumps({'id': id, 'error': {'code': 'unknown_user', 'message': 'no'}}), flush=True)\ninput()"
    program(tmp_path, refusing)
    with pytest.raises(Refused, match="unknown_user"):
        User("nobody", TASKS[1])
    assert len(closed) == 2
