"""Writes a hostile dialogue between two good ones: `hostile.py WHAT`."""
import json
import sys

GOOD = open("good.jsonl").read().strip()


def called(calls):
    return [{"role": "assistant", "tool_calls": [{"id": id, "function": {"name": name, "arguments": "{}"}}]} for id, name in calls]


def long():
    dialogue = json.loads(GOOD)
    dialogue["messages"][3]["content"] = json.dumps({"plot": "9" * (3 << 20)})
    dialogue["messages"][4]["content"] = "It costs 48.50 euros. " * 20_000
    return json.dumps(dialogue)


def names():
    calls = [{"id": at, "function": {"name": f"t{at}", "arguments": "{}"}} for at in range(5_000)]
    return json.dumps({"id": "names", "messages": [{"role": "assistant", "tool_calls": calls}]})


NESTED = '{"a":[' * 50_000 + "1" + "]}" * 50_000
WAYS = {
    "deep": lambda: GOOD.replace('"content": "Ines Moor has it."', f'"content":{NESTED}'),
    "cut_off": lambda: GOOD[: len(GOOD) // 2],
    "half_of_a_character": lambda: GOOD.replace("Ines Moor has it.", r"Ines \ud800 has it."),
    "the_same_id": lambda: GOOD,
    "calls_of_one_id": lambda: json.dumps({"id": "calls", "messages": called([("1", "cancel_plot")] * 6_000)}),
    "no_messages": lambda: json.dumps({"id": "none", "messages": {"role": "user"}}),
    "many_names": names,
    "long": long,
}
print(GOOD, WAYS[sys.argv[1]](), GOOD, sep="\n")
