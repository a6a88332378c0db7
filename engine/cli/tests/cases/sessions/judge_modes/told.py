"""What came of one way to answer: how often each grade or reason, by how many requests where a judge does not work at once, and the oracle's discipline."""
import collections
import json
import sys

is_asked_again = sys.argv[1] in ("stumbles", "fails")

judgements = [json.loads(line) for line in open("run/judgements.jsonl")]
came = collections.Counter()
for one in judgements:
    what = one["judged"].get("reason", one["judged"]["status"])
    came[what + (f" by {one['usage']['requests']} requests" if is_asked_again else "")] += 1
print(*(f"{count} {what}" for what, count in sorted(came.items())), sep=", ", end=": ")
print(json.dumps(json.load(open("told"))["judges"][0]["agents"]["oracle"]["discipline"], sort_keys=True))
