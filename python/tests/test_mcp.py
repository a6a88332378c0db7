"""The door of MCP, asked by the protocol's own library in both eras, over pipes and over HTTP."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from moves import moves
from probity_sandbox.binary import find_binary, find_root

mcp = pytest.importorskip("mcp", reason="mcp is not installed")
if not hasattr(mcp, "Client"):
    pytest.skip("mcp is older than 2", allow_module_level=True)

Record = dict[str, Any]
ERAS = ("auto", "legacy")


def arguments(record: Record, *more: str) -> list[str]:
    root = find_root()
    header = record["trace"]["header"]
    place = [] if root is None else ["--root", str(root)]
    return [*place, "-q", "serve", *more, header["task"], "--variant", header["levels"]["variant"], "--seed", "3"]


async def play(server: Any, era: str, record: Record) -> list[str]:
    """Says and calls what the record has, and gives what the user said."""
    said = []
    async with mcp.Client(server, mode=era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "say_to_user" in tools and not {"reset", "step", "state", "score", "close"} & set(tools)
        assert any(tool.annotations.read_only_hint for tool in tools.values() if tool.annotations)
        brief = (await client.read_resource("probity://brief")).contents[0].text
        assert record["trace"]["events"][0]["text"] in brief
        for text, calls in moves(record):
            assert (text is None) != (not calls), "one message is words or one call here"
            for call in calls:
                # The library holds what comes back against the tool's output schema.
                await client.call_tool(call.tool, call.arguments)
            if text is not None:
                said.append((await client.call_tool("say_to_user", {"text": text})).content[0].text)
    return said


def heard(record: Record) -> list[str]:
    return [event["text"] for event in record["trace"]["events"] if event["type"] == "user"][1:]


def test_the_same_moves_have_the_same_digest_over_pipes(oracle: Record, tmp_path: Path) -> None:
    def played(era: str) -> Any:
        command = arguments(oracle, "--mcp", "--score", str(tmp_path / era))
        return play(mcp.StdioServerParameters(command=str(find_binary()), args=command), era, oracle)

    async def both() -> list[list[str]]:
        return list(await asyncio.gather(*(played(era) for era in ERAS)))

    for era, said in zip(ERAS, asyncio.run(both()), strict=True):
        assert said[:-1] == heard(oracle) and said[-1].endswith("The dialogue is over.")
        scored = json.loads((tmp_path / era).read_text(encoding="utf-8"))
        assert (scored["digest"], scored["reward"], scored["end"]) == (oracle["digest"], 1.0, "completed")


@pytest.fixture
def served(oracle: Record, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    score = tmp_path / "scores.jsonl"
    command = arguments(oracle, "--mcp-http", "127.0.0.1:0", "--score", str(score))
    with subprocess.Popen([str(find_binary()), *command], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip(), score
        server.terminate()


def test_each_path_of_http_is_an_episode(served: tuple[str, Path], oracle: Record) -> None:
    url, score = served
    for era in ERAS:
        said = asyncio.run(play(url.replace("NAME", era), era, oracle))
        assert said[:-1] == heard(oracle)
    scored = [json.loads(line) for line in score.read_text(encoding="utf-8").splitlines()]
    assert [(line["episode"], line["digest"]) for line in scored] == [(era, oracle["digest"]) for era in ERAS]
