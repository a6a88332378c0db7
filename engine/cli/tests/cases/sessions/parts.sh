# Merged parts are the run of one process, in any number, and so is what was played twice.
probity -q new env shop/counter > wrote
probity -q run --agent oracle --agent noop --agent fault:wrong_value --trials 3 --out whole > whole.txt
probity plan --agent oracle --agent noop --agent fault:wrong_value --trials 3 --out plan.json
for part in 0 1 2; do probity -q run --plan plan.json --shard $part/3 --out three/$part > told; done
probity -q merge three/* --plan plan.json --out merged > merged.txt && cmp whole.txt merged.txt && diff -r whole merged
probity -q replay merged && probity -q report merged > told && probity -q score merged > told && diff -r whole merged
probity compare whole merged --gate | grep -E '^(gate|no)'
for part in 0 1; do probity -q run --plan plan.json --shard $part/2 --out two/$part > told; done
probity -q merge three/* two/* --plan plan.json --out again > told && diff -r whole again
# What is missing is listed, and the list can be played: one part is lost, and one was stopped within a line.
cp -r three few && rm -r few/2 few/1/part.json && head -c -100 three/1/episodes.jsonl > few/1/episodes.jsonl
probity -q merge few/* --plan plan.json --out early > missing.txt; wc -l < missing.txt; tail -2 missing.txt; test -e early; echo $?
probity -q run --plan plan.json --units missing.txt --out few/rest > told && probity -q merge few/* --plan plan.json --out late > told && diff -r whole late
# With keys, as a plan lists them, or as `--json` prints them; a key of another plan is none of this.
probity plan --list plan.json | tail -2 | tee keyed.txt
probity -q run --plan plan.json --units keyed.txt --out keyed > told && wc -l < keyed/episodes.jsonl
probity plan --list plan.json --json | tail -1 | tee json.txt; probity merge three/0 three/1 --plan plan.json --out early --json 2> told | tee -a json.txt | tail -1
probity -q run --plan plan.json --units json.txt --out json > told && wc -l < json/episodes.jsonl; wc -l < json.txt
edit keyed.txt '1s/^sha256:[0-9a-f]*/sha256:0/' && probity run --plan plan.json --units keyed.txt --out other
edit keyed.txt "1s/^sha256:0/sha256:$(printf 'f%.0s' $(seq 64))/" && probity run --plan plan.json --units keyed.txt --out other
echo 'oracle nowhere ideal #0' > keyed.txt && probity run --plan plan.json --units keyed.txt --out other
# Another list is another part.
probity run --plan plan.json --shard 0/4 --out few/rest
