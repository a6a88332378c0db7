"""The tables of a run beside the same numbers made once more from its episodes."""
import json

AGENTS = json.load(open("run/report.json"))["agents"]


def cells(agent, sheet, row):
    rows = next(known for known in AGENTS[agent]["sheets"] if known["name"] == sheet)["rows"]
    return next(known for known in rows if known["name"] == row)["cells"]


def pair(agent):
    """Voice over text, in successes and in messages, where the agent was told nothing of an easy or a hard caller."""
    passed, messages = {"voice": 0, "text": 0}, {"voice": 0, "text": 0}
    for episode in map(json.loads, open("run/episodes.jsonl")):
        factors, metrics = episode["factors"], episode["scores"]["metrics"]
        if episode["agent"] == agent and factors["exposure"] == "p0" and factors["persona"] != "none":
            passed[factors["channel"]] += metrics["sr"]["value"]
            messages[factors["channel"]] += metrics["agent_messages"]["value"]
    return passed["voice"] / passed["text"], messages["voice"] / messages["text"] - 1


for agent in ("oracle", "reckless"):
    told = (cells(agent, "metrics", row)[0]["value"] for row in ("MRS", "TO"))
    print(agent, *(abs(one - other) < 1e-12 for one, other in zip(told, pair(agent))))
    print(" pass^2 voice", len(cells(agent, "passes", "pass^2 voice")), "IAS", cells(agent, "metrics", "IAS")[0])
print("personas", len(cells("oracle", "personas", "CFA")), "noise floor", cells("oracle", "noise_floor", "CFA")[0])
for row in ("mm-tap", "mm-tap, lenient"):
    print(row, cells("fault:wrong_number", "composite", row)[0])
