# Results do not depend on jobs.
probity -q new env shop/counter > wrote; for jobs in 1 2; do probity -q run --jobs $jobs --trials 9 --out jobs-$jobs > told; done; for file in report.json episodes.jsonl; do cmp jobs-1/$file jobs-2/$file; done; probity -q replay jobs-1
# Two processes do not write to one run.
flock jobs-1/run.json -c 'probity run --resume jobs-1'
probity -q run --resume jobs-1 > told
# A run of more than one command plays is refused.
probity -q run --agent noop --limit 1 --out run > told; tr -d '\n' < run/run.json | sed 's/"trials": 1,/"trials": 10000,/; s/"limit": 1/"limit": null/' > run.json
many() { for n in $(seq $1); do printf '{ "name": "noop %s", "agent": "noop" }' $n; [ $n = $1 ] || printf ,; done > agents; sed "s/\"agents\": \[[^]]*\]/\"agents\": [$(cat agents)]/" run.json > run/run.json; }; many 2000; probity replay run; many 20; probity replay run; probity report run; probity run --resume run
# Of a full disk the first lines stay whole, and the run goes on later; where not even the inputs fit it has not begun.
mkdir bank && cd bank && shipped finance/bank && (ulimit -f 8; probity run --agent oracle --agent noop --trials 9 --out full)
cd bank && test -e full/run.json; echo $?; probity run --resume full
cd bank && (ulimit -f 600; probity -q run --agent oracle --agent noop --trials 9 --jobs 2 --out full) > told 2>&1; echo $?; tail -c 1 full/episodes.jsonl | od -An -c; test $(wc -l < full/episodes.jsonl) -gt 1; echo $?
cd bank && probity -q run --resume full > told && probity -q replay full
# Every command has JSON.
probity show --json
probity show sell_two_teapots --prompt --json | grep -o '^  "[a-z]*"'
probity new env shop/second --json
