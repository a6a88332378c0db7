# Every way of a provider to answer gives grades or the reason why there are none; what is not graded is in no mean, neither as zero nor in the denominator.
shipped finance/bank && probity -q run --agent oracle --agent fault:unknown_tool@mild --variant ideal --limit 2 --out run > told; echo $?
probity mock --list-modes | sed 1d | while read -r mode _ judge _; do (mock $mode; probity -q judge run --judge openai:mock --base-url $URL --attempts 2 --retry-wait 1 --request-timeout 2 --jobs 4 --json > told 2> said; echo "$mode, of which a judge $judge: $?"); python3 told.py $judge; mv run/judgements.jsonl $mode.jsonl; done
grep -o '"reply":"The agent did well' judge_never.jsonl
