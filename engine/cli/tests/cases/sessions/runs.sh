# What a kill leaves: some whole lines in any order, a torn last one, no report. The run goes on and ends the same.
probity -q new env shop/counter > wrote
probity -q run --agent oracle --agent noop --out whole > told && cp -r whole torn
(tail -4 whole/episodes.jsonl; head -1 whole/episodes.jsonl | cut -c 1-900 | tr -d '\n') > torn/episodes.jsonl && rm torn/report.json
probity -q run --resume torn > told && cmp whole/report.json torn/report.json && cmp whole/episodes.jsonl torn/episodes.jsonl
# A changed observation is named with episode, step and path.
probity -q run --agent oracle --variant ideal --out changed > told
edit changed/episodes.jsonl 's/"observation":{"item_id":"T1","left":3}/"observation":{"item_id":"T1","left":4}/'
probity replay changed
# A damaged line and a changed input are told.
probity -q run --agent noop --out damaged > told && edit damaged/episodes.jsonl '1s/^/{nonsense\n/'
probity replay damaged
echo changed > "$(ls -d damaged/inputs/* | head -1)" && probity replay damaged 2> told; echo $?; grep -o 'the file was changed' told
# Missing and doubled episodes are told, and so is a report that says something else.
probity -q run --agent oracle --agent fault:wrong_value --limit 4 --out gaps > told && cp -r gaps kept && probity -q replay gaps
sed 1d kept/episodes.jsonl > gaps/episodes.jsonl && probity replay gaps
(head -1 kept/episodes.jsonl; cat kept/episodes.jsonl) > gaps/episodes.jsonl && probity replay gaps
probity show gaps > told; echo $?
# Nobody judged this run.
cp kept/episodes.jsonl gaps/episodes.jsonl && edit gaps/report.json '1s/{/{"judged": {},/' && probity replay gaps
cp kept/report.json gaps/report.json && edit gaps/report.json 's/"value": 1.0/"value": 0.9/' && probity replay gaps
sed 1d kept/episodes.jsonl > gaps/episodes.jsonl && rm gaps/report.json && probity replay gaps
probity score gaps > told
probity report gaps > told
# Numbers that no run has are refused.
probity -q run --agent noop --limit 1 --out bounds > told && cp bounds/run.json run.json
edit bounds/run.json 's/"trials": 1,/"trials": 4294967295,/'
for command in show score replay report; do probity $command bounds; done
sed 's/"seed": 0,/"seed": 18446744073709551615,/' run.json > bounds/run.json
for command in show score replay report; do probity $command bounds; done
cp run.json bounds/run.json
# Results that are lost are an error.
probity score bounds --json > /dev/full
probity show bounds > /dev/full
probity check > /dev/full
probity --help > /dev/full
# A folder of somebody else is not begun in; what we left there ourselves is no hindrance.
mkdir -p mine/inputs && echo mine > mine/inputs/thesis.txt && probity run --agent noop --limit 1 --out mine
rm mine/inputs/thesis.txt && echo ours > "mine/inputs/$(printf 'a%.0s' $(seq 64))" && probity -q run --agent noop --limit 1 --out mine > told && probity -q replay mine
