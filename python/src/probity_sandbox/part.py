"""A part of a plan where it is played: `probity run --plan` in a folder of its own, whose files are sent off as they
grow. Nothing here knows of Ray.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from .binary import find_binary
from .errors import BinaryNotFound

#: The files of a part that are sent while they grow, in this order: what makes a folder a part comes first.
FILES = ("run.json", "episodes.jsonl", "cassette.jsonl")
#: What says that all of its units are played.
LAST = "part.json"
#: Bytes that are sent at one time, and bytes of what the program said last.
PIECE = 4 << 20
SAID = 16 << 10
#: Seconds between two looks at the files, and seconds that the program has to stop in.
POLL = 0.2
GRACE = 10.0

#: Becomes the program, which is told to stop when the worker that started it is gone: a worker may be killed.
GUARD = """import os, signal, sys
try:
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
except (ImportError, AttributeError, OSError):
    pass  # No Linux.
if os.getppid() != int(sys.argv[1]):
    sys.exit(143)
os.execv(sys.argv[2], sys.argv[2:])
"""


class Piece(NamedTuple):
    """Bytes of a file of a part. What stood in it from `start` on is no more."""

    name: str
    start: int
    content: bytes


class End(NamedTuple):
    """How the program ended: its exit code, what it said last, its `part.json`."""

    code: int
    said: str
    last: bytes = b""


class Tail:
    """A file that grows, is cut, or is replaced by another one, and how much of it was sent."""

    def __init__(self, path: Path) -> None:
        """What stands there already was sent."""
        self._path = path
        self._file: BinaryIO | None = None
        self._start = path.stat().st_size if path.exists() else 0
        self._hash = sha256()
        if self._start:
            with open(path, "rb") as file:
                self._hash = hashed(file, self._start)

    def pieces(self, is_last: bool) -> Iterator[Piece]:
        """What was not sent yet; all of it where what was sent is not how the file begins."""
        if not self._path.exists():
            return
        # As long as it is held open, no other file can pass for it.
        if self._file is None or is_last or self._is_another(self._file):
            self._open()
        assert self._file is not None
        while content := self._file.read(PIECE):
            yield Piece(self._path.name, self._start, content)
            self._start += len(content)
            self._hash.update(content)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _is_another(self, file: BinaryIO) -> bool:
        own, there = os.fstat(file.fileno()), os.stat(self._path)
        return own.st_ino != there.st_ino or there.st_size < self._start

    def _open(self) -> None:
        self.close()
        self._file = open(self._path, "rb")
        if hashed(self._file, self._start).digest() != self._hash.digest():
            self._file.seek(0)
            self._start, self._hash = 0, sha256()


def hashed(file: BinaryIO, length: int) -> Any:
    """The hash of so many bytes from here, or of what there is."""
    found = sha256()
    while length and (content := file.read(min(length, PIECE))):
        found.update(content)
        length -= len(content)
    return found


def play(plan: bytes, units: bytes, jobs: int, variables: Mapping[str, str], *begun: Piece) -> Iterator[Piece | End]:
    """Plays the units of a list, from where another part of them was stopped, and sends what comes of it."""
    try:
        with tempfile.TemporaryDirectory(prefix="probity-part-", ignore_cleanup_errors=True) as folder:
            yield from _played(Path(folder), (plan, units, jobs), variables, begun)
    except BinaryNotFound as error:
        yield End(2, f"error: {error}")
    except OSError as error:
        # As of a disk that is full: elsewhere, or later, it may be done.
        yield End(3, f"error: {error}")


def _played(
    folder: Path, given: tuple[bytes, bytes, int], variables: Mapping[str, str], begun: tuple[Piece, ...]
) -> Iterator[Piece | End]:
    plan, units, part = (folder / name for name in ("plan.json", "units.txt", "part"))
    plan.write_bytes(given[0])
    units.write_bytes(given[1])
    if begun:
        part.mkdir()
        (part / "episodes.jsonl").touch()
    for piece in begun:
        with open(part / piece.name, "ab") as file:
            file.write(piece.content)
    tails = [Tail(part / name) for name in FILES]
    guard = [sys.executable, "-I", "-S", "-c", GUARD, str(os.getpid())]
    environment = {**os.environ, **variables}
    command = [find_binary(environment), "run", "--jobs", str(given[2])]
    command += ["--plan", plan, "--units", units, "--out", part]
    with open(folder / "said.txt", "w+b") as said:
        process = subprocess.Popen(
            [*guard, *map(str, command)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env=environment,
        )
        try:
            code = None
            while code is None:
                code = process.poll()
                for tail in tails:
                    yield from tail.pieces(code is not None)
                if code is None:
                    time.sleep(POLL)
        finally:
            _stop(process)
            for tail in tails:
                tail.close()
        said.seek(max(0, said.seek(0, os.SEEK_END) - SAID))
        last = (part / LAST).read_bytes() if code == 0 else b""
        yield End(code, said.read().decode(errors="replace").strip(), last)


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
