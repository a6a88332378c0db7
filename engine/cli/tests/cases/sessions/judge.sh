# A judgement says who judged what and how.
shipped finance/bank && probity -q run --agent oracle --agent fault:unknown_tool@mild --variant ideal --limit 2 --out run > told && for name in first second third resumed away stale ann repeats; do cp -r run $name; done
mock plain; probity judge run --judge openai:mock --base-url $URL --temperature 0.5 --extra-body '{"seed": 3}'
cat run/judgements.jsonl
# Another way of asking is another judge: what is there does not count for it, and the two are told apart.
mock plain; probity judge run --judge openai:mock --base-url $URL --json | sed -n '/"raters"/,/]/p;/"scale"/p'
wc -l < run/judgements.jsonl
# A judge is not told who played.
probity -q run --agent oracle --as good --agent oracle --as bad --variant ideal --limit 1 --out blind > told; mock plain; probity -q judge blind --judge openai:mock --base-url $URL > told
grep -o '"unit":"[^"]*"' blind/judge-cassette.jsonl; sed 's/.*"request"/"request"/; s/,"answer".*//' blind/judge-cassette.jsonl | sort -u | wc -l
# Results depend neither on jobs nor on the network, and without a judge what is there is summed up.
mock plain; probity -q judge first --judge openai:mock --judge openai:other --repeats 2 --jobs 4 --base-url $URL --json > first.json; probity -q judge second --judge openai:mock --judge openai:other --repeats 2 --jobs 1 --base-url $URL --json > second.json
probity -q judge third --judge openai:mock --judge openai:other --repeats 2 --cassette first/judge-cassette.jsonl --json > third.json; probity judge first --json > summed.json
for name in second third; do cmp first/judgements.jsonl $name/judgements.jsonl; cmp first.json $name.json; done; cmp first.json summed.json; wc -l < first/judgements.jsonl
probity judge first | tee table
# A report has them in a block of its own, and its files stay what the rules say.
cp first/report.json first/report.html . && probity report first > told; tail -n "$(wc -l < table)" told | cmp - table; cmp report.json first/report.json; cmp report.html first/report.html
# What is judged is not asked again: as after a kill, three judgements and half of the next are there.
mock plain; probity judge resumed --judge openai:mock --repeats 2 --base-url $URL > whole.txt; cp resumed/judgements.jsonl whole.jsonl; wc -l < whole.jsonl
(sed 3q whole.jsonl; sed -n 4p whole.jsonl | cut -c 1-40 | tr -d '\n') > resumed/judgements.jsonl; mock plain; probity judge resumed --judge openai:mock --repeats 2 --base-url $URL > again.txt; cmp whole.txt again.txt; cmp whole.jsonl resumed/judgements.jsonl
probity judge resumed --judge openai:mock --repeats 2 $AWAY > away.txt; echo $?; cmp whole.txt away.txt; probity judge resumed --judge openai:mock --repeats 1 $AWAY > away.txt; echo $?
# A line that cannot be read may have been paid for, and no grade comes in that no judge may give.
(sed 1q whole.jsonl; echo '{}'; sed -n 2p whole.jsonl) > resumed/judgements.jsonl; probity judge resumed --judge openai:mock $AWAY
sed '1s/"grade":[0-9]/"grade":9/' whole.jsonl > resumed/judgements.jsonl; probity judge resumed
# Who was away is asked again, and what came of it before is no second line.
probity judge away --judge openai:mock $AWAY
cp away/judgements.jsonl unreached.jsonl; mock plain; probity judge away --judge openai:mock --base-url $URL | tee back.txt; grep -c '"status":"graded"' away/judgements.jsonl
cat unreached.jsonl >> away/judgements.jsonl; probity judge away > told; cmp told back.txt
# Judgements are of what was read: an episode that reads otherwise now is another, whatever its record says.
mock plain; probity -q judge stale --judge openai:mock --base-url $URL > told; edit stale/episodes.jsonl '1s/"type":"reply","message":/"type":"reply","message":1/'; probity judge stale --judge openai:mock --base-url $URL > told; wc -l < stale/judgements.jsonl; wc -l < stale/judge-cassette.jsonl
# A judge without variance agrees with itself by nothing.
mock plain; probity judge repeats --judge openai:mock --repeats 3 --base-url $URL
probity -q run --agent oracle --variant ideal --limit 2 --out alone > told; mock plain; probity judge alone --judge openai:mock --repeats 2 --base-url $URL
