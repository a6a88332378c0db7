"""A driver of planned runs on a Ray cluster: `probity-ray run --plan PLAN.json --out RUN`, with
`pip install probity-sandbox[ray]` here and on every node (docs/MACHINES.md).

Ray only carries parts about. Which units there are, what is missing and what the run is says `probity`, so nothing of
the run hangs on nodes, tries or the order in which parts end.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from .errors import BinaryNotFound
from .part import End, play
from .parts import Part, Parts, Plan, Stopped

#: Units of one part at most, unless there were more parts than one command line names.
MOST_UNITS = 256
MOST_PARTS = 10_000
#: How often what is missing is played: a second time only what a merge misses although all was played.
ROUNDS = 2
#: Parts that may have been given up before no more are handed out.
MOST_GIVEN_UP = 3
#: The longest pause before a part is tried again, and how long stopped parts are waited for, in seconds.
LONGEST_PAUSE = 60.0
GRACE = 15.0
#: How long a part lasts at least, in seconds, where that can be told.
SHORTEST = 5.0
#: Seconds between two lines of progress where they cannot take each other's place.
SPARSE = 10.0


class Limits(NamedTuple):
    """What holds over all nodes: the episodes of a part at one time, the parts, and the pause after each."""

    jobs: int
    parts: int | None
    pause: float

    @staticmethod
    def of(plan: Plan, asked: argparse.Namespace) -> Limits:
        """A part asks for one thing at a time in each of its episodes, and no faster than its plan says. So as many run
        as together stay within the limits, and where one has run none begins before its last request has had its time.
        """
        providers = [plan.run.get("provider"), (plan.run.get("user_model") or {}).get("provider")]
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


class Progress:
    """What is said on standard error meanwhile: one line that is written over, or one now and then."""

    def __init__(self, units: int, is_quiet: bool) -> None:
        self._units, self._is_quiet = units, is_quiet
        self._is_terminal = sys.stderr.isatty()
        self._next = 0.0
        self._begun: tuple[float, int] | None = None
        self.again = 0

    def show(self, done: int, running: int) -> None:
        now = time.monotonic()
        since, before = self._begun = self._begun or (now, done)
        if self._is_quiet or now < self._next:
            return
        self._next = now + (1.0 if self._is_terminal else SPARSE)
        rate = (done - before) / max(now - since, 1.0)
        line = f"{done} of {self._units} units, {running} parts handed out, {self.again} tried again"
        line = f"{line}, {rate:.1f} units/s"
        sys.stderr.write(f"\r\x1b[K{line}" if self._is_terminal else f"{line}\n")
        sys.stderr.flush()

    def note(self, text: str) -> None:
        if not self._is_quiet:
            self.end()
            sys.stderr.write(f"note: {text}\n")

    def end(self) -> None:
        """Nothing may be written behind the line."""
        sys.stderr.write("\r\x1b[K" if self._is_terminal and not self._is_quiet else "")


class Driver:
    """Hands out parts to a cluster until all are played."""

    def __init__(self, plan: Plan, parts: Parts, asked: argparse.Namespace) -> None:
        self._plan, self._parts, self._asked = plan, parts, asked
        self._limits = Limits.of(plan, asked)
        unset = [name for name in asked.env if name not in os.environ]
        if unset:
            raise Stopped(2, f"`--env {unset[0]}`: there is no such variable here", "set it, or leave it to the nodes")
        self._variables = {name: os.environ[name] for name in asked.env}
        self._ray = connected(asked.address)
        options = {"num_returns": "streaming", "num_cpus": 1, "max_retries": 0, "scheduling_strategy": "SPREAD"}
        self._task = self._ray.remote(play).options(**options, _generator_backpressure_num_objects=4)
        self._content = self._ray.put(plan.content)
        self._running: dict[Any, Part] = {}
        #: Parts that are tried again, and places that are kept free, each with the time until which.
        self._waiting: list[tuple[float, Part]] = []
        self._resting: list[float] = []
        self._tries: dict[Path, int] = {}
        self._given_up = 0
        #: Units that no part has yet, and units that need no more playing.
        self._left = self._done = 0
        #: Units of parts that have ended, and the seconds of all these parts together.
        self._took = (0, 0.0)
        self._seen = (0.0, 0)
        self._progress = Progress(plan.units, asked.quiet)
        #: Parts that were handed out.
        self.tasks = 0

    def play(self) -> None:
        """Plays what the last merge has not found.

        Raises `Stopped` where that cannot be, or not now; what was played is kept.
        """
        begun = self._parts.open()
        self._left = sum(1 for _ in self._parts.missing(begun))
        self._done = self._plan.units - self._left - sum(part.count for part in begun)
        self._waiting = [(0.0, part) for part in begun]
        missing = self._parts.missing(begun)
        try:
            while self._running or self._waiting or (self._left and self._given_up < MOST_GIVEN_UP):
                while part := self._next(missing):
                    self._start(part)
                self._hear()
                done = self._done + sum(part.done for part in self._open())
                self._progress.show(done, len(self._running))
        except BaseException:
            self._cancel()
            raise
        finally:
            self._progress.end()
        if self._given_up:
            help = "mend what keeps them from being played; the same command goes on"
            raise Stopped(3, f"{self._given_up} parts were given up, each after {self._asked.tries} tries", help)

    def _open(self) -> list[Part]:
        return [*self._running.values(), *(part for _, part in self._waiting)]

    def _next(self, missing: Iterator[bytes]) -> Part | None:
        """The part that is handed out now, if there is one and a place for it."""
        now = time.monotonic()
        self._resting = [until for until in self._resting if until > now]
        places = self._places(now)
        if len(self._running) + len(self._resting) >= places:
            return None
        due = next((waiting for waiting in self._waiting if waiting[0] <= now), None)
        if due is not None:
            self._waiting.remove(due)
            return due[1]
        # Where all that is tried fails, nothing else is tried.
        if not self._left or self._given_up >= MOST_GIVEN_UP or len(self._waiting) >= places:
            return None
        part = self._parts.new(b"".join(islice(missing, self._length(places))))
        self._left -= part.count
        return part

    def _length(self, places: int) -> int:
        """Long lists first and short ones at last, so that all places end at about the same time; but as long as there
        is enough for all none so short that a part is over before it has begun.
        """
        units, seconds = self._took
        fair, short = -(-self._left // places), int(SHORTEST * units / max(seconds, 1.0))
        most = max(MOST_UNITS, self._plan.units // MOST_PARTS)
        return min(most, max(-(-fair // 2), min(fair, short)))

    def _places(self, now: float) -> int:
        """How many parts may run: one more than there are processors, so that none waits, and a cluster that can grow
        sees that it should.
        """
        if now >= self._seen[0]:
            self._seen = (now + 1.0, int(self._ray.cluster_resources().get("CPU", 0)) + 1)
        return min(self._seen[1], self._limits.parts or self._seen[1])

    def _start(self, part: Part) -> None:
        begun = [self._ray.put(piece) for piece in part.begun()]
        task = self._task.remote(self._content, part.units, self._limits.jobs, self._variables, *begun)
        self._running[task] = part
        part.since = time.monotonic()
        self.tasks += 1

    def _hear(self) -> None:
        """Takes the next thing that a part says, if one does within a second."""
        if not self._running:
            time.sleep(0.1)
            return
        for task in self._ray.wait(list(self._running), timeout=1.0)[0]:
            # Who was heard is heard last.
            part = self._running[task] = self._running.pop(task)
            try:
                said = self._ray.get(next(task))
            except (self._ray.exceptions.RayError, StopIteration) as error:
                self._lost(task, error)
                continue
            if not isinstance(said, End):
                part.take(said)
                continue
            self._rest(task)
            if said.code == 0:
                part.end(said.last)
                self._done += part.count
                self._took = (self._took[0] + part.count, self._took[1] + time.monotonic() - part.since)
            elif said.code in (1, 2):
                raise Stopped(said.code, f"part {part.folder.name} ended with {said.code}:\n{said.said}")
            else:
                self._again(part, f"it ended with {said.code}: {said.said}")

    def _lost(self, task: Any, error: Exception) -> None:
        """A task has said nothing at its end: its worker or its node is gone, or it could not even begin."""
        part = self._rest(task)
        exceptions = self._ray.exceptions
        # What was lost may be no more than what it said.
        with suppress(exceptions.RayError):
            self._ray.cancel(task)
        if isinstance(error, exceptions.RayTaskError) and not isinstance(error, exceptions.TaskCancelledError):
            help = "install `probity-sandbox` of one version on every node"
            raise Stopped(2, f"part {part.folder.name} could not be played: {error.cause!r}", help) from error
        self._again(part, f"it was lost when {part.done} were played: {type(error).__name__}")

    def _rest(self, task: Any) -> Part:
        """A task has ended; nobody takes its place before the provider may be asked again."""
        self._resting.append(time.monotonic() + self._limits.pause)
        return self._running.pop(task)

    def _again(self, part: Part, why: str) -> None:
        tries = self._tries[part.folder] = self._tries.get(part.folder, 0) + 1
        what = f"part {part.folder.name} of {part.count} units: {why}"
        if tries >= self._asked.tries:
            self._given_up += 1
            self._progress.note(f"{what}\n  given up after {tries} tries")
            return
        pause = min(2.0 ** (tries - 1), LONGEST_PAUSE)
        self._waiting.append((time.monotonic() + pause, part))
        self._progress.again += 1
        self._progress.note(f"{what}\n  try {tries + 1} of {self._asked.tries} in {pause:.0f} s")

    def _cancel(self) -> None:
        """Stops all parts; what they have sent by then is kept."""
        until = time.monotonic() + GRACE
        for task in self._running:
            # What is gone already is stopped.
            with suppress(self._ray.exceptions.RayError):
                self._ray.cancel(task)
        while self._running and time.monotonic() < until:
            for task in self._ray.wait(list(self._running), timeout=1.0)[0]:
                try:
                    said = self._ray.get(next(task))
                except (self._ray.exceptions.RayError, StopIteration):
                    del self._running[task]
                    continue
                if not isinstance(said, End):
                    self._running[task].take(said)


def connected(address: str | None) -> Any:
    """Ray, connected to a cluster."""
    try:
        import ray
    except ImportError as error:
        raise Stopped(2, f"Ray cannot be loaded: {error}", "pip install 'probity-sandbox[ray]'") from error
    if (address or os.environ.get("RAY_ADDRESS", "")).startswith("ray://"):
        help = "give it the address of the cluster's head, or submit it there: `ray job submit -- probity-ray run ..`"
        raise Stopped(2, "Ray's client cannot follow what tasks say meanwhile", help)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, TimeoutError, ValueError) as error:
        raise Stopped(3, f"Ray is not there: {error}", "`ray start --head` starts a cluster") from error
    # Ray has its own way to end; here what was played is taken first.
    signal.signal(signal.SIGTERM, interrupted)
    return ray


def interrupted(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def run(asked: argparse.Namespace) -> int:
    """Plays a plan and merges its parts; the exit code is that of `probity`."""
    plan = Plan.read(asked.plan)
    if plan.has_run(asked.out):
        note(asked, f"`{asked.out}` is the whole run of this plan already: nothing is played")
        return 0
    with Parts(asked.parts, plan) as parts:
        return made(plan, parts, asked)


def made(plan: Plan, parts: Parts, asked: argparse.Namespace) -> int:
    """Plays what is missing, and makes the run."""
    driver = None
    code = parts.merge(asked.out, asked.quiet)
    for _ in range(ROUNDS):
        if code is None:
            driver = driver or Driver(plan, parts, asked)
            driver.play()
            code = parts.merge(asked.out, asked.quiet)
    if code is None:
        sys.stdout.writelines(line.decode(errors="replace") for line in parts.missing([]))
        raise Stopped(1, "these units are missing, although all were played", f"look into `{parts.folder}`")
    if code != 2:
        note(asked, f"{driver.tasks if driver else 0} parts were played now; all are in `{parts.folder}`")
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
    add("--out", type=Path, required=True, metavar="RUN", help="the run directory; it must not exist yet")
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
        # As of a disk that is full.
        print(f"error: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        note(asked, "interrupted; the same command goes on")
        return 130


if __name__ == "__main__":
    sys.exit(main())
