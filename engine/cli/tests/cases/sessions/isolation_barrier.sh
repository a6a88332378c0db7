# Needs bwrap, where it can make namespaces: bwrap --ro-bind / / --unshare-pid --proc /proc true
# A barrier leaves nothing of the suite, the run or the machine in sight, and what an agent writes stays with it.
. "$CASES/spied.sh"; mock plain; PORT=$(echo $URL | cut -d : -f 3 | cut -d / -f 1); spied always -q --isolate always; alone desk/always; reply desk/always tasks run parent network kernel; ls desk/agent; grep 'kept apart' told; grep '"isolation"' desk/always/report.json; grep -c 'kept apart by bubblewrap' desk/always/report.html; spied network -q --isolate always --agent-network; reply desk/network network
# A folder and variables are given to agents by name: it cannot be written to.
. "$CASES/spied.sh"; echo "word = 'helped'" > desk/agent/helper.py; spied given -q --isolate always --agent-dir agent --agent-env OPENAI_API_KEY --agent-env 'MODE=a b'; reply desk/given env listing elsewhere; reply desk/given cwd | sed "s#$(pwd -P)##"; sed "s#$(pwd -P)##" desk/given/run.json | sed -n '/"isolation"/,/}/p'
# A run goes on behind the barrier that it began with, wherever the suite lies.
. "$CASES/spied.sh"; : > desk/always/episodes.jsonl; (cd desk && probity -q run --resume always > ../told); reply desk/always tasks parent
# Earlier runs are out of sight, where a word of the agent's command names one as well as in a folder that it is given.
. "$CASES/spied.sh"; mkdir -p desk/runs/old && echo '{}' > desk/runs/old/run.json; TARGET=$PWD/desk/runs/old; for given in '' '--agent-dir .'; do rm -rf desk/runs/new; spied runs/new -q --isolate always $given; reply desk/runs/new run; done
# How agents are kept apart is in no digest.
for when in never always; do probity -q run --agent "exec:python3 $REPO/docs/sample_agent.py" --as sample --limit 3 --isolate $when --out $when > told; sed '/"isolation"/d' $when/report.json > $when.json; grep -c agent_failed $when.json; done; cmp never.json always.json
# A past that an agent would change is out of its reach.
cp "$CASES/agents/forger.py" . && probity -q run --agent "exec:python3 $PWD/forger.py /kept" --as forger --limit 3 --jobs 1 --isolate always --out "$PWD/kept" > told; echo $?; grep -c '"sr":{"status":"scored","value":1.0' kept/episodes.jsonl
