"""The lines that the README of the repository has for those whose agents live elsewhere: they are taken from there as
they stand, and played.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from probity_sandbox.binary import find_binary, find_root

README = Path(__file__).parents[2] / "README.md"
if not README.is_file():
    pytest.skip("the README of the repository is not here", allow_module_level=True)


def lines(of: str) -> list[str]:
    """The block below the paragraph that speaks of those whose agents live there."""
    text = README.read_text(encoding="utf-8")
    paragraph = re.search(rf"\nMy agent is in .*\*\*{of}\*\*.*\n\n```\w+\n([^`]*?)```", text)
    assert paragraph is not None, of
    return paragraph[1].splitlines()


def typed(line: str) -> list[str]:
    """The words of a command that are for `probity`, with the program and the suite of these tests."""
    words = shlex.split(line.removesuffix("&"))
    words = words[words.index("probity") + 1 :]
    root = find_root()
    return [str(find_binary()), *([] if root is None else ["--root", str(root)]), *words]


@contextmanager
def served(command: list[str], at: Path) -> Iterator[str]:
    """A server, at a port that is free, and its address."""
    free = [re.sub(r"^127\.0\.0\.1:\d+$", "127.0.0.1:0", word) for word in command]
    assert free != command
    with subprocess.Popen(free, cwd=at, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().partition("/e/")[0]
        finally:
            server.terminate()


def scores(at: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (at / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.filterwarnings("default")
def test_langgraph_plays_its_lines(tmp_path: Path) -> None:
    adapters = pytest.importorskip("langchain_mcp_adapters.client", reason="langchain-mcp-adapters is not installed")
    agents = pytest.importorskip("langchain.agents", reason="langchain is not installed")
    tools = pytest.importorskip("langchain_mcp_adapters.tools")
    resources = pytest.importorskip("langchain_mcp_adapters.resources")
    messages = pytest.importorskip("langchain_core.messages")
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel

    command, *code = lines("LangGraph")

    class Model(GenericFakeChatModel):  # type: ignore[misc]
        """Says what it is given, one after the other, and knows what it was told."""

        def bind_tools(self, *_: Any, **__: Any) -> Any:
            return self

        def _generate(self, told: Any, *arguments: Any, **named: Any) -> Any:
            heard.append(told)
            return super()._generate(told, *arguments, **named)

    heard: list[Any] = []
    say = {"name": "say_to_user", "args": {"text": "One moment, please."}, "id": "1"}
    look = {"name": "find_booking", "args": {"confirmation": "100412"}, "id": "2"}
    script = [messages.AIMessage("", tool_calls=[call]) for call in (say, look)] + [messages.AIMessage("Done.")]
    names = {
        "MultiServerMCPClient": adapters.MultiServerMCPClient,
        "create_agent": agents.create_agent,
        "load_mcp_tools": tools.load_mcp_tools,
        "load_mcp_resources": resources.load_mcp_resources,
        "model": Model(messages=iter(script)),
    }
    with served(typed(command), tmp_path) as base:
        text = re.sub(r"http://127\.0\.0\.1:\d+", base, "\n".join(code))
        assert base in text
        exec("async def played():\n" + textwrap.indent(text, "    "), names)
        played: Any = names["played"]
        asyncio.run(played())
    # The brief and the first words of the user were told, and what was said and called came to one episode.
    assert "Ines Okafor" in heard[0][0].content and len(heard) == 3
    (scored,) = scores(tmp_path, "scores.jsonl")
    assert (scored["episode"], scored["end"], scored["reward"]) == ("rollout-1", "agent_failed", 0.0)
    assert scored["scores"]["metrics"].keys() >= {"sr"}


def test_verifiers_plays_its_lines(tmp_path: Path, provider: str) -> None:
    pytest.importorskip("verifiers.v1", reason="verifiers is not installed")
    install, command, shown = lines("verifiers")
    assert install.startswith("pip install ") and "[verifiers]" in install
    words = ["verifiers_stub" if word == "null" else word for word in shlex.split(command.replace("MODEL", "oracle"))]
    assert "verifiers_stub" in words
    program = Path(sys.executable).with_name(words[0])
    ours = ["--env.taskset.task.seed", "3"]
    ours += ["--client.base-url", provider, "--client.api-key-var", "NO_KEY", "--no-rich", "-n", "1"]
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    ended = subprocess.run(
        [str(program), *words[1:], *ours],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (traces,) = tmp_path.glob(shown.removeprefix("cat "))
    (episode,) = [json.loads(line) for line in traces.read_text(encoding="utf-8").splitlines()]
    (trace,) = episode["traces"]
    assert (trace["rewards"]["reward"]["score"], trace["info"]["probity"]["end"]) == (1.0, "completed")


def test_a_trainer_plays_its_lines(tmp_path: Path) -> None:
    for line in lines("trainer"):
        said, _, command = line.partition(" | ")
        request = shlex.split(said)[-1]
        ended = subprocess.run(typed(command), input=request, capture_output=True, text=True, check=True)
        answer = json.loads(ended.stdout)
        assert answer["id"] == 1 and "error" not in answer, line
