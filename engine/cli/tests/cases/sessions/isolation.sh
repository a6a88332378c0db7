# An agent in a process has a folder and an environment of its own and no open file of ours, and the run says what stood between.
. "$CASES/spied.sh"; spied never -q --isolate never; alone desk/never; grep -A 2 '"isolation"' desk/never/run.json
# Without bubblewrap `auto` says so, and `always` refuses.
. "$CASES/spied.sh"; mkdir tools; ln -s "$(command -v sh)" "$PROGRAMS/probity" tools; ln -s "$(python3 -c 'import sys; print(sys.executable)')" tools/python3; TOOLS=$PWD/tools; spied auto --isolate auto 2> said; grep isolated said; alone desk/auto; grep 'could reach' told; spied refused --isolate always; ls desk
# A folder and variables are given to agents by name; a key that an agent was told and says stands in no run.
. "$CASES/spied.sh"; echo "word = 'helped'" > desk/agent/helper.py; spied given -q --isolate never --agent-dir agent --agent-env OPENAI_API_KEY --agent-env 'MODE=a b'; reply desk/given env listing elsewhere; reply desk/given cwd | sed "s#$(pwd -P)##"; sed "s#$(pwd -P)##" desk/given/run.json | sed -n '/"isolation"/,/}/p'
probity run --agent exec:cat --agent-env PROBITY_NO_SUCH
# A run goes on as it began, wherever the suite lies; what a run of before says of isolation is nothing.
. "$CASES/spied.sh"; : > desk/never/episodes.jsonl; (cd desk && probity -q run --resume never > ../told); reply desk/never tasks; edit desk/never/run.json '/"isolation"/,/}/d'; probity -q report desk/never > told
# A past that an agent changes fails the run, and so does what the run says of itself.
cp "$CASES/agents/forger.py" . && mkdir lost && probity run --agent "exec:python3 $PWD/forger.py /forged" --as forger --limit 3 --jobs 1 --isolate never --out "$PWD/lost/forged" 2>&1 | sed "s#$PWD##"; ls lost/forged | grep -c report
probity run --agent "exec:python3 $PWD/liar.py $PWD/lied" --as liar --limit 1 --isolate never --out lied; ls lied | grep -c report
# Our own environment and open files are shut to other processes of the same user, but not to root.
probity -q run --agent 'exec:exec 3<&0; read start <&3; read user <&3; parent=$PPID; if cat /proc/$parent/environ >/dev/null 2>&1 || ls /proc/$parent/fd >/dev/null 2>&1; then said=open; else said=shut; fi; echo "{\"text\": \"$said\"}"; sleep 1' --as peer --limit 1 --isolate never --out shut > told; [ "$(id -u)" = 0 ] && must=open || must=shut; grep -c "\"text\":\"$must\"" shut/episodes.jsonl
