# A file that cannot be opened is counted, and the rest is read.
mkdir some && sed s/plain/b/ plain.jsonl > some/b.jsonl && sed s/plain/c/ plain.jsonl > some/c.jsonl && ln -s gone some/a.jsonl
probity audit -q some
probity audit -q some --strict > told; echo $?
rm some/a.jsonl && probity audit -q some --strict > told; echo $?
# What is named and occurs nowhere is said.
probity audit -q plain.jsonl --reads find_plot,find_plots --changes nothing_alike --ignore plot,plto
probity audit -q plain.jsonl --tools tools.json
probity audit -q plain.jsonl --json --ignore plot,plto > told && grep -c '"flag": "--ignore"' told
# A tool of which nothing tells is told as unknown, unless somebody says.
sed s/find_plot/crane/g plain.jsonl > crane.jsonl
probity audit -q crane.jsonl
probity audit -q crane.jsonl --reads crane
sed s/find_plot/redirect_plot/g plain.jsonl > redirect.jsonl
probity audit -q redirect.jsonl
# What speaks against words is named by tool, field and message; the page knows that it is an audit's.
probity audit -q shown.jsonl --html shown.html
grep -oF '"logs":{"counts":[[1,"call"]' shown.html
probity audit -q shown.jsonl --json > told && grep -o '"shown":{[^}]*}' told
# What stands behind what is read accuses nobody, and is said.
sed s/NOTES// cut.jsonl > whole.jsonl && probity audit -q whole.jsonl
beans=$(yes 'Beans and peas.' | head -5000 | tr '\n' ' '); sed "s/NOTES/$(echo $beans)/" cut.jsonl > long.jsonl; probity audit -q long.jsonl
# A file of several forms is read in each.
probity audit -q mixed.jsonl
probity audit -q mixed.jsonl --json > told && grep -o '"form":"[a-z]*"' told
# Logs of words alone have no discipline to compare.
for id in 1 2 3 4 5 6 7 8; do sed s/words/d$id/ words.jsonl >> base.jsonl; done && cp base.jsonl new.jsonl
probity audit -q base.jsonl new.jsonl
