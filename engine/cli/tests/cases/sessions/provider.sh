# A run goes offline from its cassette; another option is another request.
shipped finance/bank && mock rate_limited; probity -q run --agent openai:mock --as model --base-url $URL --attempts 2 --retry-wait 1 --jobs 2 --out live > told
probity -q run --agent openai:mock --as model --cassette live/cassette.jsonl --jobs 1 --out again; for file in episodes.jsonl report.json; do cmp live/$file again/$file; done; probity -q replay again; grep -c '"retries":0' again/episodes.jsonl
probity -q run --agent openai:other --as model --cassette live/cassette.jsonl --limit 1 --out other > told; grep -o 'recorded with another[^"]*' other/episodes.jsonl
# Models without tool calls write blocks.
mock plain; probity -q run --agent openai:mock --base-url $URL --tool-mode prompt --variant ideal --variant goal_switching --out blocks
# A stopped run asks only for what is missing, and plays again what could not be reached.
mock plain; probity -q run --agent openai:mock --base-url $URL --variant ideal --jobs 1 --out stopped > told; cp -r stopped whole; sed 2q whole/episodes.jsonl > stopped/episodes.jsonl; probity -q run --resume stopped > told; cmp whole/episodes.jsonl stopped/episodes.jsonl; wc -l < whole/cassette.jsonl; wc -l < stopped/cassette.jsonl
mock rate_limited; cp -r stopped asked; edit asked/run.json "s#\"base_url\": \"[^\"]*\"#\"base_url\": \"$URL\"#"; sed 2q whole/episodes.jsonl > asked/episodes.jsonl; probity -q run --resume asked > told; wc -l < asked/episodes.jsonl; grep -c '"retries":[1-9]' asked/episodes.jsonl
mock down; probity -q run --agent openai:mock --base-url $URL --attempts 1 --variant ideal --out lost > told; grep -o '"reason":"provider_[a-z]*"' lost/episodes.jsonl
mock plain; edit stopped/run.json "s#\"base_url\": \"[^\"]*\"#\"base_url\": \"$URL\"#"; (sed -n 1p whole/episodes.jsonl; sed -n 2p lost/episodes.jsonl; sed 1,2d whole/episodes.jsonl) > stopped/episodes.jsonl; probity -q run --resume stopped > told; cmp whole/episodes.jsonl stopped/episodes.jsonl
# The key is sent and nowhere kept.
mock echo_key; PROBITY_TEST_KEY=sk-very-secret-1234567890; export PROBITY_TEST_KEY; probity run --agent openai:mock --base-url $URL --attempts 1 --limit 2 --api-key-env PROBITY_TEST_KEY --out key > told 2>&1; echo $?; grep -c 'wrong key \[key\]' told key/episodes.jsonl; grep -rl sk-very key told
# Users and judges are asked in forms of their own, and other keys of a request are not theirs.
mock plain; probity -q run --agent anthropic:mock --user model --user-model gemini:user --judge bedrock:wise --base-url $URL --user-base-url $URL --judge-base-url $URL --extra-body '{"top_k": 1}' --variant ideal --limit 2 --out forms > told; sed "s#$URL#URL#" forms/run.json | sed -n '/"user_model"/,/"inputs"/p'; grep -c '"id":"bedrock:wise"' forms/judgements.jsonl; grep -o '"user":"[^"]*"' forms/episodes.jsonl | sort | uniq -c; probity -q judge forms --judge responses:m --base-url $URL > told
probity judge forms --judge responses:m --judge openai:m
# What another form is spoken at is never guessed, and a name alone is asked as the agents are.
probity run --agent anthropic:mock $AWAY --user model --user-model openai:user --out alike
probity run --agent anthropic:mock $AWAY --judge openai:wise --out alike
mock plain; probity -q run --agent anthropic:mock --base-url $URL --user model --user-model user --variant ideal --limit 1 --out alike > told; sed "s#$URL#URL#" alike/run.json | grep -E '"(base_url|form)"'
# The example workflow runs offline, and a standard parser reads its report of tests.
mkdir gate docs && cp "$REPO/docs/gate.toml" docs && mock plain; probity -q run --agent openai:mock --base-url $URL --as agent --out gate/base > told; cp gate/base/cassette.jsonl gate; sed -n 's/^ *run: //p' "$REPO/docs/gate.yml" | tee steps.sh
GITHUB_STEP_SUMMARY=summary.md; export GITHUB_STEP_SUMMARY; sh -e steps.sh > told 2> said; echo $?; grep -m 1 'gate open' summary.md; python3 -c "import xml.etree.ElementTree as t; r = t.parse('gate.xml').getroot(); print(r.tag, r.get('failures'), len(r.findall('.//testcase')))"
