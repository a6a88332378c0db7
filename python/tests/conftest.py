"""One sandbox for all tests, and what the oracle and a program without a model did in some tasks."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from probity_sandbox import Environment
from probity_sandbox.binary import find_binary, find_root

Record = dict[str, Any]

#: Tasks with several turns, refusals and lists as arguments, of three environments.
TASKS = ("travel_hospitality/front_desk/late_move", "finance/bank/mislaid_card", "e_commerce/marketplace/two_presents")


@pytest.fixture(scope="session")
def environment() -> Iterator[Environment]:
    with Environment() as environment:
        yield environment


def run(out: Path, *arguments: str) -> Path:
    """A run directory that the program made."""
    root = find_root()
    command = [str(find_binary()), *([] if root is None else ["--root", str(root)]), "run", "--quiet"]
    made = subprocess.run([*command, *arguments, "--out", str(out)], capture_output=True, text=True, check=False)
    assert made.returncode in (0, 1), made.stderr
    return out


@pytest.fixture(scope="session")
def run_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tasks = [word for task in TASKS for word in ("--task", task)]
    out = tmp_path_factory.mktemp("run") / "run"
    return run(out, "--agent", "oracle", "--agent", "heuristic", "--seed", "3", *tasks)


@pytest.fixture(scope="session")
def records(run_directory: Path) -> list[Record]:
    with open(run_directory / "episodes.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="session")
def oracle(records: list[Record]) -> Record:
    """What the oracle did in one task with a user who says what is wanted."""
    ideal = (record for record in records if record["factors"]["variant"] == "ideal")
    return next(record for record in ideal if (record["agent"], task_of(record)) == ("oracle", TASKS[0]))


def task_of(record: Record) -> str:
    return str(record["trace"]["header"]["task"])
