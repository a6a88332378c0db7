# Options that the suite does not have are refused.
mkdir -p tickets/billing && cp -r "$REPO/tickets/tools" "$REPO/tickets/references" tickets && cp "$REPO/tickets/billing/renewal_charged_twice.json" tickets/billing && probity run --suite tickets --set attempts=3 --out run
probity run --suite tickets --set tries=2 --out run; test -e run; echo $?
# Commands that know nothing of tickets tell of them.
for agent in oracle fault:premature_close; do probity -q run --suite tickets --agent $agent --as desk --task renewal_charged_twice --out ${agent#*:} > told; done
probity replay oracle && probity score oracle > told && probity -q report oracle > told && probity -q run --resume oracle > told; echo $?
verdict oracle oracle --gate
verdict oracle premature_close --gate --markdown c.md; grep -c sr_pass1 c.md
probity show premature_close --failed --level mode=multi_turn
# It is not asked for in single turns.
grep -m 1 -A 4 '"atpr"' oracle/report.json; sed -n '/"reply_type"/,/^      }/p' oracle/report.json | grep -oE '^          "[a-z_]*": \{|^        "[a-z_]*": \{' | sort -u
# An agent in a process begins within the recorded dialogue, in both attempts.
probity -q run --suite tickets --agent "exec:python3 $CASES/agents/history.py" --as history --isolate never --task renewal_charged_twice --level checkpoint=cp2 --set attempts=2 --out process > told; grep -o '"type":"reply","message":[0-9]*,"text":"[^"]*"' process/episodes.jsonl; probity -q replay process
# A reply to nothing is refused with its line.
for line in '{"ticket": "sms/none", "checkpoint": 1, "reply": "x", "label": "included", "why": ""}' '{"ticket": "sms/none", "checkpoint": 1, "reply": "x", "label": "maybe", "why": ""}' ''; do echo "$line" > labels.jsonl; probity judge calibrate --replies labels.jsonl; done
# A suite is checked and counted by its card.
probity check --suite tickets --all
probity check --suite ticket
mkdir -p wrong/tickets/disk/deep && echo '{"tools": ["a", "a"], "checkpoints": [{"query": "Up?", "reply": "Up.", "reply_type": "solution", "facts": ["up"]}]}' > wrong/tickets/disk/deep/full.json; probity check --suite tickets --root wrong
