"""An OpenEnv server (0.10): `python -m probity_sandbox.openenv`, with `pip install probity-sandbox[openenv]`.

All sessions share one process of the sandbox; each has an episode of its own. An observation never holds a score:
an episode that is over and scored has its reward, in most suites 0.0 or 1.0; one that is not scored has none (null),
and `not_scored` in its metadata. The Task API has one split, the suite, whose tasks are its instances.
"""

from __future__ import annotations

import argparse
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import uvicorn
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment as Interface
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import BaseModel, ConfigDict, Field

from .dialogue import Call
from .environment import Environment
from .episode import Episode
from .errors import ServerDied

if TYPE_CHECKING:
    from fastapi import FastAPI

#: The one split of the Task API.
SPLIT = "all"
#: Sessions at one time, unless more are asked for.
SESSIONS = 64


class SandboxCall(BaseModel):
    """A tool that the agent calls."""

    model_config = ConfigDict(extra="forbid")

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class SandboxAction(Action):
    """A message of the agent: words, calls, or both. Words alone end the turn."""

    text: str | None = None
    calls: list[SandboxCall] = Field(default_factory=list)


class SandboxObservation(Observation):
    """What the agent hears."""

    user: str | None = None
    observations: list[Any] | None = None
    context: str | None = None
    history: list[dict[str, Any]] | None = None


class SandboxBrief(SandboxObservation):
    """What the agent hears first, with what it is told before."""

    system: str = ""
    tools: list[dict[str, Any]] = Field(default_factory=list)


class SandboxState(State):
    """Which episode is played, and the hash of where its world stands."""

    task: str | None = None
    levels: dict[str, str] | None = None
    trial: int = 0
    seed: int = 0
    state_hash: str | None = None


Given = TypeVar("Given")


class Sandbox:
    """The process that all sessions share: one that has died is started anew for whoever begins an episode."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._renewing = threading.Lock()

    def ask(self, asked: Callable[[Environment], Given]) -> Given:
        """What the process gives, or the one after it."""
        environment = self._environment
        try:
            return asked(environment)
        except ServerDied as error:
            if error.code != "server_died":
                raise
        with self._renewing:
            if self._environment is environment:
                self._environment = environment.anew()
                environment.close()
        return asked(self._environment)


class SandboxEnvironment(Interface):
    """One session. `reset` takes a `task` with its `levels`, or the `index` of an instance; the first without
    either. After the process has died a step fails, and `reset` begins in another one."""

    SUPPORTS_CONCURRENT_SESSIONS: ClassVar[bool] = True

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__()
        self._sandbox = sandbox
        self._episode: Episode | None = None
        self._episode_id: str | None = None
        self._steps = 0

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
        task: str | None = None,
        levels: Mapping[str, str] | None = None,
        trial: int = 0,
        **kwargs: Any,
    ) -> SandboxBrief:
        if kwargs:
            raise ValueError(f"reset takes no `{min(kwargs)}`")
        if task is None:
            if levels is not None:
                raise ValueError("`levels` are those of a `task`, which is not named")
            instance = self.get_task(SPLIT if split is None else split, index or 0)
            task, levels = instance["task"], instance["levels"]
        elif split is not None or index is not None:
            raise ValueError("either a `task` or an `index` of a `split` is named, not both")
        named: dict[str, Any] = {"task": task, "levels": levels, "trial": trial, "seed": seed or 0}
        self.close()
        self._episode = episode = self._sandbox.ask(lambda environment: environment.open(**named))
        self._episode_id, self._steps = episode_id or episode.id, 0
        brief = episode.brief
        history = [dict(line) for line in brief.history] or None
        tools = [tool.schema() for tool in brief.tools]
        return SandboxBrief(**self._heard() | {"history": history}, system=brief.system, tools=tools)

    def step(self, action: SandboxAction, timeout_s: float | None = None, **kwargs: Any) -> SandboxObservation:
        if self._episode is None:
            raise ValueError("reset begins an episode")
        self._episode.step(action.text, [Call(call.tool, call.arguments) for call in action.calls])
        self._steps += 1
        if not self._episode.done:
            return SandboxObservation(**self._heard())
        score = self._episode.score()
        metadata = {"digest": score.digest, "end": score.end, "not_scored": score.reward is None}
        return SandboxObservation(done=True, reward=score.reward, metadata=metadata)

    def _heard(self) -> dict[str, Any]:
        heard = None if self._episode is None else self._episode.heard
        told = {} if heard is None else heard.as_json()
        return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}

    @property
    def state(self) -> SandboxState:
        if self._episode is None:
            return SandboxState(episode_id=self._episode_id, step_count=self._steps)
        opening = self._episode.opening
        told = {name: opening.get(name) for name in ("task", "levels", "trial", "seed")}
        told |= {"state_hash": self._episode.state_hash, "episode_id": self._episode_id, "step_count": self._steps}
        return SandboxState(**told)

    def get_metadata(self) -> EnvironmentMetadata:
        description = "Agents that use tools, against users who behave in one of seven ways; every episode replays"
        return EnvironmentMetadata(name="probity", description=description, version="0.1.0")

    def list_splits(self) -> list[str]:
        return [SPLIT]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        if split != SPLIT:
            raise ValueError(f"there is no split `{split}`, only `{SPLIT}`")
        instances = enumerate(self._sandbox.ask(Environment.instances))
        return [{"index": index, "task": each.task, "levels": dict(each.levels)} for index, each in instances]

    def num_tasks(self, split: str) -> int:
        return len(self.list_tasks(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        tasks = self.list_tasks(split)
        if not 0 <= index < len(tasks):
            raise IndexError(f"there are {len(tasks)} tasks, from 0")
        return tasks[index]

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        return self.list_tasks(split)[start:stop]

    def close(self) -> None:
        if self._episode is not None:
            self._episode.close()
            self._episode = None


def app(environment: Environment | None = None, sessions: int = SESSIONS) -> FastAPI:
    """The application, for any ASGI server."""
    sandbox = Sandbox(Environment() if environment is None else environment)
    return create_app(
        lambda: SandboxEnvironment(sandbox),
        SandboxAction,
        SandboxObservation,
        env_name="probity",
        max_concurrent_envs=sessions,
        state_cls=SandboxState,
        reset_observation_cls=SandboxBrief,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve the sandbox to OpenEnv clients")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--suite", help="the benchmark that is played")
    parser.add_argument("--sessions", type=int, default=SESSIONS, help="sessions at one time, at most")
    arguments = parser.parse_args()
    uvicorn.run(app(Environment(suite=arguments.suite), arguments.sessions), host=arguments.host, port=arguments.port)


if __name__ == "__main__":
    main()
