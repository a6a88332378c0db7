"""The process behind an `Environment`: it is asked in JSON lines, by any thread, and answers in order."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import Future
from itertools import count
from typing import IO, Any

from .errors import Refused, ServerDied

#: What is told of the last words of a server that died, in bytes.
LAST_WORDS = 4096
#: The longest request that the server takes, in bytes of its line.
LONGEST_REQUEST = 1024 * 1024


def written(number: int, request: str, fields: dict[str, Any]) -> bytes:
    """The line of a request; what the server could not read is refused before it is sent."""
    try:
        text = json.dumps({"id": number, request: fields}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        line = text.encode() + b"\n"
    except (ValueError, TypeError, RecursionError) as error:
        raise Refused("bad_request", f"what is no JSON cannot be sent: {error}") from error
    if len(line) > LONGEST_REQUEST:
        raise Refused("bad_request", f"a request of {len(line)} bytes", f"{LONGEST_REQUEST} bytes is the most")
    return line


class Waiting:
    """The requests that were sent and not answered yet, oldest first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._futures: dict[int, Future[dict[str, Any]]] = {}
        self._over: ServerDied | None = None

    def add(self, number: int) -> Future[dict[str, Any]]:
        with self._lock:
            if self._over is not None:
                raise self._over
            future: Future[dict[str, Any]] = Future()
            self._futures[number] = future
            return future

    def answered(self, answer: dict[str, Any]) -> None:
        """Answers come in order, so that one without an id is the oldest request's."""
        number = answer.get("id")
        with self._lock:
            if number is None:
                number = next(iter(self._futures), None)
            future = self._futures.pop(number, None) if isinstance(number, int) else None
        if future is not None:
            future.set_result(answer)

    def fail(self, error: ServerDied) -> None:
        with self._lock:
            self._over = self._over or error
            futures, self._futures = self._futures, {}
        for future in futures.values():
            future.set_exception(error)


def _listen(process: subprocess.Popen[bytes], lines: IO[bytes], words: IO[bytes], waiting: Waiting) -> None:
    """Until the server closes its output."""
    unread = None
    with lines, words:
        for line in lines:
            try:
                answer = json.loads(line)
            except ValueError:
                answer = None
            if not isinstance(answer, dict):
                unread = line[:200]
                process.kill()
                break
            waiting.answered(answer)
        exit = process.wait()
        words.seek(max(0, words.seek(0, os.SEEK_END) - LAST_WORDS))
        said = words.read().decode(errors="replace").strip()
    message = f"the server ended with {exit}" if unread is None else f"the server said what is no answer: {unread!r}"
    waiting.fail(ServerDied("server_died", message + (f": {said}" if said else ""), "open another Environment"))


def _shut(process: subprocess.Popen[bytes], pid: int, listener: threading.Thread) -> None:
    """Its input is closed, which ends it; what does not end is killed. A fork of this process leaves it alone."""
    if os.getpid() != pid:
        return
    try:
        if process.stdin is not None:
            process.stdin.close()
    except OSError:
        pass
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if listener is not threading.current_thread():
        listener.join(timeout=5)


class Server:
    """`probity serve --jsonl`, as long as this is open."""

    def __init__(self, command: Sequence[str]) -> None:
        self._pid = os.getpid()
        self._numbers = count(1)
        self._writing = threading.Lock()
        self._waiting = Waiting()
        words = tempfile.TemporaryFile()
        try:
            # In a session of its own, so that Ctrl-C stops what waits for it and leaves the episodes alone.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words, start_new_session=True
            )
        except OSError as error:
            words.close()
            raise ServerDied("server_died", f"{command[0]} cannot be started: {error}") from error
        assert self._process.stdout is not None
        listener = threading.Thread(
            target=_listen, args=(self._process, self._process.stdout, words, self._waiting), daemon=True
        )
        listener.start()
        self._shut = weakref.finalize(self, _shut, self._process, self._pid, listener)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def ask(self, request: str, fields: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request; raises `Refused` with what the server says against it."""
        if os.getpid() != self._pid:
            help = "open an Environment in each process"
            raise ServerDied("another_process", "the server belongs to the process that this one was forked from", help)
        stdin = self._process.stdin
        assert stdin is not None
        with self._writing:
            number = next(self._numbers)
            line = written(number, request, fields)
            try:
                future = self._waiting.add(number)
                stdin.write(line)
                stdin.flush()
            except ServerDied:
                raise
            except (OSError, ValueError):
                self._process.kill()
            except BaseException:
                # An interrupt may leave half a line behind, to which the next request would be glued.
                self._process.kill()
                raise
        answer = future.result()
        error = answer.get("error")
        if isinstance(error, dict):
            raise Refused(str(error.get("code")), str(error.get("message")), error.get("help"))
        return answer

    def close(self) -> None:
        """Ends the process."""
        self._waiting.fail(ServerDied("closed", "the environment is closed", "open another Environment"))
        # Its input cannot be closed while somebody waits until a busy server has read their request.
        if self._writing.acquire(timeout=1):
            self._writing.release()
        else:
            self._process.kill()
        self._shut()
