"""Classes for the `environment_factory` of TRL's trainers (1.16): public methods are the tools of a task.

TRL ends a rollout when the model calls nothing, and shows its last words to nobody. So the user is spoken to by a
tool, `say_to_user`, whose result is what they answer. TRL makes calls one by one: each is a message of its own.
"""

from __future__ import annotations

import inspect
import json
import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from .dialogue import Call, Heard, Tool
from .environment import Environment
from .episode import Episode

#: What a tool says once the episode is over.
OVER = "The conversation is over."
#: Names of methods that are no tools of a task.
TAKEN = ("reset", "get_reward", "say_to_user")
#: What rows of a data set may say of an episode, beside its task.
SETTINGS = ("levels", "trial", "seed", "user", "max_messages")

TYPES: Mapping[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "object": dict[str, Any]}


class Rollout:
    """What TRL makes one of for each rollout, and uses again. `environment_class` makes the classes with tools."""

    _environment: ClassVar[Environment]
    _tools: ClassVar[tuple[Tool, ...]]
    _task: ClassVar[str]

    def __init__(self) -> None:
        self._episode: Episode | None = None

    def reset(self, **row: Any) -> str:
        """Begins the episode that a row names by `task`, `levels`, `trial` and `seed`: the user's first words, after
        what the agent is told if no system message of the row's `prompt` tells it."""
        if self._episode is not None:
            self._episode.close()
            self._episode = None
        settings = {name: row[name] for name in SETTINGS if row.get(name) is not None}
        levels = settings.get("levels")
        if isinstance(levels, str):
            settings["levels"] = json.loads(levels)
        elif levels is not None:
            # Rows of a data set have all keys, the ones that others have as well.
            settings["levels"] = {name: level for name, level in levels.items() if level is not None}
        self._episode = episode = self._environment.open(row.get("task") or self._task, **settings)
        if episode.brief.tools != self._tools:
            raise ValueError(f"{episode.task} has other tools than {self._task}: use a class of its own")
        is_told = any(message["role"] == "system" for message in row.get("prompt") or ())
        parts = [] if is_told else [episode.brief.system]
        parts += [json.dumps(line, ensure_ascii=False) for line in episode.brief.history]
        return "\n\n".join([*parts, words(episode.heard)])

    def get_reward(self) -> float | None:
        """What the episode was scored; None, which TRL leaves out, where it is not scored. A rollout that
        stopped before its episode was over has given up."""
        if self._episode is None:
            return None
        if not self._episode.done:
            self._episode.give_up()
        return self._episode.score().reward

    def say_to_user(self, text: str) -> str:
        """Say something to the user and hear what they answer. Words outside of this tool reach nobody.

        Args:
            text: What the user is told.

        Returns:
            What the user answers.
        """
        return self._heard(lambda episode: episode.step(text))

    @property
    def episode(self) -> Episode | None:
        """The episode of this rollout; no tool, as it is no method."""
        return self._episode

    def _heard(self, step: Callable[[Episode], Heard | None]) -> str:
        if self._episode is None or self._episode.done:
            return OVER
        return words(step(self._episode))


def words(heard: Heard | None) -> str:
    """What is heard as one text: the user's words as they are, an observation as JSON."""
    if heard is None:
        return OVER
    parts = [] if heard.context is None else [heard.context]
    parts += [json.dumps(line, ensure_ascii=False) for line in heard.history or ()]
    parts += [] if heard.user is None else [heard.user]
    parts += [json.dumps(observation, ensure_ascii=False) for observation in heard.observations or ()]
    return "\n\n".join(parts)


def _annotation(schema: Mapping[str, Any]) -> Any:
    """The Python type of what a schema allows, as far as there is one."""
    kind = schema.get("type")
    if kind == "array":
        items = schema.get("items")
        return list[_annotation(items)] if isinstance(items, Mapping) else list[Any]  # type: ignore[misc]
    if isinstance(kind, str):
        return TYPES.get(kind, Any)
    kinds = {type(choice) for choice in schema.get("enum", ())}
    return kinds.pop() if len(kinds) == 1 else Any


def _line(text: str) -> str:
    return " ".join(text.split())


