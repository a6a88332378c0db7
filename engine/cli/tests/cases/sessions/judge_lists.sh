# Only reading lists are asked about, sentence by sentence, apart from grades and their traffic.
mkdir labels && cp -r "$REPO/labels/suite" labels && shipped travel_hospitality/front_desk && grep front_desk "$REPO/labels/dialogues.dev.jsonl" | head -8 > first && (sed -n 1p first; sed -n '1{s/"id": "[^"]*"/"id": "altered"/; s/"observation": \[{"email": "guest/&1/; p}' first; sed 1d first) > dialogues.jsonl
mock plain; probity judge --unsupported --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --out out | tee told.txt
ls out; grep -o '"dialogue":"[^"]*"\|"message":[0-9]*,"start":[0-9]*,"end":[0-9]*' out/unsupported.jsonl
probity score --dialogues dialogues.jsonl | grep -E '^[a-z0-9]+ |to read' | cut -c 1-60
probity judge --unsupported --dialogues dialogues.jsonl --judge openai:mock --jobs 1 --cassette out/unsupported-cassette.jsonl --out again > told; cmp told told.txt; cmp out/unsupported.jsonl again/unsupported.jsonl; probity judge --unsupported --dialogues dialogues.jsonl --out out | cmp - told.txt
# What is paid for is not asked again.
cp out/unsupported.jsonl whole.jsonl; (sed 1q whole.jsonl; sed -n 2p whole.jsonl | cut -c 1-50 | tr -d '\n') > out/unsupported.jsonl; mock plain; probity judge --unsupported --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --out out | cmp - told.txt; cmp whole.jsonl out/unsupported.jsonl
sed '1s/"verdict":"/&very_/' whole.jsonl > out/unsupported.jsonl; cp out/unsupported.jsonl bent.jsonl; probity judge --unsupported --dialogues dialogues.jsonl --judge openai:mock $AWAY --out out; cmp bent.jsonl out/unsupported.jsonl
probity judge --unsupported --dialogues dialogues.jsonl --judge openai:mock $AWAY --out fresh > told; grep judge_unreachable told
mock plain; probity -q judge --unsupported --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --out fresh | cmp - told.txt
# A reply that is no verdict gives none.
ask() { mock $1; echo $1; probity judge --unsupported --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --out $1 --json 2> said | sed -n '/"agents": {/,/}/p' | grep -E '": [0-9]'; cat said; }; for mode in judge_fenced judge_prose judge_range judge_float judge_missing judge_extra judge_cut judge_invents judge_passes_over judge_never; do (ask $mode); done
# In a run judged sentences stand beside the list, and in no number.
probity -q run --agent oracle --agent fault:misreports --variant ideal --out run > told; cp -r run plain; mock plain; probity judge run --unsupported --judge openai:mock --base-url $URL
probity show run --agent oracle | grep -E '^==|to read|judged:'; probity show plain | grep -c judged:
probity report run | grep 'Judged sentences'; probity -q report plain > told; for file in report.json episodes.jsonl; do cmp run/$file plain/$file; done; grep -c '"judged_words":{"sha256:' run/report.html; grep -c '"judged_words":' plain/report.html
probity compare plain run --gate > one; probity compare plain plain --gate > other; cmp one other; probity judge run --json | grep '"judges"'
# Slips with reading lists.
probity judge run --unsupported --wording statements-1
probity judge run --unsupported --labels l
probity judge run --wording unsupported-1
probity run --judge openai:m --judge-wording unsupported-1
probity judge calibrate --unsupported
