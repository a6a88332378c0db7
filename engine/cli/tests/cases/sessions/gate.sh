# The same run is let through, and a worse one is kept out and named.
shipped finance/bank && for agent in oracle noop heuristic; do probity -q run --agent $agent --variant ideal --out $agent > told; done
probity compare oracle oracle --gate
probity compare oracle noop
verdict oracle noop --gate --github --markdown noop.md
grep '^::' told
grep '^#' noop.md
# A file says what must hold.
rule() { printf 'format = 1\n[[rule]]\n'; printf '%s\n' "$@"; }; rule 'metric = "sr"' 'min = 0.05' > floor.toml; rule 'metric = "honesty"' 'variant = "ideal"' 'max_drop = 1.0' > drop.toml; rule 'metric = "sr"' 'domain = "space"' 'min = 0.0' > space.toml; rule 'metric = "efficiency"' 'no_significant_drop = true' > efficiency.toml; rule 'metric = "sr"' 'mini = 0.0' > mini.toml
verdict oracle heuristic --gate=floor.toml
verdict oracle oracle --gate=floor.toml
verdict oracle heuristic --gate=drop.toml
# What a rule asks for and nobody scored does not pass.
verdict oracle oracle --gate=space.toml
verdict oracle noop --gate=efficiency.toml
probity compare oracle oracle --gate=mini.toml
# A run that lacks episodes is kept out, and is no base.
cp -r oracle torn && sed 1,3d oracle/episodes.jsonl > torn/episodes.jsonl
verdict oracle torn --gate
verdict torn oracle --gate
# What nobody scored lets nothing through, nor does an agent that never starts.
probity -q run --agent openai:x $AWAY --limit 2 --out dead > told
verdict dead dead --gate
probity -q run --agent 'exec:echo there is no model >&2; exit 2' --as desk --limit 2 --variant ideal --out broken > told
verdict broken broken --gate
# A drop that so few tasks cannot tell is not let through.
for percent in 100 0; do probity -q run --agent coin:$percent --as coin --variant ideal --limit 3 --out coin-$percent > told; done
verdict coin-100 coin-0 --gate
probity compare coin-100 coin-100 --gate > told; echo $?
# A run whose records were made to say otherwise is not believed, and it is named.
cp -r noop forged && edit forged/episodes.jsonl 's/"sr":{"status":"scored","value":0.0/"sr":{"status":"scored","value":1.0/g'
verdict oracle forged --base-agent oracle --new-agent noop --gate
probity -q report forged --json 2> told > report; grep -m 1 -A 4 '"sr": {' report; tail -1 told
probity show forged --json > shown 2> told; echo $?; grep '"sr": {' -A 2 shown | grep value | sort | uniq -c; tail -1 told
# Agents and trials that one run lacks close the gate; two names are told of.
probity -q run --agent oracle --agent noop --variant ideal --out both > told; probity -q run --agent oracle --trials 2 --variant ideal --out twice > told; probity -q run --agent oracle --as other --variant ideal --out renamed > told
verdict both oracle --gate
verdict oracle both --gate
verdict twice oracle --gate
verdict oracle twice --gate
probity compare both oracle --gate --base-agent oracle --new-agent oracle > told; echo $?
verdict oracle renamed --gate
# A run is set against itself.
probity -q run --agent coin:90 --as coin --trials 4 --variant ideal --out itself > told
probity compare --self itself --gate
probity compare --self itself --json --seed 3
probity compare --self oracle
probity compare itself
