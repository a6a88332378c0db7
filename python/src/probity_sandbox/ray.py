"""A driver of planned runs on a Ray cluster: `probity-ray run --plan PLAN.json --out RUN`, with
`pip install probity-sandbox[ray]` here and on every node (docs/MACHINES.md).

Ray only carries parts about. Which units there are and what the run is says `probity`, so nothing of the run hangs on
nodes, tries or the order in which parts end.
"""

from __future__ import annotations

import argparse
import logging
import os
import pickle
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from .errors import BinaryNotFound
from .part import exit_of, play
from .parts import Part, Parts, Plan, Stopped

#: Units of one part at most, unless there were more parts than one command line of `probity merge` takes.
MOST_UNITS = 64
MOST_PARTS = 40_000
#: Parts that may be given up before all is stopped.
MOST_GIVEN_UP = 3
#: The longest pause before a part is tried again, and how long stopped parts are waited for, in seconds.
LONGEST_PAUSE = 60.0
GRACE = 15.0
#: Seconds between two lines of progress, and seconds without a word from any part after which that is said.
SPARSE = 10.0
SILENCE = 60.0
#: What says that nodes have another version of this package, or none.
UNLIKE = (ImportError, AttributeError, pickle.UnpicklingError)


class Limits(NamedTuple):
    """What holds over all nodes: the episodes of a part at one time, the parts, and the pause after each."""

    jobs: int
    parts: int | None
    pause: float

    @staticmethod
    def of(run: dict[str, Any], asked: argparse.Namespace) -> Limits:
        """A part asks for one thing at a time in each of its episodes, and no faster than its plan says. So as many run
        as together stay within the limits, and where one has run none begins before its last request has had its time.
        """
        providers = [run.get("provider"), (run.get("user_model") or {}).get("provider")]
        # One that is asked alike is one.
        asking = [p for at, p in enumerate(providers) if p and not p.get("cassette") and p not in providers[:at]]
        jobs = asked.jobs or max((provider["concurrency"] for provider in asking), default=1)
        jobs = min(jobs, asked.concurrency or jobs)
        most = [asked.concurrency // jobs] if asked.concurrency else []
        pause = 0.0
        if asked.requests_per_minute:
            rates = [provider.get("requests_per_minute") for provider in asking]
            rate = sum(filter(None, rates))
            if not asking or None in rates or rate > asked.requests_per_minute:
                least = f"`--requests-per-minute` {asked.requests_per_minute}"
                help = "`probity plan` with `--requests-per-minute M`: so many each part asks, and as many run as fit"
                raise Stopped(2, f"the plan has no rate for each of its providers that stays within {least}", help)
            most.append(asked.requests_per_minute // rate)
            pause = 60 / min(filter(None, rates))
        return Limits(jobs, min(most, default=None), pause)


class Driver:
    """Hands out parts to a cluster until all are played."""

    def __init__(self, ray: Any, parts: Parts, limits: Limits, asked: argparse.Namespace) -> None:
        self._ray, self._parts, self._limits, self._asked = ray, parts, limits, asked
        self._variables = {name: os.environ[name] for name in asked.env}
        options = {"num_returns": "streaming", "num_cpus": 1, "max_retries": 0, "scheduling_strategy": "SPREAD"}
        self._task = ray.remote(play).options(**options)
        self._content = ray.put(parts.plan.content)
        self._running: dict[Any, Part] = {}
        #: Parts that are tried again, each with the time from which.
        self._waiting: list[tuple[float, Part]] = []
        self._tries: Counter[Part] = Counter()
        self._given_up: list[str] = []
        #: Units that no part has yet, units to be played now and those that are, parts that there may still be.
        self._left = self._units = sum(1 for _ in parts.missing())
        self._done = 0
        self._room = MOST_PARTS - len(parts.ended())
        #: When somebody was heard, and when progress is told.
        self._heard = self._next_line = time.monotonic()
        #: Parts that were handed out.
        self.tasks = 0

    def play(self) -> None:
        """Plays what is missing.

        Raises `Stopped` where that cannot be, or not now; what had ended is kept.
        """
        missing = self._parts.missing()
        try:
            while self._running or self._waiting or self._left:
                # One more than there are processors, so that none waits and a cluster that can grow does.
                processors = int(self._ray.cluster_resources().get("CPU", 0))
                places = min(processors + 1, self._limits.parts or processors + 1)
                while len(self._running) < places and (part := self._next(places, missing)):
                    self._start(part)
                self._hear()
                self._tell(processors)
        except BaseException:
            self._cancel()
            raise
        self._give_up()

    def _next(self, places: int, missing: Iterator[bytes]) -> Part | None:
        """The part that is handed out now, if there is one."""
        due = next((waiting for waiting in self._waiting if waiting[0] <= time.monotonic()), None)
        if due is not None:
            self._waiting.remove(due)
            return due[1]
        # Where all that is tried fails, nothing else is tried.
        if not self._left or len(self._waiting) >= places:
            return None
        # Short ones at the end, so that all places end at about the same time; no shorter than is played at one time.
        short = min(MOST_UNITS, max(self._left // (2 * places), self._limits.jobs))
        part = Part(b"".join(islice(missing, max(short, -(-self._left // max(self._room, 1))))))
        self._left -= part.size
        self._room -= 1
        return part

    def _start(self, part: Part) -> None:
        jobs, _, pause = self._limits
        task = self._task.remote(self._content, part.units, jobs, pause, self._variables)
        self._running[task] = part
        self.tasks += 1

    def _hear(self) -> None:
        """Takes what one part gives back, if one has ended within a second."""
        if not self._running:
            time.sleep(0.1)
            return
        for task in self._ray.wait(list(self._running), timeout=1.0)[0]:
            self._heard, part, end = time.monotonic(), self._running.pop(task), None
            why = "it gave nothing back"
            try:
                end = self._parts.take(part, map(self._ray.get, task))
            except self._ray.exceptions.RayError as error:
                why = f"it was lost: {type(error).__name__}"
                cause = getattr(error, "cause", None)
                # Of what it cannot load, Ray's worker has words only.
                if isinstance(cause, UNLIKE) or "failed to import on the worker" in str(cause):
                    help = "install `probity-sandbox` of one version on every node"
                    raise Stopped(2, f"part {part.name} could not be played: {cause!r}", help) from error
                if cause is not None:
                    why = f"it failed: {cause!r}"
            if end is not None and end.code == 0:
                self._done += part.size
                continue
            if end is not None:
                why = f"on {end.node} it ended with {end.code}: {end.said}"
                if end.code in (1, 2):
                    raise Stopped(end.code, f"part {part.name}: {why}")
            self._again(part, why)

    def _again(self, part: Part, why: str) -> None:
        self._tries[part] += 1
        tries = self._tries[part]
        what = f"part {part.name} of {part.size} units: {why}"
        if tries >= self._asked.tries:
            self._given_up.append(what)
            if len(self._given_up) == MOST_GIVEN_UP:
                self._give_up()
            note(self._asked, f"{what}\n  given up after {tries} tries")
            return
        pause = min(2.0 ** (tries - 1), LONGEST_PAUSE)
        self._waiting.append((time.monotonic() + pause, part))
        note(self._asked, f"{what}\n  try {tries + 1} of {self._asked.tries} in {pause:.0f} s")

    def _give_up(self) -> None:
        if self._given_up:
            what = f"{len(self._given_up)} parts were given up, each after {self._asked.tries} tries, at last"
            help = "mend what keeps them from being played; the same command goes on"
            raise Stopped(3, f"{what} {self._given_up[-1]}", help)

    def _tell(self, processors: int) -> None:
        now, running = time.monotonic(), len(self._running)
        if running and now - self._heard > SILENCE:
            self._heard = now
            what = f"no part has ended for a minute, of {running} on a cluster of {processors} processors for tasks"
            note(self._asked, f"{what}; `ray status` says which of them wait for one")
        if now >= self._next_line:
            self._next_line = now + SPARSE
            what = f"{self._done} of {self._units} units, {running} parts handed out, {self._tries.total()} tried again"
            note(self._asked, what)

    def _cancel(self) -> None:
        """Stops all parts; what goes wrong in that says no more than what it is stopped for."""
        with suppress(self._ray.exceptions.RayError):
            for task in self._running:
                self._ray.cancel(task)
            self._ray.wait(list(self._running), num_returns=max(len(self._running), 1), timeout=GRACE)


def connected(address: str | None) -> Any:
    """Ray, connected to a cluster."""
    try:
        import ray
    except ImportError as error:
        raise Stopped(2, f"Ray cannot be loaded: {error}", "pip install 'probity-sandbox[ray]'") from error
    # Else any cluster would be taken that was ever started on this machine.
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    if address.startswith("ray://"):
        help = "run it on a node of the cluster, or submit it there: `ray job submit -- probity-ray run ..`"
        raise Stopped(2, "Ray's client cannot carry what tasks give back piece by piece", help)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except ValueError as error:
        raise Stopped(2, f"`{address}` is no address of a cluster: {error}", "give HOST:PORT of its head") from error
    except (ConnectionError, RuntimeError, TimeoutError, ray.exceptions.RayError) as error:
        raise Stopped(3, f"Ray is not there: {error}", "`ray start --head` starts a cluster") from error
    # Ray has its own way to end; here all parts are stopped first.
    signal.signal(signal.SIGTERM, interrupted)
    return ray


def interrupted(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def run(asked: argparse.Namespace) -> int:
    """Plays what is missing of a plan and merges its parts; the exit code is that of `probity merge`."""
    with tempfile.TemporaryFile() as units:
        plan = Plan.read(asked.plan, units)
        limits = Limits.of(plan.run, asked)
        plan.has_run(asked.out)
        unset = [name for name in asked.env if name not in os.environ]
        if unset:
            raise Stopped(2, f"`--env {unset[0]}`: there is no such variable here", "set it, or leave it to the nodes")
        with Parts(asked.parts, plan) as parts:
            if plan.has_run(asked.out):
                code, what = parts.made(asked.out), f"`{asked.out}` is the whole run of this plan already"
                note(asked, f"{what}, and its merge ended with {code}: nothing is played")
                return code
            tasks = 0
            if next(parts.missing(), None) is not None:
                ray = connected(asked.address)
                try:
                    driver = Driver(ray, parts, limits, asked)
                    driver.play()
                except ray.exceptions.RayError as error:
                    raise Stopped(3, f"the cluster does not answer: {error}", "the same command goes on") from error
                tasks = driver.tasks
            code = parts.merge(asked.out, asked.quiet)
            note(asked, f"{tasks} parts were played now; all are in `{parts.folder}`")
            return code


def note(asked: argparse.Namespace, text: str) -> None:
    if not asked.quiet:
        print(f"note: {text}", file=sys.stderr)


def number(text: str) -> int:
    found = int(text)
    if not 1 <= found <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{found} is not from 1 to 1000000")
    return found


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="probity-ray", description="Play a plan of `probity plan` on a Ray cluster.")
    commands = top.add_subparsers(dest="command", required=True)
    text = """Play what is missing of a plan, part by part on all nodes, and merge it. The same command goes on where
    one was stopped. Exit codes: 0 done, 1 what was played does not hold, 2 bad input, 3 what passes, 130 stopped."""
    add = commands.add_parser("run", help="play a plan and merge its parts", description=text).add_argument
    add("--plan", type=Path, required=True, metavar="PLAN.json", help="what `probity plan --out` wrote")
    add("--out", type=Path, required=True, metavar="RUN", help="the run directory that is made")
    help = "where parts are kept, on this machine [default: parts]"
    add("--parts", type=Path, default=Path("parts"), metavar="DIR", help=help)
    add("--address", metavar="HOST:PORT", help="the cluster [default: RAY_ADDRESS, or one that is started here]")
    help = "an environment variable that the nodes get from here; may be repeated"
    add("--env", action="append", default=[], metavar="NAME", help=help)
    help = "episodes that a part plays at the same time [default: the plan's --concurrency for models, else 1]"
    add("--jobs", type=number, metavar="N", help=help)
    add("--concurrency", type=number, metavar="N", help="episodes, and so requests, in flight on all nodes at most")
    help = "requests a minute on all nodes at most; the plan says how many of them a part may send"
    add("--requests-per-minute", type=number, metavar="N", help=help)
    add("--tries", type=number, default=5, metavar="N", help="how often a part is tried in all [default: 5]")
    add("-q", "--quiet", action="store_true", help="print results only: no progress, no notes")
    return top


def main(arguments: list[str] | None = None) -> int:
    asked = parser().parse_args(arguments)
    try:
        return run(asked)
    except Stopped as stopped:
        help = f"\n  help: {stopped.help}" if stopped.help else ""
        print(f"error: {stopped.message}{help}", file=sys.stderr)
        return stopped.exit
    except BinaryNotFound as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        code = exit_of(error)
        help = "the same command goes on when that has passed" if code == 3 else "mend it, or name another path"
        print(f"error: {error}\n  help: {help}", file=sys.stderr)
        return code
    except KeyboardInterrupt:
        note(asked, "interrupted; the same command goes on")
        return 130


if __name__ == "__main__":
    sys.exit(main())
