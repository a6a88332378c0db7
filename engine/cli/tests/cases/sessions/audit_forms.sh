# The same dialogues give the same findings in every form; some forms mark no refusal, and some have no brief.
for file in "$REPO"/engine/logs/tests/cases/same/*; do probity audit -q --json "$file" | python3 -c 'import json, sys; audited = json.load(sys.stdin); claims = audited["summary"]["claims"]; print(claims["calls"], claims["contradicted"], [[one["code"] for one in episode["findings"] if one["code"] != "tool_refused" and one["verdict"] != "unsupported"] for episode in audited["episodes"]])'; done | sort | uniq -c
# So do ten others. Some forms have no mark of a refusal: the one that does not word itself as one is taken for an answer there.
ls "$CASES/audit/ten" | tee all | wc -l; for file in $(grep jsonl all); do probity audit -q --json "$CASES/audit/ten/$file" | python3 plain.py > ${file%.jsonl}.txt; done
cat anthropic.txt
for file in $(grep jsonl all); do echo ${file%.jsonl}; diff anthropic.txt ${file%.jsonl}.txt; done
# Sessions of Claude Code hold neither brief nor tools, rollouts of Codex no tools: these are given beside them, a dialogue at a time.
python3 -c 'import json, sys; [open(dialogue["id"] + end, "w").write(text) for dialogue in map(json.loads, open(sys.argv[1])) for end, text in ((".json", json.dumps(dialogue["tools"])), (".md", dialogue["brief"]))]' "$CASES/audit/ten/probity.jsonl"
for file in *.md; do id=${file%.md}; probity audit -q --json "$CASES/audit/ten/claude-code/$id.jsonl" --tools $id.json --brief $id.md | python3 plain.py >> claude-code.txt; probity audit -q --json "$CASES/audit/ten/codex/$id.jsonl" --tools $id.json | python3 plain.py >> codex.txt; done 2>&1 | sort | uniq -c
for form in claude-code codex; do echo $form; diff anthropic.txt $form.txt; done
# Of desks that no rule's writer read, what something contradicts stands on an untruth that a reader marked, and nobody who tells none is flagged, as far as docs/AUDIT.md says.
probity audit -q --json "$REPO/labels/foreign.test.jsonl" | python3 floors.py "$REPO/labels/foreign.test.jsonl"
