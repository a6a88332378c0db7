"""The dialogues of a file, behind the first of them the same with something else than was recorded in its first call."""
import json
import sys

first, *others = open(sys.argv[1])
other = json.loads(first) | {"id": "altered"}
next(event["calls"] for event in other["events"] if "calls" in event)[0]["observation"] = "something else"
print(first, json.dumps(other), "\n", *others, sep="", end="")
