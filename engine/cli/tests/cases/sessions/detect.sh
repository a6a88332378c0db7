# A run says how many trials are enough, and which of its instances tell nothing.
shipped finance/bank && probity -q run --agent coin:75 --agent coin:30 --agent oracle --trials 3 --out base > told
probity plan --detect 0.1 base | tee first.txt
probity plan --detect 0.1 base | cmp - first.txt
probity plan --detect 0.1 base --json
# A smaller drop takes more, and so does a stricter level.
printf 'format = 1\nlevel = 0.001\n[[rule]]\nmetric = "sr"\nno_significant_drop = true\n' > gate.toml
probity plan --detect 0.05 base | sed -n 1p
probity plan --detect 0.1 base --gate gate.toml | sed -n 1p
# A drop is found by the gate with the trials that were named.
probity -q run --agent coin:90 --as x --trials 3 --out small > told; probity plan --detect 0.3 small | tee told | sed -n 1p
trials=$(sed -n '1s/.* with \([0-9]*\) trials.*/\1/p' told); for agent in coin:90/1 coin:90/2 coin:60/3; do probity -q run --agent ${agent%/*} --as x --trials $trials --seed ${agent#*/} --out seed-${agent#*/} > told; done; probity compare seed-1 seed-2 --gate | sed -n 1p; probity compare seed-1 seed-3 --gate | grep -E '^gate|NO '
# What is not known is said.
probity -q run --agent coin:90 --agent noop --out once > told
probity plan --detect 0.05 once
for drop in 0 1.01 nan inf 5%; do probity plan --detect $drop once; done
for flag in --prices --user-prices; do probity plan --detect 0.05 once $flag 1,2; done
probity plan --detect 0.05
probity plan --out x.json once
probity plan --out x.json --gate=x.toml
# A record that its trace does not give is no base.
edit base/episodes.jsonl '/"sr":{"status":"scored","value":0.0/{s//"sr":{"status":"scored","value":1.0/;:a;n;ba}'; probity plan --detect 0.2 base
# Tokens and cost are those of the episodes played, and of the prices that are given.
mock plain; probity -q run --agent openai:mock --base-url $URL --variant ideal --trials 2 --prices 2,8 --out spent > told; grep -A 12 '"spent"' spent/report.json
probity plan --detect 0.5 spent
probity plan --detect 0.5 spent --prices 20,80 | grep cost
