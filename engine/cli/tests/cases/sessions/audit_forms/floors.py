"""Holds the findings of an audit that something contradicts against the untruths that readers marked in the same logs."""
import json
import sys

# So many characters around a reader's words still are what they say.
SLACK = 40
found, untruths = [], []
for line, episode in zip(open(sys.argv[1]), json.load(sys.stdin)["episodes"]):
    untruths.append(json.loads(line)["labels"]["untrue"])
    found.append([one for one in episode["findings"] if one["verdict"] == "contradicted"])


def meets(one, own):
    near = one["end"] + SLACK > own["start"] and one["start"] < own["end"] + SLACK
    return own["message"] == one["message"] and near


right = sum(any(meets(one, own) for own in untrue) for all, untrue in zip(found, untruths) for one in all)
flagged = sum(bool(all) for all, untrue in zip(found, untruths) if not untrue)
blameless, contradicted = untruths.count([]), sum(map(len, found))
print("right:", contradicted >= 10 and right * 10 >= contradicted * 8, "blameless flagged:", flagged * 25 <= blameless * 3)
