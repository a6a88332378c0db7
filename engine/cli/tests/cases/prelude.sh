# What each line of a session may call. `edit FILE SCRIPT`, where the script of `sed` must change something.
edit() { sed "$2" "$1" > ../edited.$$; ! cmp -s ../edited.$$ "$1" && mv ../edited.$$ "$1"; }
# Copies shipped environments, with their scripts and tasks, so that the folder is a suite of its own.
shipped() {
    mkdir -p scripts && cp -r "$REPO/scripts/lib" scripts
    for id; do
        mkdir -p "environments/${id%/*}" "scripts/${id%/*}" "tasks/${id%/*}"
        cp "$REPO/environments/$id.json" "environments/${id%/*}"
        cp "$REPO/scripts/$id.rhai" "scripts/${id%/*}"
        cp -r "$REPO/tasks/$id" "tasks/$id"
    done
}
# A mock in this mode at `$URL`, as long as the line goes on.
mock() {
    mkfifo ../mock.$$ && { probity -q mock --mode "$1" > ../mock.$$ 2> /dev/null & read -r URL < ../mock.$$; rm ../mock.$$; trap "kill $!" EXIT; }
}
# Where nobody is.
AWAY='--base-url http://127.0.0.1:9/v1 --attempts 1'
# How a comparison ends and what it says before its tables.
verdict() { probity compare "$@" > told; echo $?; sed '/^$/,$d' told; }
# What an agent said in its first reply, as JSON: all of it, or what stands under these names.
reply() {
    python3 -c 'import json, sys
events = json.loads(open(sys.argv[1] + "/episodes.jsonl").readline())["trace"]["events"]
said = json.loads(next(event["text"] for event in events if event["type"] == "reply"))
print(json.dumps({name: said[name] for name in sys.argv[2:]} if sys.argv[2:] else said, sort_keys=True))' "$@"
}
# Waits until a command is done well, a minute at most.
until_done() { for _ in $(seq 1200); do ! eval "$1" 2> /dev/null || return 0; sleep 0.05; done; return 1; }
# Imports the list of tools NAME.json into a folder, as the desk of a shop.
desk() { probity -q import mcp --tools "$1.json" --id shop/desk --out "$2"; }
# What that guessed once more: tool by tool, with the ground of each guess.
guesses() { probity -q --json import mcp --tools "$1.json" --id shop/desk --out "$1" | python3 -c 'import json, sys
told = json.load(sys.stdin)
print(*told["collections"], *(f"""{guess["tool"]} {guess["says"]}: {guess["ground"]}""" for guess in told["guesses"]), sep="\n")'; }
# A command in a terminal, where keys are typed, each after a word has appeared: `WORD\x00KEYS`, more of them behind `\x00`.
terminal() { keys=$1; program=$(command -v "$2"); shift 2; python3 "$CASES/terminal.py" "$keys" "$program" "$@"; }
# Models of `model.py` at `$URL`, as long as the line goes on.
model() { mkfifo ../model.$$ && { python3 "$CASES/model.py" "$1" > ../model.$$ & read -r URL < ../model.$$; rm ../model.$$; trap "kill $!" EXIT; }; }
