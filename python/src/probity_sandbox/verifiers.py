"""A taskset for verifiers (v1, 0.4): a rollout is an episode, whose tools its harness reaches over MCP.

One `probity serve --mcp-http` plays all rollouts of a process; each has the path `/e/NAME/mcp` of its own, where NAME is
the id of its trace. The user is spoken to by the tool `say_to_user`. verifiers finds the taskset by the name of this
package: `vf-eval probity-sandbox --env.taskset.tasks '["late_move"]'`.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextvars import ContextVar
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import verifiers.v1 as vf
from pydantic import Field

from .binary import find_binary, find_root
from .environment import Environment
from .errors import ProbityError, ServerDied
from .trl import words

#: Added to what an agent is told, as the server's own instructions have it.
SPEAK = (
    "You speak to the user by the tool `say_to_user` alone: what it returns is what they say next. When it returns that "
    "the dialogue is over, you are finished."
)
#: Where a harness finds nothing: nobody listens there.
NOWHERE = "http://127.0.0.1:9/"
#: Runs a program until the input ends, which it does when whoever started it is gone, killed or not; and ends with it.
WATCHED = 'exec 3<&0; "$@" 3<&- & p=$!; exec >&-; { read _ <&3; kill "$p"; } & r=$!; wait "$p"; kill "$r"'
#: What `vf-validate` calls the agent of its checks, which nobody plays.
VALIDATE = "validate"

_url: ContextVar[str] = ContextVar("probity_url", default=NOWHERE)
_doors: dict[str, Door] = {}
_opening = threading.Lock()


class NotScored(ProbityError):
    """An episode has no reward. verifiers records that of the rollout; its reward stays None and is never 0."""


class ProbityTaskConfig(vf.TaskConfig):
    """How episodes are played, wherever a rollout runs."""

    root: Path | None = None
    """The folder with `environments/`, `scripts/` and `tasks/`; where nothing is said, as `Environment` finds it."""
    suite: str | None = None
    """The benchmark that is played: `behaviour` unless another is named."""
    user: str | None = None
    """Who speaks for the user: `scripted` or `contract` in the behaviour suite."""
    seed: int = 0
    """The root seed of everything random."""
    max_messages: int | None = None
    """Most messages of the agent in an episode."""

    def environment(self) -> Environment:
        return Environment(root=self.root, suite=self.suite)

    def opening(self) -> dict[str, Any]:
        return {"user": self.user, "seed": self.seed, "max_messages": self.max_messages}

    def command(self, *words: str) -> list[str]:
        """The program with flags that say the same."""
        root = find_root() if self.root is None else self.root
        flags = {"--suite": self.suite, "--user": self.user, "--seed": self.seed, "--max-messages": self.max_messages}
        said = [str(word) for flag, value in flags.items() if value is not None for word in (flag, value)]
        return [str(find_binary()), *([] if root is None else ["--root", str(root)]), "--quiet", *words, *said]


class ProbityConfig(vf.TasksetConfig):
    """What is played: all there is, unless tasks are named, or levels that instances must have."""

    tasks: list[str] = Field(default_factory=list)
    levels: dict[str, str] = Field(default_factory=dict)
    task: ProbityTaskConfig = ProbityTaskConfig()


class ProbityData(vf.TaskData):
    """An instance: a task at some levels."""

    task: str
    levels: dict[str, str]


class Desk(vf.Toolset[vf.ToolsetConfig, vf.State]):
    """The server of an episode; it is there already, so that verifiers starts none."""

    # The tools are called as the task's rules call them.
    TOOL_PREFIX = None


class Door:
    """`probity serve --mcp-http` for all rollouts of this process that are played alike."""

    def __init__(self, config: ProbityTaskConfig) -> None:
        folder = Path(tempfile.mkdtemp(prefix="probity-"))
        said = tempfile.TemporaryFile()
        self._scores = folder / "scores.jsonl"
        command = config.command("serve", "--mcp-http", "127.0.0.1:0", "--score", str(self._scores))
        # In a session of its own, so that Ctrl-C stops the rollouts, and these can still be scored.
        process = subprocess.Popen(
            ["sh", "-c", WATCHED, "sh", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            start_new_session=True,
        )
        self._process = process
        self._shut = weakref.finalize(self, _shut, process, os.getpid(), folder)
        assert process.stdout is not None
        with process.stdout as lines:
            self._base = lines.readline().decode().partition("/e/NAME/mcp")[0].strip()
        with said:
            if not self._base:
                # It has written all once it has ended.
                self._shut()
                said.seek(0)
                raise ServerDied("server_died", said.read().decode(errors="replace").strip())
        self._reading = threading.Lock()
        self._read = 0
        self._names: set[str] = set()
        self._ended: dict[str, dict[str, Any]] = {}

    @staticmethod
    def of(config: ProbityTaskConfig) -> Door:
        """The one that plays so, which is opened if nobody has asked for it yet, or if it has ended."""
        key = json.dumps(config.command())
        with _opening:
            if key not in _doors or _doors[key]._process.poll() is not None:
                _doors[key] = Door(config)
            return _doors[key]

    def url(self, name: str, data: ProbityData) -> str:
        """Where the episode of a rollout is."""
        self._names.add(name)
        return f"{self._base}/e/{name}/mcp?{urlencode({'task': data.task, **data.levels}, safe='/', quote_via=quote)}"

    def leave(self, name: str) -> None:
        """What is not over by now has ended; of what is, and what nobody came to, there is nothing to leave."""
        if name not in self._names:
            raise ServerDied("server_died", "the server of this episode has ended, and another one took its place")
        self._names.discard(name)
        try:
            status = self._delete(name)
        except (OSError, HTTPException):
            # Once may be an accident; what was left by then is no longer open.
            try:
                status = self._delete(name)
            except (OSError, HTTPException) as error:
                raise ServerDied("server_died", f"the server of this episode does not answer: {error}") from error
        if status not in (204, 404):
            raise ProbityError("not_left", f"the episode could not be left: {status}")

    def _delete(self, name: str) -> int:
        place = urlsplit(self._base)
        assert place.hostname is not None
        connection = HTTPConnection(place.hostname, place.port, timeout=30)
        try:
            connection.request("DELETE", f"/e/{name}/mcp")
            return connection.getresponse().status
        finally:
            connection.close()

    def score(self, name: str) -> dict[str, Any] | None:
        """The line of an episode that is over; None where its agent said nothing."""
        with self._reading, open(self._scores, "rb") as lines:
            lines.seek(self._read)
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                self._read += len(line)
                scored = json.loads(line)
                self._ended[scored["episode"]] = scored
            return self._ended.pop(name, None)


def _shut(process: subprocess.Popen[bytes], pid: int, folder: Path) -> None:
    """Its input is closed, which ends it. A fork of this process leaves it alone."""
    if os.getpid() != pid:
        return
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
    shutil.rmtree(folder, ignore_errors=True)


class ProbityTask(vf.Task[ProbityData, vf.State, ProbityTaskConfig]):
    """An instance, played over MCP and scored by the sandbox."""

    @classmethod
    def toolsets(cls, config: ProbityTaskConfig) -> list[vf.Toolset]:
        """The episode of the rollout that is being set up in this context."""
        return [Desk(vf.ToolsetConfig(url=_url.get()))]

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Gives the rollout a path of its own."""
        if not runtime.is_local:
            help = "take a local runtime: `--env.agent.runtime.type subprocess`"
            raise ProbityError("not_local", "episodes are played on this machine, which the harness cannot reach", help)
        door = await asyncio.to_thread(Door.of, self.config)
        _url.set(door.url(trace.id, self.data))

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Ends what is not over, and keeps how it ended: `reward`, `end`, `digest` and the readings."""
        _url.set(NOWHERE)
        trace.info["probity"] = await asyncio.to_thread(self._ended, trace)

    def _ended(self, trace: vf.Trace) -> dict[str, Any]:
        door = Door.of(self.config)
        door.leave(trace.id)
        scored = door.score(trace.id)
        if scored is None:
            was_shown = any(tool.name.endswith("say_to_user") for tool in trace.tools)
            is_check = trace.agent.name == VALIDATE and not trace.agent.trainable
            if not trace.num_turns and not is_check:
                raise ProbityError("not_played", "the model was never asked")
            if trace.num_turns and not was_shown:
                raise ProbityError("not_played", "the model was never shown the tools of its episode")
            scored = self._given_up()
        metrics = (scored["scores"] or {}).get("metrics", {})
        readings = {name: metric["value"] for name, metric in metrics.items() if metric.get("value") is not None}
        return {key: scored[key] for key in ("reward", "end", "digest")} | {"readings": readings}

    def _given_up(self) -> dict[str, Any]:
        """What an agent gets that says nothing: the server takes that for a client that never began."""
        with self.config.environment() as environment:
            episode = environment.open(self.data.task, levels=self.data.levels, **self.config.opening())
            episode.give_up()
            score = episode.score()
            return {"reward": score.reward, "end": score.end, "digest": score.digest, "scores": score.scores}

    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """What the episode was scored."""
        ended = trace.info["probity"]
        if ended["reward"] is None:
            raise NotScored("not_scored", f"the episode has no reward; it ended as {ended['end']}")
        return float(ended["reward"])

    @vf.metric
    async def readings(self, trace: vf.Trace) -> dict[str, float]:
        """Each metric of the suite that was scored."""
        return {name: float(value) for name, value in trace.info["probity"]["readings"].items()}

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Whether the annotated solution succeeds; None where the suite has no success rate."""
        return await asyncio.to_thread(self._is_solved)

    def _is_solved(self) -> bool | None:
        levels = [word for name, level in self.data.levels.items() for word in ("--level", f"{name}={level}")]
        with tempfile.TemporaryDirectory(prefix="probity-") as folder:
            out = Path(folder) / "run"
            command = self.config.command("run", "--agent", "oracle", "--task", self.data.task, *levels)
            made = subprocess.run([*command, "--out", str(out)], capture_output=True, text=True, check=False)
            if made.returncode not in (0, 1):
                raise ProbityError("not_played", made.stderr.strip())
            with open(out / "episodes.jsonl", encoding="utf-8") as lines:
                metrics = [json.loads(line)["scores"]["metrics"] for line in lines]
        found = [metric["sr"].get("value") for metric in metrics if "sr" in metric]
        return all(value == 1 for value in found) if found else None


class ProbityTaskset(vf.Taskset[ProbityTask, ProbityConfig]):
    """The instances of a suite: their prompts are what the user says first."""

    def load(self) -> Iterator[ProbityTask]:
        config = self.config
        with config.task.environment() as environment:
            named = [instance for task in config.tasks or [None] for instance in environment.instances(task)]
            wanted = config.levels.items()
            found = [instance for instance in named if wanted <= instance.levels.items()]
            if not found:
                raise ValueError(f"nothing is played of {config.tasks or 'any task'} at {config.levels}")
            for instance in found:
                levels = dict(instance.levels)
                with environment.open(instance.task, levels=levels, **config.task.opening()) as episode:
                    brief, first = episode.brief, words(episode.heard)
                parts = [json.dumps(line, ensure_ascii=False) for line in brief.history]
                data = ProbityData(
                    name=" ".join([instance.task, *levels.values()]),
                    system_prompt=f"{brief.system}\n\n{SPEAK}",
                    prompt="\n\n".join([*parts, first]),
                    task=instance.task,
                    levels=levels,
                )
                yield ProbityTask(data, config.task)


__all__ = ["ProbityTaskset"]
