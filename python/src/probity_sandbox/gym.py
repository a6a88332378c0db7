"""An episode as a Gymnasium environment: `pip install probity-sandbox[gymnasium]`."""

from __future__ import annotations

import json
import math
import string
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NoReturn

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .dialogue import Brief, Call, Heard, Instance
from .environment import Environment
from .episode import Episode
from .errors import Refused
from .server import LONGEST_REQUEST

#: The longest observation, in characters: what an agent hears may be as long as an episode's events.
LONGEST_OBSERVATION = 16 * 1024 * 1024
#: The longest action, in characters: it has to go into one request, with what stands around it.
LONGEST_ACTION = LONGEST_REQUEST - 1024
#: The longest text that is sampled.
LONGEST_SAMPLE = 64

Mask = tuple[int | None, NDArray[Any] | None]


class AnyText(gymnasium.spaces.Text):
    """Texts of any characters; samples are short and printable."""

    def __init__(self, longest: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(longest, min_length=0, charset=string.printable, seed=seed)

    def sample(self, mask: Mask | None = None, probability: Mask | None = None) -> str:
        if mask is None and probability is None:
            mask = (int(self.np_random.integers(1, LONGEST_SAMPLE)), None)
        return super().sample(mask, probability)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


def _no_json(number: str) -> NoReturn:
    raise ValueError(f"`{number}` is no number of JSON")


def _number(number: str) -> float:
    """A number with a point or an exponent; none is endless."""
    value = float(number)
    return value if math.isfinite(value) else _no_json(number)


def message(action: str) -> tuple[str | None, list[Call]]:
    """What an action says: a JSON object with `text` or `calls` is that message, anything else is words."""
    try:
        fields = json.loads(action, parse_constant=_no_json, parse_float=_number)
        if not isinstance(fields, dict) or not fields or not fields.keys() <= {"text", "calls"}:
            return action, []
        text = fields.get("text")
        calls = [Call(call["tool"], dict(call.get("arguments") or {})) for call in fields.get("calls") or []]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return action, []
    return (text, calls) if text is None or isinstance(text, str) else (action, [])


class ProbityEnv(gymnasium.Env[str, str]):
    """Actions are the agent's messages, observations what it hears, both as the JSON texts of the protocol:
    `{"text": .., "calls": [{"tool", "arguments"}]}` and `{"user": ..}` or `{"observations": [..]}`. An action that is
    no such object is words for the user. What the sandbox cannot read (a request of more than 1 MiB, half a surrogate,
    a number out of all bounds, very deep lists) is told in the observation `{"error": {"code", "message"}}` and in
    `info["refused"]`: nothing has happened then, and the episode goes on. It does not count for `max_messages`. A
    message of more than 512 KiB ends the episode as the agent's own fault, as in a run.

    A step is worth 0.0 until the episode is over. Over and scored, it is worth the suite's first metric (most
    often success, 0.0 or 1.0) and is `terminated`. Over and **not scored** it is `truncated`, its reward is NaN, and
    `info["not_scored"]` is true: what was not scored has no number, and 0 would be one. `info["reward"]` is None
    until there is a reward.

    `reset(seed=7)` plays with the root seed 7; without a seed the next one is drawn, from 0 at first. An instance is
    drawn from `instances` (all of the suite unless some are given) or named by `options`: `task` and its `levels`.
    `trial` is an option as well.

    `shaping` is a discount γ, and takes an `Environment(shaping=True)`: each step is then worth γ · potential after −
    potential before on top, which changes no optimal policy. `info["reward"]` stays what was scored.
    """

    metadata = {"render_modes": []}

    def __init__(
        self,
        environment: Environment | None = None,
        instances: Sequence[Instance] | None = None,
        *,
        user: str | None = None,
        max_messages: int | None = None,
        shaping: float | None = None,
    ) -> None:
        self.action_space = AnyText(LONGEST_ACTION)
        self.observation_space = AnyText(LONGEST_OBSERVATION)
        self._own = Environment(shaping=shaping is not None) if environment is None else None
        served = environment or self._own
        assert served is not None
        self._environment = served
        self._instances = list(served.instances() if instances is None else instances)
        self._more: dict[str, Any] = {"user": user, "max_messages": max_messages}
        self._shaping = shaping
        self._is_seeded = False
        self._episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The episode that is played."""
        if self._episode is None:
            raise gymnasium.error.ResetNeeded("reset begins an episode")
        return self._episode

    @property
    def brief(self) -> Brief:
        """What the agent is told before it begins."""
        return self.episode.brief

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        if seed is None and not self._is_seeded:
            seed = 0
        super().reset(seed=seed)
        self._is_seeded = True
        options = options or {}
        if unknown := options.keys() - {"trial", *(("task", "levels") if "task" in options else ())}:
            raise ValueError(f"options are `trial`, and `task` with its `levels`, not `{min(unknown)}`")
        root_seed = int(self.np_random.integers(2**31)) if seed is None else seed
        if "task" in options:
            task, levels = options["task"], options.get("levels")
        else:
            drawn = self._instances[int(self.np_random.integers(len(self._instances)))]
            task, levels = drawn.task, drawn.levels
        if self._episode is not None:
            self._episode.close()
            self._episode = None
        trial = options.get("trial", 0)
        self._episode = self._environment.open(task, levels=levels, trial=trial, seed=root_seed, **self._more)
        self._potential()
        brief = self._episode.brief
        tools = [tool.schema() for tool in brief.tools]
        told = deepcopy({"system": brief.system, "tools": tools, "history": list(brief.history)})
        return self._observation(), self._info() | told

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        text, calls = message(action)
        before = self._potential()
        try:
            self.episode.step(text, calls)
        except Refused as refused:
            if refused.code != "bad_request":
                raise
            return self._refused(refused), self._shaped(before), False, False, self._info() | {"refused": refused.code}
        shaped = self._shaped(before)
        if not self.episode.done:
            return self._observation(), shaped, False, False, self._info()
        score = self.episode.score()
        told = {"digest": score.digest, "end": score.end, "reward": score.reward, "scores": score.scores}
        info = self._info() | told | {"not_scored": score.reward is None}
        if score.reward is None:
            return self._observation(), math.nan, False, True, info
        return self._observation(), score.reward + shaped, True, False, info

    def _potential(self) -> float:
        """How far the episode is; nothing where no reward is shaped."""
        if self._shaping is None:
            return 0.0
        if self.episode.potential is None:
            raise ValueError("there is no potential: the environment was made without `shaping`, or its suite has none")
        return self.episode.potential

    def _shaped(self, before: float) -> float:
        """What a step is worth by the potential."""
        return 0.0 if self._shaping is None else self._shaping * self._potential() - before

    @staticmethod
    def _refused(refused: Refused) -> str:
        """What the agent hears of an action that could not be read."""
        told = {"code": refused.code, "message": refused.message, "help": refused.help}
        return json.dumps({"error": {name: text for name, text in told.items() if text}}, ensure_ascii=False)

    def _observation(self) -> str:
        heard: Heard | None = self.episode.heard
        return json.dumps(None if heard is None else heard.as_json(), ensure_ascii=False)

    def _info(self) -> dict[str, Any]:
        episode = self.episode
        opening: Mapping[str, Any] = episode.opening
        told = {name: opening.get(name) for name in ("task", "levels", "trial", "seed")}
        return deepcopy(told) | {"state_hash": episode.state_hash, "reward": None}

    def close(self) -> None:
        if self._episode is not None:
            self._episode.close()
            self._episode = None
        if self._own is not None:
            self._own.close()


#: What `gymnasium.make("probity_sandbox.gym:Probity-v0")` makes.
gymnasium.register("Probity-v0", entry_point="probity_sandbox.gym:ProbityEnv")
