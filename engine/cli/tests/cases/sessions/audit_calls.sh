# Calls are held against each other.
cp "$CASES/audit/calls.jsonl" "$REPO/labels/foreign.dev.jsonl" . && probity audit -q calls.jsonl
# Who says which argument says nothing, and that closing only reads, is believed.
found() { probity audit -q --json "$@" calls.jsonl | grep -o '"id":"[^"]*"\|"code":"[^"]*"'; }; found > told; found --ignore key | diff told -; found --reads close_account | diff told -
# Standard input and threads change nothing.
for threads in 1 3; do RAYON_NUM_THREADS=$threads probity audit -q --json - < foreign.dev.jsonl > threads-$threads; done; cmp threads-1 threads-3; grep -o '"id":"[^"]*"' threads-1 | wc -l; sed -n '/^  "findings": {/,/}/p' threads-1 | tee piped; probity audit -q --json foreign.dev.jsonl | sed -n '/^  "findings": {/,/}/p' | diff piped -
