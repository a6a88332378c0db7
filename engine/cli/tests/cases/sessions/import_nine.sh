# Nine tools with a list, an object within and a reference become a task that is certified; its words are an author's.
probity -q import mcp --tools "$CASES/import/boats.json" --id hire/boats --out nine
probity --root nine check --all > told; echo $?; sed 's/, [0-9]* calls in.*//' told
mkdir -p nine/tasks/hire/boats && cp "$CASES/import/call_it_off.json" nine/tasks/hire/boats
probity -q --root nine check --update
probity --root nine check --deny-warnings --all > told; echo $?
probity -q --root nine certify > told; echo $?; tail -1 told
# So do seven of them.
probity -q import mcp --tools "$CASES/import/boats.json" --id hire/boats --only find --only get --only list --only cancel --out seven
probity --root seven check --all > told; echo $?; sed 's/, [0-9]* calls in.*//' told
mkdir -p seven/tasks/hire/boats && cp "$CASES/import/call_it_off.json" seven/tasks/hire/boats
probity -q --root seven check --update
probity --root seven check --deny-warnings --all > told; echo $?
probity -q --root seven certify > told; echo $?; tail -1 told
# A server is asked in either era.
probity -q import mcp --command "python3 $CASES/import/server.py legacy" --out legacy > told; echo $?; tail -2 told
grep '"title"' legacy/environments/imported/server.json && probity --root legacy check
probity -q import mcp --command "python3 $CASES/import/server.py modern" --out modern > told; echo $?; tail -2 told
grep '"title"' modern/environments/imported/server.json && probity --root modern check
