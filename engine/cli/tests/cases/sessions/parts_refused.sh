# What is not of this plan is refused and says what differs.
probity -q new env shop/counter > wrote && probity -q plan --agent oracle --agent noop --limit 2 --out plan.json > told
for part in 0 1; do probity -q run --plan plan.json --shard $part/2 --out parts/$part > told; done
cp plan.json other.json && edit other.json 's/^  "format": 1,/  "format": 7,/' && probity run --plan other.json --shard 0/2 --out to
probity merge parts/* --plan other.json --out to
sed 's/"engine": "/"engine": "9./' plan.json > other.json; probity merge parts/* --plan other.json --out to
sed 's/"trials": 1/"trials": 2/' plan.json > other.json; probity merge parts/* --plan other.json --out to
sed 's/"trials": 1/"trials": 70000/' plan.json > other.json; probity merge parts/* --plan other.json --out to
sed 's/"environments\/shop\/counter.json": "/& /' plan.json > other.json; probity merge parts/* --plan other.json --out to
sed 's/"units": 4/"units": 5/' plan.json > other.json; probity merge parts/* --plan other.json --out to
sed '1s/{/[/' plan.json > other.json; probity merge parts/* --plan other.json --out to
# Parts of another plan, a part that was not copied whole, and what is no part.
probity -q plan --agent oracle --agent noop --limit 2 --seed 1 --out seed.json > told
probity merge parts/* --plan seed.json --out to
probity run --plan seed.json --shard 0/2 --out parts/0
probity run --plan plan.json --shard 1/2 --out parts/0
probity -q run --agent oracle --agent noop --limit 2 --out whole > told && probity merge whole --plan plan.json --out to
probity run --plan plan.json --shard 0/2 --out whole
cp -r parts/0 half && sed -n 1p parts/0/episodes.jsonl > half/episodes.jsonl && probity merge half parts/1 --plan plan.json --out to
# Nor is a part a run.
for command in report replay score 'run --resume'; do probity $command parts/0; done
probity merge parts/* --plan plan.json --out whole
for flag in --trials --seed --env; do probity run --plan plan.json --shard 0/2 $flag 3 --out to 2>&1 | sed -n 1p; probity plan --list plan.json $flag 3 2>&1 | sed -n 1p; done
for share in 2/2 0/0 1; do probity run --plan plan.json --shard $share --out to 2>&1 | sed -n 1p; done
probity plan --agent noop --out to --judge openai:judge
# A plan takes the place of no other file.
cp plan.json kept.json && probity -q plan --agent oracle --agent noop --limit 2 --out plan.json && cmp kept.json plan.json
probity plan --agent noop --out plan.json; cmp kept.json plan.json
echo mine > mine.json && probity plan --agent noop --out mine.json; cat mine.json
# Pipes and devices are refused and hang nothing.
for file in episodes.jsonl cassette.jsonl part.json; do cp -r parts piped && rm -f piped/0/$file && mkfifo piped/0/$file && probity merge piped/* --plan plan.json --out to; rm -r piped; done
for file in episodes.jsonl cassette.jsonl part.json; do cp -r parts piped && ln -sf /dev/zero piped/0/$file && probity merge piped/* --plan plan.json --out to; rm -r piped; done
test -e to; echo $?
# Scores that a part claims are not believed.
rm parts/0/part.json && edit parts/0/episodes.jsonl 's/"value":1.0/"value":0.0/g' && probity merge parts/* --plan plan.json --out claimed > claimed.txt; cmp claimed/report.json whole/report.json && diff -r claimed/inputs whole/inputs
