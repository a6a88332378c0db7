# Two sets of logs are a gate.
sed s/ID/d1/ bad.jsonl > base.jsonl && for id in $(seq 2 40); do sed s/ID/d$id/ good.jsonl; done >> base.jsonl
for id in $(seq 14); do sed s/ID/d$id/ bad.jsonl; done > new.jsonl && for id in $(seq 15 40); do sed s/ID/d$id/ good.jsonl; done >> new.jsonl
cp base.jsonl same.jsonl && probity audit -q base.jsonl same.jsonl
probity audit -q base.jsonl new.jsonl --junit out.xml --markdown out.md
grep -E 'failures=|rise' out.xml
cat out.md
probity audit -q base.jsonl new.jsonl --json > told; echo $?; grep -oF '"is_open": false' told
probity audit -q base.jsonl same.jsonl new.jsonl
# What a run is failed for.
probity audit -q --example --fail-on contradicted > told; echo $?
probity audit -q --example --fail-on no_consent > told; echo $?
probity audit -q --example --fail-on same_batch > told; echo $?
probity audit -q --example --fail-on no_consnt
probity audit -q --example --reads a,b --changes b
