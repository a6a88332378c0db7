# Needs endpoint in PROBITY_TEST_BASE_URL and PROBITY_TEST_MODEL: test -n "$PROBITY_TEST_BASE_URL" && test -n "$PROBITY_TEST_MODEL"
# Six short tasks through a real model, whose key, if it needs one, is in PROBITY_TEST_KEY. The plumbing is asserted, not the model: every call is in the trace with what came of it, and the replay agrees.
timeout 300 probity --root "$REPO" run --out run --agent "openai:$PROBITY_TEST_MODEL" --base-url "$PROBITY_TEST_BASE_URL" --api-key-env PROBITY_TEST_KEY --variant ideal --limit 6 --max-tokens 128 --max-messages 6 --request-timeout 60 --attempts 2 > told 2> err || cat told err
for line in $(seq 6); do sed -n ${line}p run/episodes.jsonl | python3 -c 'import json, sys; record = json.load(sys.stdin); events = record["trace"]["events"]; print(events[-1]["type"], record["usage"]["requests"] > 0, all({"observation", "rejection"} & {*event["outcome"]} for event in events if event["type"] == "step"))'; done
wc -l < run/episodes.jsonl
probity replay run > told || cat told
