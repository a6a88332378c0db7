# What is refused says so with help and changes nothing.
probity -q new env shop/counter > wrote; (echo '{"open": {"task": "sell_two_teapots", "levels": {"variant": "underspecification"}}}'; cat refused.jsonl) | probity serve --jsonl
# Who sends what no agent may send has failed.
long=$(printf 'x%.0s' $(seq 66560)); many=$(printf '{"tool":"x","arguments":{}},%.0s' $(seq 64)); for message in '{}' "{\"calls\":[$many{\"tool\":\"x\",\"arguments\":{}}]}" "{\"text\":\"$long\"}"; do step="{\"step\":{\"episode\":\"e1\",\"message\":$message}}"; printf '%s\n' '{"open":{"task":"sell_two_teapots"}}' "$step" "$step" '{"score":{"episode":"e1"}}' | probity serve --jsonl | tail -n +2; done
# An environment alone is served as a stateful twin.
probity serve --jsonl shop/counter --seed 3 < twin.jsonl
probity serve --jsonl no/where
# A client of MCP plays one episode; its score is written when it leaves, and the run can be read.
probity serve --mcp sell_two_teapots --variant underspecification --score score.json --out kept < client.jsonl
cat score.json
probity replay kept
# Scores are added, and what nobody played is none.
probity serve --mcp sell_two_teapots --score score.json < /dev/null; wc -l < score.json
probity serve --mcp sell_two_teapots --out kept
probity serve --mcp sell_two_teapots --user openai:gpt-x
# What is asked wrongly over MCP has the code of its slip; a message that no agent may send is told, and the episode goes on.
probity serve --mcp sell_two_teapots < odd.jsonl
say() { printf '{"jsonrpc": "2.0", "id": %s, "method": "tools/call", "params": {"name": "say_to_user", "arguments": {"text": "%s"}}}\n' "$1" "$2"; }; long=$(printf 'x%.0s' $(seq 70000)); deep=$(printf '[%.0s' $(seq 80))$(printf ']%.0s' $(seq 80)); (say 1 "$long"; say "\"$(printf 'x%.0s' $(seq 300))\"" Hello; printf '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "find_items", "arguments": {"name": %s}}}\n' "$deep"; say 3 "What shall it be?") | probity serve --mcp sell_two_teapots --variant underspecification
# What was said before a checkpoint is told.
probity --root "$REPO" serve --suite tickets --mcp phone_in_the_lake --level mode=single_turn --level checkpoint=cp2 < client.jsonl | sed -n 1p
