"""Counts that must be the same where they stand several times: by kind and in all, of lists and of scores."""
import json

PARTS = ("labelled", "listed", "contradicted", "lost")
alone, compared = json.load(open("reach.json")), json.load(open("lists.json"))
reach, judge = alone["reach"], compared["judges"][0]
untruths = reach["untruths"]
assert all(untruths[part] == sum(kind[part] for kind in reach["untruths_by_kind"].values()) for part in PARTS), reach
assert untruths["lost"] < untruths["labelled"]
assert untruths["contradicted"] == json.load(open("all.json"))["rules"]["recall"]["numerator"]
scored = json.load(open("scored.json"))["episodes"]
listed = sum(any(finding["code"] == "unsupported" for finding in one["findings"]) for one in scored)
print(reach["dialogues"], alone["judges"], alone["not_judged"][0]["id"], reach["with_list"], listed)
assert judge["recall"]["denominator"] == reach["untrue_sentences"]
assert judge["precision"]["denominator"] == judge["sentences"]["untrue"]
assert judge["precision"]["numerator"] == judge["recall"]["numerator"]
assert judge["found"]["denominator"] == untruths["labelled"] and judge["found"]["numerator"] >= untruths["contradicted"]
assert judge["bill"]["cost"] > 0
