# Episodes are graded as they end; in the report the judge has a block of its own, and the rules' numbers are as without.
shipped finance/bank && echo '--agent oracle --agent fault:unknown_tool@mild --variant ideal --limit 2' > few; probity -q run $(cat few) --out plain > told
mock plain; probity -q run $(cat few) --judge openai:mock --judge-base-url $URL --judge-prices 2,8 --out run
sed '/^  "judged": {/,/^  },/d' run/report.json | cmp - plain/report.json; sed -n '/^  "judged": {/,/^  },/p' run/report.json; grep -c '"judged":{' run/report.html
# The file is the one that `probity judge` writes: nobody is asked again, and a report is the same.
cp run/judgements.jsonl run/report.json run/report.html .; probity -q judge run --judge openai:mock $AWAY > told && for file in judgements.jsonl report.json report.html; do cmp $file run/$file; done
probity report run > told && grep -c '(judge)' told; for file in report.json report.html; do cmp $file run/$file; done; probity -q replay run
# Its cassette gives all of it again.
probity -q run $(cat few) --judge openai:mock --judge-cassette run/judge-cassette.jsonl --jobs 1 --judge-prices 2,8 --out again > told; for file in judgements.jsonl report.json; do cmp $file again/$file; done
# A run goes on with its judge: as after a kill, one episode and two judgements are lost.
mock plain; probity -q run $(cat few) --judge openai:mock --judge-wording statements-1 --base-url $URL --out killed > told; grep -c '"pointed":{' killed/judgements.jsonl; cp -r killed whole; for file in episodes judgements; do cp killed/$file.jsonl .; done; sed 3q episodes.jsonl > killed/episodes.jsonl; sed 2q judgements.jsonl > killed/judgements.jsonl; probity -q run --resume killed > told; for file in episodes.jsonl judgements.jsonl report.json; do cmp whole/$file killed/$file; done; wc -l < killed/judge-cassette.jsonl
echo '{}' > killed/judgements.jsonl; probity run --resume killed
# A judge that fails keeps no score back.
probity run $(cat few) --judge openai:mock --judge-base-url http://127.0.0.1:9/v1 --attempts 1 --out away
sed '/^  "judged": {/,/^  },/d' away/report.json | cmp - plain/report.json; sed -n '/^  "judged": {/,/^  },/p' away/report.json | grep -A 8 '"faithfulness": {'
mock judge_never; probity -q run $(cat few) --judge openai:mock --judge-base-url $URL --out never | grep 'not graded'
sed '/^  "judged": {/,/^  },/d' never/report.json | cmp - plain/report.json
# Slips about a judge.
probity run --judge oracle
probity run --judge-base-url http://x/v1
probity run --judge openai:m --judge-wording relibility-1
probity run --judge openai:m --judge-cassette no/such
probity run --judge openai:m --judge-base-url x
probity run --resume plain --judge openai:m
