"""What an agent did in a recorded episode, to be done again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from probity_sandbox import Call, Environment, Episode

Move = tuple[str | None, list[Call]]


def moves(record: dict[str, Any]) -> list[Move]:
    """The messages of the agent, in order."""
    events = record["trace"]["events"]
    made = [event for event in events if event["type"] == "reply" or event.get("actor") == "agent"]
    return [move(list(group)) for _, group in groupby(made, key=lambda event: event["message"])]


def move(events: list[dict[str, Any]]) -> Move:
    texts = [event["text"] for event in events if event["type"] == "reply"]
    calls = [Call(event["tool"], event["arguments"]) for event in events if event["type"] == "step"]
    return (texts[0] if texts else None), calls


def settings(record: dict[str, Any], seed: int = 3) -> dict[str, Any]:
    """With what an episode was opened."""
    header = record["trace"]["header"]
    return {"task": header["task"], "levels": header["levels"], "trial": record["trial"], "seed": seed}


def opened(environment: Environment, record: dict[str, Any]) -> Episode:
    return environment.open(**settings(record))


def played(episode: Episode, moves: list[Move]) -> Episode:
    for text, calls in moves:
        episode.step(text, calls)
    return episode


def heard(record: dict[str, Any]) -> Iterator[str]:
    """The user's words, in order."""
    return (event["text"] for event in record["trace"]["events"] if event["type"] == "user")
