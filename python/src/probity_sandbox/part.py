"""A part of a plan where it is played: `probity run --plan` in a folder of its own, whose files are given back whole
when it has ended. Nothing here knows of Ray.
"""

from __future__ import annotations

import errno
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from .binary import find_binary
from .errors import BinaryNotFound

#: What says that all units of a part are played, and all files that it has for a merge.
LAST = "part.json"
FILES = ("run.json", "episodes.jsonl", "cassette.jsonl", LAST)
#: Bytes that are sent at one time, and bytes of what the program said last.
PIECE = 4 << 20
SAID = 16 << 10
#: Seconds between two looks whether the program has ended, and seconds that it has to stop in.
POLL = 0.1
GRACE = 10.0
#: What may be done elsewhere or later, as where a disk is full; any other error of the system stays.
PASSING = [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EAGAIN, errno.ESTALE, errno.ETIMEDOUT, errno.EINTR]
PASSING += [errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EBUSY, errno.ETXTBSY, errno.EHOSTDOWN, errno.EHOSTUNREACH]

#: Becomes the program, which is told to stop when the worker that started it is gone: a worker may be killed.
GUARD = f"""import os, signal, sys
try:
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
except (ImportError, AttributeError, OSError):
    pass  # No Linux.
if os.getppid() != int(sys.argv[1]):
    sys.exit(143)
try:
    os.execv(sys.argv[2], sys.argv[2:])
except OSError as error:
    print(f"error: {{sys.argv[2]}} cannot be executed: {{error.strerror}}", file=sys.stderr)
    sys.exit(3 if error.errno in {PASSING} else 2)
"""


class Piece(NamedTuple):
    """Bytes of a file of a part, behind those that came before them."""

    name: str
    content: bytes


class End(NamedTuple):
    """How the program ended: its exit code, what it said last, and the node."""

    code: int
    said: str
    node: str = platform.node()


def exit_of(error: OSError) -> int:
    """The exit code that says whether the same may be done later."""
    return 3 if error.errno in PASSING else 2


def play(plan: bytes, units: bytes, jobs: int, pause: float, variables: Mapping[str, str]) -> Iterator[Piece | End]:
    """Plays the units of a list, and gives the files of the part if all are played; `End` comes last. The pause is what
    a provider wants before anybody else asks it.
    """
    try:
        # No `TemporaryDirectory`, which warns where whoever reads this leaves before its end.
        folder = Path(tempfile.mkdtemp(prefix="probity-part-"))
        try:
            (folder / "plan.json").write_bytes(plan)
            (folder / "units.jsonl").write_bytes(units)
            end = played(folder, jobs, {**os.environ, **variables})
            time.sleep(pause)
            if end.code == 0:
                yield from pieces(folder / "part")
            yield end
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except BinaryNotFound as error:
        yield End(2, f"error: {error}")
    except OSError as error:
        yield End(exit_of(error), f"error: {error}")


def played(folder: Path, jobs: int, variables: Mapping[str, str]) -> End:
    guard = [sys.executable, "-I", "-S", "-c", GUARD, str(os.getpid())]
    command = [str(find_binary(variables)), "run", "--jobs", str(jobs), "--plan", str(folder / "plan.json")]
    command += ["--units", str(folder / "units.jsonl"), "--out", str(folder / "part")]
    with open(folder / "said.txt", "w+b") as said:
        process = subprocess.Popen(
            [*guard, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, env=variables
        )
        try:
            # A task that is cancelled is not woken from a wait.
            while process.poll() is None:
                time.sleep(POLL)
        finally:
            stop(process)
        said.seek(max(0, said.seek(0, os.SEEK_END) - SAID))
        return End(process.returncode, said.read().decode(errors="replace").strip())


def pieces(part: Path) -> Iterator[Piece]:
    """Its files, of which one may be empty."""
    for path in (part / name for name in FILES if (part / name).exists()):
        yield Piece(path.name, b"")
        with open(path, "rb") as file:
            while content := file.read(PIECE):
                yield Piece(path.name, content)


def stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
