# People are judges too: ann agrees with the mock but for one episode of four, and labels need no network.
shipped finance/bank && probity -q run --agent oracle --agent fault:unknown_tool@mild --variant ideal --limit 2 --out run > told
label() { sed -n "$1p" run/episodes.jsonl | sed 's/.*"agent":"\([^"]*\)".*"task":"\([^"]*\)".*/{"format": 1, "judge": "human:ann", "agent": "\1", "task": "\2", "variant": "ideal", GRADES}/' | sed "s/GRADES/$2/"; }; label 1 '"discipline": 2' > first.jsonl; (cat first.jsonl; label 2 '"discipline": 2'; label 3 '"discipline": 3'; label 4 '"discipline": 2') | tee ann.jsonl
mock plain; probity judge run --judge openai:mock --base-url $URL --labels ann.jsonl --json | sed '/"judges"/,$d'
probity judge run --labels ann.jsonl
# Labels are read strictly, repeats are bounded, and a person's grades come from label files alone.
(cat first.jsonl; sed 's/"discipline": 2/"discipline": 4, "mood": 1/' first.jsonl; cat first.jsonl) > wrong.jsonl; probity judge run --labels wrong.jsonl
sed 's/"discipline"/"repeat": 4000000000, "discipline"/' first.jsonl > many.jsonl; probity judge run --labels many.jsonl
(cat first.jsonl; sed 's/"discipline"/"repeat": 99, "discipline"/' first.jsonl) > two.jsonl; probity judge run --labels two.jsonl --json | grep '"repeats"'
cp run/judgements.jsonl kept.jsonl; edit run/judgements.jsonl '1s/"repeat":0/"repeat":4294967295/'; probity judge run
sed 's/"openai:mock"/"human:ann"/' kept.jsonl > run/judgements.jsonl; probity judge run
# Of many slips the first fifty are told.
yes '{}' | sed 1000q > wrong.jsonl; probity judge run --labels wrong.jsonl > told 2>&1; echo $?; head -3 told; grep -c 'error\[' told; tail -2 told
