# A virtual environment with a module, and beside it what is nobody's business.
environment() { "$PYTHON" -m venv --without-pip "$@" && for at; do :; done && for library in "$at"/lib/python*/site-packages; do : > "$library/team_helper.py"; done && echo KEY=1 > "$at/.env"; }
# A program of these first words and the agent.
program() { mkdir -p "${1%/*}" && { echo "#!$2"; cat team.py; } > "$1" && chmod +x "$1"; }
# What an agent said behind the barrier that is started so, places below here; it looks for `LOOK`.
said() { rm -rf run && probity -q --root "$REPO" run --limit 1 --as team --isolate always --agent-env "LOOK=$LOOK" --out run --agent "exec:$@" > told && reply run | sed "s#$PWD/##g; s#\"current\"#\"venv\"#"; }
cp "$CASES/agents/team.py" . && PYTHON=$(python3 -c 'import sys; print(sys.executable)')
