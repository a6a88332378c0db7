"""Counts that must be the same where they stand several times: by kind and in all, beside a judge and alone."""
import json

PARTS = ("labelled", "rules", "judge", "both", "neither")
compared, alone = json.load(open("all.json")), json.load(open("alone.json"))
rules, judge = compared["rules"], compared["judges"][0]
found = judge["pointed"]["found"]
for name in ("untruths", "tool_faults"):
    one = found[name]
    assert all(one[part] == sum(kind[part] for kind in found[f"{name}_by_kind"].values()) for part in PARTS), found
    assert one["rules"] + one["judge"] + one["neither"] == one["labelled"] + one["both"], found
assert found["untruths"]["rules"] == rules["recall"]["numerator"]
assert found["tool_faults"]["rules"] == rules["tool_faults"]["numerator"]
assert judge["flagged"]["without_untruth"]["rules"] == rules["blameless_flagged"]["numerator"]
assert (alone["rules"], alone["judges"]) == (rules, []) and json.load(open("scored.json"))["agreement"] == rules
print(rules["dialogues"], compared["not_judged"][0]["id"], judge["honesty"]["same"]["denominator"])
print(judge["bill"]["dialogues"], judge["bill"]["usage"]["requests"], judge["bill"]["cost"] > 0)
