# The README's own line starts a desk for a client of MCP, which leaves before the end and is scored.
shipped travel_hospitality/front_desk; sh -c "$(sed -n 's/^claude mcp add desk -- //p' "$REPO/README.md")" < claude.jsonl > said; grep -o 'The user says:[^"]*' said; grep -o '"isError":[a-z]*' said; sed -n 2p said | grep -o '"inputSchema"' | sort | uniq -c; sh -c "$(sed -n '/claude mcp add/,/```/s/^cat .*/&/p' "$REPO/README.md")" | grep -oE '"(end|reward)":[^,]*'
# A client whose input stays open has left when a signal ends the program.
mkfifo input; probity serve --mcp late_move --score left.jsonl < input > said & exec 3> input; sed -n 3p claude.jsonl >&3; until_done 'grep -q . said'; kill $!; wait $!; echo $?; grep -oE '"(end|reward)":[^,]*' left.jsonl
# What others can reach asks for a token.
probity serve --mcp-http 0.0.0.0:0 late_move
# Each client of a socket has episodes of its own; what a killed server left is in nobody's way, and one that is stopped leaves nothing.
for signal in KILL TERM; do probity -q serve --jsonl --socket s & python3 clients.py; kill -$signal $!; wait $! 2> told; test -S s; echo $?; done
