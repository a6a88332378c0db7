"""A sandbox: one process that plays as many episodes as are open."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from types import TracebackType
from typing import Any

from .binary import find_binary, find_root
from .dialogue import Instance
from .episode import Episode
from .server import Server

Path = str | os.PathLike[str]


class Environment:
    """Starts `probity serve --jsonl` and keeps it until it is closed. Any thread may use it.

    `root` is the folder with `environments/`, `scripts/` and `tasks/`, `suite` the benchmark that is played
    (`behaviour` unless another is named); `only`, the id of an environment, serves its tools without any task. Where
    nothing is said, `PROBITY_ROOT` and `PROBITY_BIN` count, then what was installed with this package.

    With `shaping`, which is for training alone, episodes have a `potential`. It shows what is wanted.
    """

    def __init__(
        self,
        *,
        root: Path | None = None,
        suite: str | None = None,
        only: str | None = None,
        shaping: bool = False,
        binary: Path | None = None,
    ) -> None:
        self._settings: dict[str, Any] = {"root": root, "suite": suite, "only": only, "binary": binary}
        self._settings["shaping"] = shaping
        root = find_root() if root is None else root
        command = [os.fspath(find_binary() if binary is None else binary), "serve", "--jsonl"]
        command += [] if only is None else [only]
        command += [] if root is None else ["--root", os.fspath(root)]
        command += [] if suite is None else ["--suite", suite]
        command += ["--shaping"] if shaping else []
        self._server = Server(command)

    @property
    def server_pid(self) -> int:
        """The number of the process behind it."""
        return self._server.pid

    def ask(self, request: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """One request of the protocol (docs/SERVE.md) and its answer."""
        return self._server.ask(request, dict(fields))

    def instances(self, task: str | None = None) -> list[Instance]:
        """All there is to play, or all there is of one task."""
        answer = self.ask("instances", {} if task is None else {"task": task})
        return [Instance(instance["task"], instance["levels"]) for instance in answer["instances"]]

    def open(
        self,
        task: str,
        *,
        levels: Mapping[str, str] | None = None,
        trial: int = 0,
        seed: int = 0,
        user: str | None = None,
        max_messages: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Episode:
        """Begins an episode of a task. Levels that are left out are the first that there is."""
        opening: dict[str, Any] = {"task": task, "trial": trial, "seed": seed}
        more = {"levels": levels, "user": user, "max_messages": max_messages, "options": options}
        opening |= {name: value for name, value in more.items() if value is not None}
        return Episode(self, opening)

    def anew(self) -> Environment:
        """Another one with the same settings, and without the episodes."""
        return Environment(**self._settings)

    def close(self) -> None:
        """Ends the process, and with it all episodes."""
        self._server.close()

    def __enter__(self) -> Environment:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[partial[Environment], tuple[()]]:
        """Another process that gets this starts a server of its own, without the episodes."""
        return partial(Environment, **self._settings), ()
