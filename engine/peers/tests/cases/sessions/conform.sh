# A wrong vector fails and is written down; the vectors are not overwritten.
cp wrong.jsonl kept && probity-peers conform rut wrong.jsonl --failures wrong.jsonl; cmp kept wrong.jsonl
probity-peers conform rut wrong.jsonl --failures failures.jsonl
cat failures.jsonl
probity-peers conform rut wrong.jsonl --json | grep plain_cases
# What cannot be read is named and hides no result.
probity-peers conform rut bad.jsonl none.jsonl
probity-peers conform rut bad.jsonl --json > told; grep -E '"(failed|unreadable)"' told
# A vector counts once.
probity-peers conform rut twice.jsonl ./twice.jsonl
probity-peers conform rut twice.jsonl again.jsonl
# A recording that came out otherwise is told, and so is a line that is none.
probity-peers --root "$CASES/../../../.." conform tau2-gold --data "$CASES/conform/tau2" tau2.jsonl
probity-peers conform tau2-gold tau2.jsonl
# Errors are JSON where JSON is asked for.
probity-peers conform rut none.jsonl --json > told; echo $?; grep '"code"' told
probity-peers score --format rut-bench --samples a --blueprints b --results c --json > told; echo $?; grep '"code"' told
probity-peers import rut-bench --samples a --blueprints b --out out --json > told; echo $?; grep '"code"' told
