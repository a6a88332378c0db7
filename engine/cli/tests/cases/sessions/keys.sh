# Keys tell what is played apart: the same unit of another plan has the same key, unless something of it is another.
shipped finance/bank; list() { rm -f plan.json; probity -q plan --out plan.json "$@" > told; probity plan --list plan.json | sort; }; list --agent noop --trials 2 > base; list --agent noop --agent oracle --limit 3 > fewer; list --agent noop --seed 1 > seed; list --agent noop --max-messages 9 > messages; list --agent noop --user contract > user
wc -l < base; cut -d ' ' -f 1 base | sort -u | wc -l
comm -12 base fewer | cut -d ' ' -f 2-
for other in seed messages user; do wc -l < $other; comm -12 base $other; done
# A part that another process still has is tried again.
rm plan.json; probity -q plan --agent oracle --limit 1 --out plan.json > told; probity -q run --plan plan.json --shard 0/1 --out part > told
flock part/run.json -c 'probity run --plan plan.json --shard 0/1 --out part'
probity -q run --plan plan.json --shard 0/1 --out part > told
# Of models the first is kept and the other apart, with the traffic of what is kept.
mock plain; probity -q plan --agent openai:mock --base-url $URL --attempts 2 --retry-wait 1 --variant ideal --out models.json > told; for part in 0 1; do probity -q run --plan models.json --shard $part/2 --out parts/$part > told; done; probity -q run --agent openai:mock --base-url $URL --attempts 2 --retry-wait 1 --variant ideal --out whole > told; probity -q merge parts/* --plan models.json --out merged > told; for file in episodes.jsonl report.json report.html; do cmp whole/$file merged/$file; done; wc -l < merged/cassette.jsonl
# Where nobody answers, a part says so and has not ended; what was not reached gives way to what was, wherever it stands.
probity run --plan models.json --shard 0/2 --out late > told; test -e late/part.json; echo $?
probity -q merge late parts/* --plan models.json --out last > told; cmp last/episodes.jsonl merged/episodes.jsonl
