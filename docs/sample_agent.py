"""A complete agent for `probity run --agent "exec:python3 docs/sample_agent.py"`.

It is not clever: it looks for a name in what the user says, tries one tool that takes nothing but a
name, and tells what it found. Replace `decide` by your own agent.
"""

import json
import re
import sys


def decide(tools, heard):
    """One message for what was heard: {"text": ..} ends the turn, {"calls": [..]} calls tools."""
    if heard["type"] == "observations":
        return {"text": "This is what I found: " + json.dumps(heard["observations"])[:500]}
    name = re.search(r"\b([A-Z][a-z]+) ([A-Z][a-z]+)\b", heard["text"])
    for tool in tools:
        function = tool["function"]
        if name and function["parameters"].get("required") == ["last_name"]:
            return {"calls": [{"tool": function["name"], "arguments": {"last_name": name.group(2)}}]}
    return {"text": "I am sorry, I do not know how to help with that."}


def main():
    tools = []
    for line in sys.stdin:
        heard = json.loads(line)
        if heard["type"] == "start":
            tools = heard["tools"]
        elif heard["type"] == "end":
            return
        else:
            print(json.dumps(decide(tools, heard)), flush=True)


if __name__ == "__main__":
    main()
