"""What is said in an episode: what the agent is told, what it says, what it hears, and what that was worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """A tool that the agent calls. The calls of one message are one batch."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool that the agent has; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    @classmethod
    def read(cls, tool: Mapping[str, Any]) -> Tool:
        """From the form that model providers take."""
        function = tool["function"]
        return cls(function["name"], function["description"], function["parameters"])

    def schema(self) -> dict[str, Any]:
        """In the form that model providers take."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}


@dataclass(frozen=True)
class Brief:
    """What the agent is told before an episode begins."""

    system: str
    tools: tuple[Tool, ...]
    #: What was read and written before, of a dialogue that does not begin at its beginning.
    history: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def read(cls, brief: Mapping[str, Any]) -> Brief:
        tools = tuple(Tool.read(tool) for tool in brief["tools"])
        return cls(brief["system"], tools, tuple(brief.get("history") or ()))


@dataclass(frozen=True)
class Heard:
    """What the agent hears: the user's words, or an observation for each call of its message."""

    user: str | None = None
    observations: tuple[Any, ...] | None = None
    #: What the agent is told beside the dialogue, in place of what it was told so before.
    context: str | None = None
    #: What counts as said so far, where the agent begins anew.
    history: tuple[Mapping[str, Any], ...] | None = None

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Heard | None:
        """From an answer of the protocol; None once the episode is over."""
        heard = answer["heard"]
        if heard is None:
            return None
        observations, history = heard.get("observations"), answer.get("history")
        return cls(
            heard.get("user"),
            None if observations is None else tuple(observations),
            answer.get("context"),
            None if history is None else tuple(history),
        )

    def as_json(self) -> dict[str, Any]:
        """In one object, without what there is not."""
        fields = {"user": self.user, "observations": self.observations}
        fields |= {"context": self.context, "history": self.history}
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True)
class Instance:
    """A task at a level of each setting: what can be opened."""

    task: str
    levels: Mapping[str, str]


@dataclass(frozen=True)
class Score:
    """What an episode that is over was worth."""

    #: The suite's first metric: in most 0 or 1, for success. None where the episode is not scored, which is never 0.
    reward: float | None
    #: All readings and findings. They name the oracle and the goal: keep them from the model.
    scores: Mapping[str, Any]
    #: The hash of the trace: the same moves have the same one, however they were made.
    digest: str
    end: str
    #: The episode as a line of a run's `episodes.jsonl`, if it was asked for.
    record: Mapping[str, Any] | None = None

    def value(self, metric: str) -> float | None:
        """What a metric is of this episode; None where it is not scored."""
        value = self.scores["metrics"][metric].get("value")
        return None if value is None else float(value)
