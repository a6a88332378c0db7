"""A complete agent for `probity run --agent "exec:python3 docs/sample_agent.py"`, in the standard library alone.

It has no model and knows no environment. After each turn of the user it follows these rules:

1. Look: call every read whose required arguments it can fill, from what the user said or from what earlier calls
   showed. Of several things that were shown, the one that shares the most words with the user is meant.
2. Act: make the one change whose name and description share the most words with what the user asks for.
3. Look again where something may have changed, and tell what was found, field by field.

Replace `Agent.message` by your own agent; the rest is the protocol (docs/FORMATS.md, "Agents in a process").
"""

import json
import re
import sys

READS = ("find", "get", "list", "search", "check")
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
MONTHS = "january february march april may june july august september october november december".split()
DULL = set("that this with them they have from your yours what which will would like please into their when "
           "there been until about after before while only also does than then must whose where".split())


def words(text):
    """The words of a text that tell something, without their endings."""
    found = re.findall(r"[a-z][a-z'-]{2,}|\d[\d.-]*\d|\d", text.lower())
    return {re.sub(r"(ing|ed|es|s)$", "", word) for word in found if word not in DULL}


def dates(text):
    """Days with a month and a year, as tools take them."""
    found = re.findall(r"\b\d{4}-\d\d-\d\d\b", text)
    for day, month, year in re.findall(r"\b(\d{1,2}) ([A-Z][a-z]+) (\d{4})\b", text):
        if month.lower() in MONTHS:
            found.append("%s-%02d-%02d" % (year, MONTHS.index(month.lower()) + 1, int(day)))
    return found


def entities(value):
    """All objects of an observation, the outer ones first."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from entities(item)


def told(value, name=""):
    """An observation in words; amounts in minor units as money."""
    if isinstance(value, dict):
        return [line for key, item in value.items() for line in told(item, key)]
    if isinstance(value, list):
        return [line for item in value for line in told(item, name)]
    if name.endswith("_cents"):
        name, value = name[:-6], "%d.%02d EUR" % divmod(value, 100)
    if isinstance(value, bool):
        value = "yes" if value else "no"
    return [] if name.endswith("_id") else ["%s %s" % (name.replace("_", " "), str(value).replace("_", " "))]


class Agent:
    def __init__(self, tools):
        tools = [tool["function"] for tool in tools]
        self.reads = [tool for tool in tools if tool["name"].startswith(READS)]
        self.writes = [tool for tool in tools if tool not in self.reads]
        self.said, self.seen, self.made, self.lines, self.has_acted = "", [], [], [], False

    def message(self, heard):
        """One message for what was heard: {"text": ..} ends the turn, {"calls": [..]} calls tools."""
        if heard["type"] == "user":
            self.said, self.lines, self.made, self.has_acted = self.said + "\n" + heard["text"], [], [], False
        for observation in heard.get("observations", []):
            if "error" not in observation:
                self.seen += entities(observation)
                self.lines += told(observation)
        call = self.look() or self.act() or self.look()
        if call:
            self.made.append(call)
            return {"calls": [call]}
        return {"text": "This is what I found: %s." % "; ".join(self.lines[-40:]) if self.lines
                else "I found nothing by that. What is your full name, please?"}

    def look(self):
        calls = (self.call(tool) for tool in self.reads if len(self.made) < 12)
        return next((call for call in calls if call and call not in self.made), None)

    def act(self):
        """The change that is asked for, once a turn; afterwards everything may be looked at again."""
        wanted = [(len(words(tool["name"].replace("_", " ") + " " + tool["description"]) & words(self.said)), tool)
                  for tool in self.writes]
        wanted = sorted((one for one in wanted if one[0] >= 2 and not self.has_acted), key=lambda one: -one[0])
        call = next((call for call in (self.call(tool) for _, tool in wanted) if call), None)
        if call:
            self.has_acted, self.made = True, []
        return call

    def call(self, tool):
        parameters, arguments = tool["parameters"], {}
        for name in parameters.get("required", []):
            value = self.value(name, parameters["properties"][name])
            if value is None:
                return None
            arguments[name] = value
        return {"tool": tool["name"], "arguments": arguments} if arguments else None

    def value(self, name, schema):
        shown = [one for one in self.seen if name in one]
        if shown:
            return max(shown, key=lambda one: len(words(" ".join(told(one))) & words(self.said)) +
                       2 * any(day in one.values() for day in dates(self.said)))[name]
        if name.endswith("_id"):
            return None
        kind, said = schema.get("type"), self.said
        if kind == "integer":
            found = [NUMBERS[word] for word in re.findall(r"[a-z]+", said.lower()) if word in NUMBERS]
        elif schema.get("format") == "date":
            found = dates(said)
        elif schema.get("enum"):
            found = [value for value in schema["enum"] if words(str(value).replace("_", " ")) <= words(said)]
        elif name == "last_name":
            found = re.findall(r"\b[A-Z][a-z]+ ([A-Z][a-z]+)\b", said)
        elif name == "name":
            found = re.findall(r"\b[a-z]+(?:-[a-z]+)+\b", said)
        else:
            found = re.findall(r"\b\d{5,}\b", said)
        return found[0] if found else None


def main():
    agent = None
    for line in sys.stdin:
        heard = json.loads(line)
        if heard["type"] == "start":
            agent = Agent(heard["tools"])
        elif heard["type"] == "end":
            return
        else:
            print(json.dumps(agent.message(heard)), flush=True)


if __name__ == "__main__":
    main()
