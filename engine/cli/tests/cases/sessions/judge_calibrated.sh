# Rules are calibrated without a network, the same with any number of jobs: each fault on three episodes, what it must lower it lowers at least once, where not words alone are at fault, and what is right is always called so.
shipped finance/bank healthcare/clinic infrastructure_devops/platform travel_hospitality/front_desk; probity judge calibrate --sample 3 --seed 7 --json > rules.json; echo $?; probity judge calibrate --sample 3 --seed 7 --json --jobs 1 | cmp - rules.json
python3 rules.py
# Rules and a judge are counted side by side; more dialogues are the same and others.
mkdir labels && cp -r "$REPO/labels/suite" labels && head -40 "$REPO/labels/dialogues.dev.jsonl" > first && python3 altered.py first > dialogues.jsonl
mock plain; probity judge calibrate --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --prices 2,8 --out out --limit 10 --json > ten.json; echo $?; grep -E '"(graded|not_asked)"' ten.json; wc -l < out/judge-cassette.jsonl
mock plain; probity judge calibrate --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --prices 2,8 --out out --json > all.json; echo $?; wc -l < out/judge-cassette.jsonl
probity -q judge calibrate --dialogues dialogues.jsonl --json > alone.json; probity score --dialogues dialogues.jsonl --json > scored.json; python3 beside.py
# What was paid for is compared without asking anybody.
probity -q judge calibrate --dialogues dialogues.jsonl --prices 2,8 --out out --json | cmp - all.json; probity judge calibrate --dialogues dialogues.jsonl --prices 2,8 --out out | sed 's/sha256:[0-9a-f]*/DIGEST/'
# What judges of reading lists lose is counted; they are asked about those dialogues alone that have one.
probity -q judge calibrate --unsupported --dialogues dialogues.jsonl --json > reach.json; mock plain; probity judge calibrate --unsupported --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --prices 2,8 --out lists --json > lists.json; echo $?; wc -l < lists/unsupported-cassette.jsonl; python3 lists.py
probity -q judge calibrate --unsupported --dialogues dialogues.jsonl --prices 2,8 --out lists --json | cmp - lists.json; probity judge calibrate --unsupported --dialogues dialogues.jsonl --prices 2,8 --out lists | sed 's/sha256:[0-9a-f]*/DIGEST/'