def _parameter(name: str, schema: Mapping[str, Any]) -> str:
    """A line of `Args`: what the schema says beyond the type stands in it, so that nothing is lost."""
    said = _line(str(schema.get("description", name.replace("_", " ")))).rstrip(".") + "."
    more = {key: value for key, value in schema.items() if key not in ("description", "type", "enum")}
    if more.get("items", {}).keys() == {"type"}:
        del more["items"]
    if more:
        said += f" JSON Schema: {json.dumps(more, ensure_ascii=False)}."
    choices = schema.get("enum")
    return f"    {name}: {said}" + (f" (choices: {json.dumps(choices, ensure_ascii=False)})" if choices else "")


def _method(tool: Tool) -> Callable[..., str]:
    """A method that calls a tool. Arguments that are not given stay away, wrong ones are the sandbox's to refuse."""
    properties: Mapping[str, Mapping[str, Any]] = tool.parameters.get("properties", {})
    required = tool.parameters.get("required", ())
    for name in (tool.name, *properties):
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_") or name == "self":
            raise ValueError(f"`{name}` of the tool `{tool.name}` cannot be a name in Python")

    def call(self: Rollout, **arguments: Any) -> str:
        # The first call of a message is the only one, so its observation is what is heard.
        return self._heard(lambda episode: episode.step(calls=[Call(tool.name, arguments)]))

    names = sorted(properties, key=lambda name: name not in required)
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name in names:
        default = inspect.Parameter.empty if name in required else None
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    annotations = {name: _annotation(properties[name]) for name in names} | {"return": str}
    call.__name__ = tool.name
    call.__qualname__ = f"Rollout.{tool.name}"
    call.__annotations__ = annotations
    typed = [parameter.replace(annotation=annotations.get(parameter.name, parameter.empty)) for parameter in parameters]
    call.__signature__ = inspect.Signature(typed, return_annotation=str)  # type: ignore[attr-defined]
    lines = [_line(tool.description), ""]
    if names:
        lines += ["Args:", *(_parameter(name, properties[name]) for name in names), ""]
    call.__doc__ = "\n".join([*lines, "Returns:", "    What came of the call, as JSON."])
    return call


def environment_class(environment: Environment, task: str) -> type[Rollout]:
    """A class for `environment_factory` with the tools of a task; rows may name any task that has the same tools."""
    with environment.open(task) as episode:
        tools = episode.brief.tools
    taken = [tool.name for tool in tools if tool.name in TAKEN]
    if taken:
        raise ValueError(f"{task}: a tool is called `{taken[0]}`, which is a method of every rollout")
    members: dict[str, Any] = {tool.name: _method(tool) for tool in tools}
    members |= {"_environment": environment, "_tools": tools, "_task": task, "__doc__": f"Rollouts of {task}."}
    name = "".join(word.capitalize() for word in re.findall("[A-Za-z0-9]+", _environment_of(task)))
    return type(f"{name}Rollout", (Rollout,), members)


def factories(environment: Environment, tasks: Sequence[str]) -> dict[str, type[Rollout]]:
    """A class for each environment of some tasks, by the name that `rows` gives it."""
    first = {_environment_of(task): task for task in reversed(tasks)}
    return {name: environment_class(environment, task) for name, task in first.items()}


def _environment_of(task: str) -> str:
    return task.rpartition("/")[0] or task


def rows(environment: Environment, tasks: Sequence[str], *, trials: int = 1, seed: int = 0) -> list[dict[str, Any]]:
    """Rows of a data set: each instance of some tasks in each trial, its prompt what the agent is told.

    The column `environment` chooses the class, where `factories` gives a trainer more than one.
    """
    found: list[dict[str, Any]] = []
    for task in tasks:
        for instance in environment.instances(task):
            with environment.open(instance.task, levels=instance.levels) as episode:
                system = episode.brief.system
            prompt = [{"role": "system", "content": system}, {"role": "user", "content": ""}]
            row: dict[str, Any] = {
                "prompt": prompt,
                "environment": _environment_of(instance.task),
                "task": instance.task,
            }
            row |= {"levels": json.dumps(instance.levels, sort_keys=True), "seed": seed}
            found += [row | {"trial": trial} for trial in range(trials)]
    return found
