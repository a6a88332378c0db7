# Dialogues from elsewhere are graded; one whose first call gives something else than was recorded is not.
mkdir labels && cp -r "$REPO/labels/suite" labels && shipped travel_hospitality/front_desk && grep front_desk "$REPO/labels/dialogues.dev.jsonl" | head -4 > first && (sed -n 1p first; sed -n '1{s/"id": "[^"]*"/"id": "altered"/; s/"observation": \[{"email": "guest/&1/; p}' first; sed 1d first) > dialogues.jsonl
mock plain; probity judge --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --out out | tee graded.txt
probity judge --dialogues dialogues.jsonl --judge openai:mock $AWAY --out out | cmp - graded.txt; probity judge --dialogues dialogues.jsonl --out out | cmp - graded.txt
probity judge --dialogues dialogues.jsonl --judge openai:mock --jobs 1 --cassette out/judge-cassette.jsonl --out again > told; cmp told graded.txt; cmp out/judgements.jsonl again/judgements.jsonl
echo '{}' > again/run.json; probity judge --dialogues dialogues.jsonl --judge openai:mock $AWAY --out again
# What the judge points at is found in the messages and at the steps of the dialogue.
probity judge --dialogues dialogues.jsonl --out out --json | grep -E '^      "id"|"(quote|message|start|end|step)":'
# What is said by nobody is not believed.
mock judge_invents; probity -q judge --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --out invented --json > told; grep -o '"unbelieved": [0-9]*' told; grep -c '"quote"' told; grep -c '"findings": \[\]' told
probity judge calibrate --dialogues dialogues.jsonl --out invented
# A judge that is asked for grades alone is compared by grades.
mock plain; probity judge calibrate --dialogues dialogues.jsonl --wording reliability-1 --judge openai:mock --base-url $URL
# Who grades no dialogue is in no number.
mock judge_never; probity judge calibrate --dialogues dialogues.jsonl --judge openai:mock --base-url $URL --json | sed -n '/"judges"/,/"not_judged"/p'
probity judge calibrate --dialogues dialogues.jsonl --judge openai:mock $AWAY > told; grep judge_unreachable told
# Slips with dialogues.
sed -n 1p first | sed 's/, "labels": .*/}/' > bare.jsonl; probity judge calibrate --dialogues bare.jsonl
probity judge --dialogues dialogues.jsonl
probity judge run --dialogues dialogues.jsonl --out o
probity judge run --out o
probity judge run --limit 3
probity judge calibrate --limit 3
probity judge --dialogues no/such --out o
probity judge run --wording statement-1
probity judge calibrate --dialogues dialogues.jsonl --fault misreports
probity judge calibrate --dialogues dialogues.jsonl --sample 1
probity judge calibrate --dialogues dialogues.jsonl --limit 0
