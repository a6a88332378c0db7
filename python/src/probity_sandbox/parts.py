"""The folder in which a driver keeps the parts of a plan: what is played, what is missing, what was made of it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from .binary import find_binary
from .errors import ProbityError
from .part import FILES, LAST, End, Piece

#: The units of a part that has ended, as `probity plan --list --json` prints them.
UNITS = "units.jsonl"


class Stopped(ProbityError):
    """The run cannot go on; `exit` is the exit code that says why."""

    def __init__(self, exit: int, message: str, help: str | None = None) -> None:
        super().__init__("stopped", message, help)
        self.exit = exit


class Plan(NamedTuple):
    """A plan as it was read, once: whatever becomes of its file, this is played."""

    content: bytes
    #: What would stand in the `run.json` of its run.
    run: dict[str, Any]
    #: A file with all its units, each in a line of JSON: a name may hold any character.
    units: BinaryIO

    @staticmethod
    def read(path: Path, units: BinaryIO) -> Plan:
        """Lists its units into a file, as which `probity` checks it whole."""
        command = [str(find_binary().absolute()), "plan", "--json", "--list", str(path)]
        ended = subprocess.run(command, stdout=units, stderr=subprocess.PIPE, check=False)
        if code := exit_code(ended.returncode, "`probity plan --list`"):
            raise Stopped(code, ended.stderr.decode(errors="replace").removeprefix("error: ").strip())
        content = path.read_bytes()
        return Plan(content, json.loads(content)["run"], units)

    def has_run(self, out: Path) -> bool:
        """Whether its run is there, whole; refuses a place where it cannot be made."""
        try:
            own = json.loads((out / "run.json").read_bytes())
        except (OSError, ValueError, RecursionError):
            own = None
        if own == self.run:
            return (out / "report.html").exists()
        if not os.path.lexists(out):
            above = next(folder for folder in out.absolute().parents if os.path.lexists(folder))
            if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
                raise Stopped(2, f"`{out}` cannot be made in `{above}`", "choose another `--out`")
            return False
        is_begun = (out / "inputs").is_dir() and not (out / "run.json").exists()
        if not is_begun and (not out.is_dir() or any(out.iterdir())):
            raise Stopped(2, f"`{out}` exists already, and is no run of this plan", "choose another `--out`")
        return False


class Part(NamedTuple):
    """Units of a plan that one process plays."""

    units: bytes

    @property
    def name(self) -> str:
        return sha256(self.units).hexdigest()[:16]

    @property
    def size(self) -> int:
        return self.units.count(b"\n")


class Parts:
    """All parts of a plan, in a folder below the hash of its file; nobody else drives them as long as this is there."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.plan = plan
        self.folder = folder / sha256(plan.content).hexdigest()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = open(self.folder / "lock", "wb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._lock.close()
            help = "wait for it, or give this one another folder with `--parts`"
            raise Stopped(3, f"another process has the parts in `{self.folder}`", help) from error
        (self.folder / "plan.json").write_bytes(plan.content)

    def __enter__(self) -> Parts:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    def ended(self) -> list[str]:
        """The names of those that are there whole."""
        lasts = self.folder.glob(f"{'[0-9a-f]' * 16}/{LAST}")
        return sorted(last.parent.name for last in lasts if read(last) is not None)

    def missing(self) -> Iterator[bytes]:
        """The units of the plan that no part has which was there when this was first asked."""
        played: set[bytes] = set()
        for name in self.ended():
            played.update((self.folder / name / UNITS).read_bytes().splitlines(keepends=True))
        self.plan.units.seek(0)
        yield from (line for line in self.plan.units if line not in played)

    def take(self, part: Part, said: Iterator[Piece | End]) -> End | None:
        """Writes down what a part gives back; it is there when all of it is on the disk, or not at all."""
        beside, end = self.folder / "taken.tmp", None
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir()
        put(beside / UNITS, part.units)
        for piece in said:
            if isinstance(piece, End):
                end = piece
            elif piece.name in FILES:
                put(beside / piece.name, piece.content)
            else:
                raise Stopped(2, f"`{piece.name}` is no file of a part")
        if end is not None and end.code == 0:
            shutil.rmtree(self.folder / part.name, ignore_errors=True)
            sync(beside)
            beside.rename(self.folder / part.name)
            sync(self.folder)
        return end

    def merge(self, out: Path, is_quiet: bool) -> int:
        """Makes the run and gives the exit code of `probity merge`, which is kept for whoever asks again."""
        command = [str(find_binary().absolute()), "merge", *(["--quiet"] if is_quiet else []), "--plan", "plan.json"]
        command += ["--out", str(out.absolute()), *self.ended()]
        code = exit_code(subprocess.run(command, cwd=self.folder, check=False).returncode, "`probity merge`")
        if self.plan.has_run(out):
            beside = self.folder / "merged.tmp"
            beside.unlink(missing_ok=True)
            put(beside, json.dumps({**self._merged(), str(out.absolute()): code}).encode())
            beside.replace(self.folder / "merged.json")
        return code

    def made(self, out: Path) -> int:
        """The exit code of the merge that made this run."""
        code = self._merged().get(str(out.absolute()))
        if not isinstance(code, int):
            help = "choose another `--out`, or the `--parts` that it was made of"
            raise Stopped(2, f"`{out}` is a run of this plan that was not made of the parts in `{self.folder}`", help)
        return code

    def _merged(self) -> dict[str, Any]:
        return read(self.folder / "merged.json") or {}


def exit_code(code: int, what: str) -> int:
    """The exit code of a program, unless a signal has ended it."""
    if code >= 0:
        return code
    help = "where memory is short, it wants a machine with more of it; the same command goes on"
    raise Stopped(3, f"{what} was ended by {signal.Signals(-code).name}", help)


def read(path: Path) -> dict[str, Any] | None:
    """The object that a file holds, if it does."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def put(path: Path, content: bytes) -> None:
    """Puts bytes at the end of a file, and onto the disk."""
    with open(path, "ab") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
