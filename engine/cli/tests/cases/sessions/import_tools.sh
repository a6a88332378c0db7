# A list of tools becomes a world that plays; these are its files.
probity import mcp --json --tools "$CASES/import/repairs.json" --id shop/repairs --out . | tr -d '\n ' | grep -o '"collections":[^]]*]'
cat environments/shop/repairs.json
cat scripts/shop/repairs.rhai
# A wrapper such as `npx` has the server as a child: both end.
printf 'sleep 600 &\necho $! > pid\npython3 "%s" legacy\n' "$CASES/import/server.py" > wrapper.sh && probity -q import mcp --command 'sh wrapper.sh' --out asked > told; ! grep -vq ') Z ' /proc/$(cat pid)/stat 2> told && echo 'both have ended'
# More than an environment holds is refused before it is written.
words=$(printf 'word %.0s' $(seq 100)); fields=$(for n in $(seq 200); do printf '"field%s": {"type": "string", "description": "%s"}, ' $n "$words"; done); (echo '{"tools": ['; for n in $(seq 100 299); do printf '%s{"name": "make%s", "inputSchema": {"properties": {%s}}}\n' "$([ $n = 100 ] || echo ,)" $n "${fields%, }"; done; echo ']}') > large.json; probity import mcp --tools large.json --out large; test -e large; echo $?; probity -q import mcp --tools large.json --out large --only make10 > told
