# What is wrong with a directory stands in its row and spoils no other.
shipped finance/bank && cp -r "$REPO/tickets" . && mock plain; for flags in '--out whole' '--variant ideal --out few'; do probity -q run --agent oracle --agent heuristic --agent openai:mock --base-url $URL --task mislaid_card --task plumber $flags > told; done
for name in torn damaged doubled wrong copied; do cp -r whole $name; done; truncate -s -100 torn/episodes.jsonl; edit damaged/episodes.jsonl '1s/{"format"/{format/'; head -1 whole/episodes.jsonl >> doubled/episodes.jsonl; edit wrong/episodes.jsonl '0,/"value":1.0/s//"value":0.0/'
probity -q run --suite tickets --agent oracle --limit 2 --out of-tickets > told; mkdir empty; echo x > file; probity -q plan --agent oracle --out plan.json > told; probity -q run --plan plan.json --shard 0/8 --out part > told
probity report whole torn damaged doubled wrong few of-tickets empty file none part ./whole copied
# Of those two nothing is wrong: the other is read otherwise, not in vain.
probity -q report whole few ./whole copied > told; echo $?
probity -q report whole torn > told; echo $?
