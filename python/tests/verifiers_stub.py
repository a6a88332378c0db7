"""A harness of verifiers, found by the name of this module: the simplest loop of a model and its tools."""

from __future__ import annotations

import json
from typing import Any

import mcp
import verifiers.v1 as vf
from openai import AsyncOpenAI


class StubHarness(vf.Harness[vf.HarnessConfig]):
    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_MCP = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        (url,) = mcp_urls.values()
        system, prompt = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        async with mcp.Client(url) as server, AsyncOpenAI(base_url=endpoint, api_key=secret) as model:
            listed = (await server.list_tools()).tools
            tools: list[Any] = [
                {"type": "function", "function": {"name": tool.name, "parameters": tool.input_schema}} for tool in listed
            ]
            while True:
                said = await model.chat.completions.create(model=ctx.model, messages=messages, tools=tools)
                message: Any = said.choices[0].message
                messages.append(message.model_dump(exclude_none=True))
                for call in message.tool_calls or ():
                    result: Any = await server.call_tool(call.function.name, json.loads(call.function.arguments))
                    text = "\n".join(block.text for block in result.content)
                    messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
                if not message.tool_calls:
                    return vf.ProgramResult(exit_code=0, stdout="", stderr="")


__all__ = ["StubHarness"]
