# Rules find the behaviours of our own users as the documents say, and three out of four.
probity --root "$REPO" annotate -q > told; echo $?; sed -n '/^planted /,$p' told > table; wc -l < table; python3 -c 'import sys; print(open("table").read().rstrip() in open(sys.argv[1]).read())' "$REPO/docs/SCORING.md"
probity --root "$REPO" annotate -q --json | python3 -c 'import json, sys; rows = json.load(sys.stdin)["confusion"]; print(len(rows), sum(row["recovered"] for row in rows) * 4 >= sum(row["dialogues"] for row in rows) * 3)'
# Logs from elsewhere are labelled; labels do not replace the logs.
probity annotate logs.jsonl -q --out labels.jsonl; cat labels.jsonl
cp logs.jsonl kept.jsonl; probity annotate logs.jsonl -q --out logs.jsonl; echo $?; cmp logs.jsonl kept.jsonl
# Judges label beside the rules, where what they say can be read.
model contradicts; probity annotate logs.jsonl --json --judge openai:one --judge openai:mute --base-url $URL
# The same users are labelled in every form of log.
turns() { probity annotate -q --json "$@" | python3 -c 'import json, sys; print([len(one["turns"]) for one in json.load(sys.stdin)["dialogues"]])'; }; cd "$REPO/engine/logs/tests/cases/same"; for file in anthropic.json atif.jsonl chat.jsonl.gz codex.jsonl otel.json sharegpt.json tau2.json; do turns $file; done; turns --format chat chat.jsonl
