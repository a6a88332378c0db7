# Slips in the shape of peer files are told.
probity-peers score --format rut-bench --samples samples.jsonl --blueprints blueprints.json --results results.json > told; echo $?; grep -c wide_integer told
sed s/items/itmes/ blueprints.json > other.json; probity-peers score --format rut-bench --samples samples.jsonl --blueprints other.json --results results.json
(echo '{"resluts":'; cat results.json; echo '}') > other.json; probity-peers score --format rut-bench --samples samples.jsonl --blueprints blueprints.json --results other.json
echo '{"items": {}}' > other.json; probity-peers score --format rut-bench --samples samples.jsonl --blueprints other.json --results results.json
printf '{\n  "sample_id": "s",\n  "task_id": "t"\n}\n' > other.jsonl; probity-peers score --format rut-bench --samples other.jsonl --blueprints blueprints.json --results results.json
sed 's/]}]}/]}, {"task_blueprints": [{"task_id": "t"}]}]}/' blueprints.json > other.json; probity-peers score --format rut-bench --samples samples.jsonl --blueprints other.json --results results.json > told; echo $?
echo '[]' > other.jsonl; probity-peers score --format rut-bench --samples other.jsonl --blueprints blueprints.json --results results.json
printf '' > other.jsonl; probity-peers score --format rut-bench --samples other.jsonl --blueprints blueprints.json --results results.json
echo '{"items": []}' > other.json; probity-peers score --format rut-bench --samples samples.jsonl --blueprints other.json --results results.json
sed 's/"final_state": {}/"final_state": {"x": 99999999999999999999}/' results.json > other.json; probity-peers score --format rut-bench --samples samples.jsonl --blueprints blueprints.json --results other.json > told; echo $?; grep -c wide_integer told
# Every slip is told at once.
probity-peers score --format rut-bench --samples many.jsonl --blueprints many_blueprints.json --results many_results.json
