# From a raw dialogue to a run: who speaks is masked, and nothing is overwritten.
probity import tickets --dialogues raw.jsonl --names names.txt --out out
cat out/tickets/server/up_1.json
probity import tickets --dialogues raw.jsonl --out out
# A line is one object.
echo '["up_1", "server", []]' > list.jsonl; probity import tickets --dialogues list.jsonl --out out
probity -q --root out run --suite tickets --agent oracle --out run
