"""The folder in which a driver keeps the parts of a plan: what is played, what was stopped, what is missing."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from .binary import find_binary
from .errors import ProbityError
from .part import FILES, LAST, PIECE, Piece

#: A file of a part whose lines are played units, and a listed unit.
EPISODES = "episodes.jsonl"
UNIT = re.compile(rb".+ #[0-9]+\n")


class Stopped(ProbityError):
    """The run cannot go on; `exit` is the exit code that says why."""

    def __init__(self, exit: int, message: str, help: str | None = None) -> None:
        super().__init__("stopped", message, help)
        self.exit = exit


class Plan(NamedTuple):
    """A plan as it was read, once: whatever becomes of its file, this is played."""

    content: bytes
    digest: str
    units: int
    run: dict[str, Any]

    @staticmethod
    def read(path: Path) -> Plan:
        """What is needed of it here; `probity plan --list` checks it whole."""
        try:
            content = path.read_bytes()
            plan = json.loads(content)
            digest, units, run = plan["digest"], plan["units"], plan["run"]
            found = re.fullmatch(r"sha256:([0-9a-f]{64})", digest)
            if found is None or not isinstance(units, int) or not isinstance(run, dict):
                raise ValueError("its digest, units or run are none")
        except OSError as error:
            raise Stopped(2, str(error), "`probity plan --out PLAN.json` writes a plan") from error
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise Stopped(2, f"`{path}` is no plan: {error}", "`probity plan --out PLAN.json` writes one") from error
        return Plan(content, found[1], units, run)

    def has_run(self, out: Path) -> bool:
        """Whether its run is there, whole; a directory that holds anything else is refused."""
        try:
            own = json.loads((out / "run.json").read_bytes())
        except (OSError, ValueError, RecursionError):
            own = None
        is_begun = (out / "inputs").is_dir() and not (out / "run.json").exists()
        if own == self.run or is_begun or not out.exists() or (out.is_dir() and not any(out.iterdir())):
            return own == self.run and (out / "report.html").exists()
        raise Stopped(2, f"`{out}` exists already, and is no run of this plan", "choose another `--out`")


class Part:
    """Units of a plan that one process plays, and the folder that their files come to."""

    def __init__(self, folder: Path, units: bytes) -> None:
        self.folder = folder
        self.units = units
        self.count = units.count(b"\n")
        #: When it was handed out.
        self.since = 0.0
        #: How many are played.
        self.done = sum(piece.content.count(b"\n") for piece in self.begun() if piece.name == EPISODES)

    def begun(self) -> Iterator[Piece]:
        """What there is of it, to go on from; nothing without a whole `run.json`, which came first."""
        try:
            json.loads((self.folder / FILES[0]).read_bytes())
        except (FileNotFoundError, ValueError):
            return
        for path in (self.folder / name for name in FILES if (self.folder / name).exists()):
            with open(path, "rb") as file:
                while content := file.read(PIECE):
                    yield Piece(path.name, file.tell() - len(content), content)

    def take(self, piece: Piece) -> None:
        """Writes a piece down."""
        if piece.name not in FILES:
            raise Stopped(2, f"`{piece.name}` is no file of a part")
        self.folder.mkdir(exist_ok=True)
        with open(os.open(self.folder / piece.name, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
            file.truncate(piece.start)
            file.seek(piece.start)
            file.write(piece.content)
        if piece.name == EPISODES:
            self.done = (self.done if piece.start else 0) + piece.content.count(b"\n")

    def end(self, last: bytes) -> None:
        """All of it is there: what says so is written when everything else is on the disk."""
        for name in FILES:
            if (self.folder / name).exists():
                with open(self.folder / name, "rb") as file:
                    os.fsync(file.fileno())
        write(self.folder / LAST, last)
        self.done = self.count


def write(path: Path, content: bytes) -> None:
    """Writes a file whole, or not at all."""
    beside = path.with_name(f"{path.name}.tmp")
    beside.write_bytes(content)
    beside.replace(path)


class Parts:
    """All parts of a plan, in `DIR/DIGEST`; nobody else drives them as long as this is there."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder / plan.digest
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = open(self.folder / "lock", "wb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._lock.close()
            help = "wait for it, or give this one another folder with `--parts`"
            raise Stopped(3, f"another process has the parts in `{self.folder}`", help) from error
        write(self.folder / "plan.json", plan.content)
        self._missing = self.folder / "missing.txt"

    def __enter__(self) -> Parts:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    def open(self) -> list[Part]:
        """Those that were begun and not ended, in the order of their names."""
        lists = [units for units in self.folder.glob("*.units") if not (units.with_suffix("") / LAST).exists()]
        return [Part(units.with_suffix(""), units.read_bytes()) for units in sorted(lists)]

    def merge(self, out: Path, is_quiet: bool) -> int | None:
        """Makes the run of the parts that have ended, prints its report, and gives the exit code of that; None where
        units are missing.
        """
        found = sorted(last.parent.name for last in self.folder.glob(f"*/{LAST}"))
        command = ["plan", "--list", "plan.json"]
        if found:
            command = ["merge", *(["--quiet"] if is_quiet else []), "--plan", "plan.json", "--out", str(out.absolute())]
        command = [str(find_binary().absolute()), *command, *found]
        with open(self._missing, "w+b") as printed:
            ended = subprocess.run(command, cwd=self.folder, stdout=printed, stderr=subprocess.PIPE, check=False)
            printed.seek(0)
            if ended.returncode == int(bool(found)) and UNIT.fullmatch(printed.readline()):
                return None
            printed.seek(0)
            sys.stdout.write(printed.read().decode(errors="replace"))
        sys.stdout.flush()
        sys.stderr.write(ended.stderr.decode(errors="replace"))
        return ended.returncode

    def missing(self, begun: list[Part]) -> Iterator[bytes]:
        """The units that the last merge has not found, without those of parts that were begun."""
        others = {named(line) for part in begun for line in BytesIO(part.units)}
        with open(self._missing, "rb") as lines:
            yield from (line for line in lines if named(line) not in others)

    def new(self, units: bytes) -> Part:
        """A part of these units, of which nothing is played."""
        folder = self.folder / sha256(units).hexdigest()[:16]
        shutil.rmtree(folder, ignore_errors=True)
        write(folder.with_suffix(".units"), units)
        return Part(folder, units)


def named(line: bytes) -> bytes:
    """The name of a listed unit, without its key."""
    return line.split(b" ", 1)[1] if line.startswith(b"sha256:") else line
