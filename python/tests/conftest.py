"""One sandbox for all tests, and what the oracle and a program without a model did in some tasks."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from moves import moves
from probity_sandbox import Environment
from probity_sandbox.binary import find_binary, find_root

Record = dict[str, Any]

#: Tasks with several turns, refusals and lists as arguments, of three environments.
TASKS = ("travel_hospitality/front_desk/late_move", "finance/bank/mislaid_card", "e_commerce/marketplace/two_presents")


@pytest.fixture(scope="session")
def environment() -> Iterator[Environment]:
    with Environment() as environment:
        yield environment


@pytest.fixture(scope="session")
def of_suite() -> Iterator[Callable[[str], Environment]]:
    """The sandbox of another suite, one for all tests."""
    with ExitStack() as stack:
        yield cache(lambda suite: stack.enter_context(Environment(suite=suite)))


@pytest.fixture
def stub(tmp_path: Path) -> Path:
    """A `probity` that starts at once, gives every request the same answer, and ends with its input."""
    answer: Record = {"instances": [], "episode": "e1", "brief": {"system": "", "tools": []}}
    answer |= {"heard": {"user": "Hello"}, "done": False, "state_hash": ""}
    text = "import json, sys\nfor line in sys.stdin:\n"
    return program(tmp_path, text + f"    print(json.dumps({answer} | {{'id': json.loads(line)['id']}}), flush=True)\n")


def program(folder: Path, text: str) -> Path:
    """A `probity` that does what a text of Python says."""
    script, path = folder / "script.py", folder / "probity"
    script.write_text(text)
    # In two steps, as the first line of a file takes no path that is long or has blanks.
    path.write_text(f"#!/bin/sh\nexec '{sys.executable}' -S '{script}' \"$@\"\n")
    path.chmod(0o755)
    return path


class Types:
    """What mypy says of the package, which it thinks about beside the other tests."""

    def __init__(self, cache: Path) -> None:
        command = [sys.executable, "-m", "mypy", "--cache-dir", str(cache)]
        root = Path(__file__).parents[1]
        self._process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def said(self) -> tuple[int, str]:
        text = self._process.communicate()[0]
        return self._process.returncode, text

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


@pytest.fixture(scope="session", autouse=True)
def types(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Types | None]:
    """Begun before the first test, if one asks for it and there is a mypy."""
    is_asked = any(item.name == "test_types_are_strict" for item in request.session.items)
    if not is_asked or find_spec("mypy") is None:
        yield None
        return
    types = Types(tmp_path_factory.mktemp("mypy"))
    yield types
    types.stop()


def run(out: Path, *arguments: str) -> Path:
    """A run directory that the program made."""
    root = find_root()
    command = [str(find_binary()), *([] if root is None else ["--root", str(root)]), "run", "--quiet"]
    made = subprocess.run([*command, *arguments, "--out", str(out)], capture_output=True, text=True, check=False)
    assert made.returncode in (0, 1), made.stderr
    return out


@pytest.fixture(scope="session")
def run_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tasks = [word for task in TASKS for word in ("--task", task)]
    out = tmp_path_factory.mktemp("run") / "run"
    return run(out, "--agent", "oracle", "--agent", "heuristic", "--seed", "3", *tasks)


@pytest.fixture(scope="session")
def records(run_directory: Path) -> list[Record]:
    with open(run_directory / "episodes.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="session")
def oracle(records: list[Record]) -> Record:
    """What the oracle did in one task with a user who says what is wanted."""
    ideal = (record for record in records if record["factors"]["variant"] == "ideal")
    return next(record for record in ideal if (record["agent"], task_of(record)) == ("oracle", TASKS[0]))


def task_of(record: Record) -> str:
    return str(record["trace"]["header"]["task"])


def script(record: Record) -> list[Record]:
    """What a model would call to do what an agent did."""
    calls = []
    for text, made in moves(record):
        calls += [{"name": call.tool, "arguments": json.dumps(call.arguments)} for call in made]
        calls += [] if text is None else [{"name": "say_to_user", "arguments": json.dumps({"text": text})}]
    return calls


@pytest.fixture
def provider(oracle: Record) -> Iterator[str]:
    """A provider on this machine: its models do all that the oracle did, its first call, or nothing."""
    calls = script(oracle)
    known = {"oracle": calls, "leaver": calls[:1], "silent": []}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            done = sum(message["role"] == "tool" for message in asked["messages"])
            script = known[asked["model"]]
            message: Record = {"role": "assistant", "content": "Done."}
            if done < len(script):
                call = {"id": f"call_{done}", "type": "function", "function": script[done]}
                message = {"role": "assistant", "content": None, "tool_calls": [call]}
            reason = "tool_calls" if "tool_calls" in message else "stop"
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            choice = {"index": 0, "message": message, "finish_reason": reason}
            answer = {"id": "x", "object": "chat.completion", "created": 0, "model": asked["model"], "usage": usage}
            kind, body = "application/json", json.dumps(answer | {"choices": [choice]})
            if asked.get("stream"):
                message["tool_calls"] = [{"index": 0, **call} for call in message.get("tool_calls", [])]
                pieces = [answer | {"choices": [{"index": 0, "delta": message, "finish_reason": reason}]}]
                said = [json.dumps(piece | {"object": "chat.completion.chunk"}) for piece in pieces] + ["[DONE]"]
                kind, body = "text/event-stream", "".join(f"data: {line}\n\n" for line in said)
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
