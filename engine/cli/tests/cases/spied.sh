[ -d desk ] || { mkdir -p desk/agent && cp "$CASES/agents/spy.py" desk/agent && shipped finance/bank; }
# A spy in a run of this name, with these flags; it is started beside the suite, with a secret and a file left open.
spied() {
    name=$1; shift
    spy="exec:exec python3 agent/spy.py $PWD ${PORT:-9} ${TARGET:-$PWD/desk/$name}"
    (cd desk && exec 7< /etc/passwd && OPENAI_API_KEY=sk-spied-0123456789-abcdef PATH=${TOOLS:-$PATH} probity --root .. run --limit 1 --as spy --out "$name" --agent "$spy" "$@" > ../told)
}
# What it says of its own folder, environment and open files, and whether the folder is gone with it.
alone() { reply "$1" listing env open at_home home; test -e "$(reply "$1" cwd | cut -d '"' -f 4)" || echo 'its folder is gone'; }
