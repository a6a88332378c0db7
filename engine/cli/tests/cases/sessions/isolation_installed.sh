# Needs bwrap and python3 with venv: bwrap --ro-bind / / --unshare-pid --proc /proc true && python3 -c 'import venv'
# Agents in virtual environments, copied, spaced and as uv lays them out, run behind the barrier, and nothing beside is shown.
. ./team.sh; mkdir keys share; environment venv; environment --copies copied; environment 'my team/venv'; real=$(readlink -f "$PYTHON"); ln -s "${real%/bin/*}" share/cpython-3; PYTHON=share/cpython-3/bin/${real##*/}; environment uv; ln -s venv current; program agents/start "$PWD/venv/bin/python"; program agents/by-env '/usr/bin/env python'; ln -s ../agents/start keys/start
. ./team.sh; LOOK=$PWD/venv/.env:$REPO/tasks; for command in 'venv/bin/python team.py' 'exec ./venv/bin/python3 -u team.py' 'current/bin/python team.py' "$PWD/venv/bin/python team.py" '. venv/bin/activate && python team.py' 'keys/../venv/bin/python team.py' agents/start keys/start 'copied/bin/python team.py' "'my team/venv/bin/python' team.py" 'my\ team/venv/bin/python team.py' 'uv/bin/python team.py'; do said "$command"; done
# The agent's own PATH says where its interpreter is.
. ./team.sh; LOOK=/nowhere; said agents/by-env --agent-env "PATH=$PWD/venv/bin:/usr/bin:/bin"
# A virtual environment may lie anywhere that can be written to.
. ./team.sh; for place in /tmp /var/tmp /srv "$HOME"; do at=$(mktemp -d "$place/probity-venv-XXXXXX" 2> /dev/null) || continue; (cp team.py "$at" && cd "$at" && environment venv && LOOK=$at/venv/.env && said 'venv/bin/python team.py'); rm -rf "$at"; done | sort -u
# Scripts of packages find their interpreter, here one that is no Python's own name.
. ./team.sh; environment tools; ln -s python tools/bin/node; program app/node_modules/pkg/cli.js '/usr/bin/env node'; echo '{}' > app/package.json; echo KEY=1 > app/.env; mkdir app/node_modules/.bin && ln -s ../pkg/cli.js app/node_modules/.bin/x; LOOK=$PWD/app/.env; PATH=$PWD/tools/bin:$PATH; said app/node_modules/.bin/x
# A folder with programs is no environment.
. ./team.sh; mkdir -p home/.ssh; echo key > home/.ssh/id_rsa; program home/bin/agent "$PWD/tools/bin/python"; LOOK=$PWD/home/.ssh:$PWD/home/bin/agent; said home/bin/agent
