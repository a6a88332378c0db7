# Nobody misquotes rules that are not known; what is given beside a log is used.
probity audit -q bare.jsonl
probity audit -q bare.jsonl --brief brief.md --tools tools.json
probity audit -q bare.jsonl --brief brief.md --tools tools.json --json > told && grep -o '"basis": "[a-z]*"' told
echo '{}' > none.json && probity audit -q bare.jsonl --tools none.json
# What cannot be read is told with its place, and the rest is read.
(cat hello.jsonl; echo '{"messages": ['; cat hello.jsonl) > half.jsonl && probity audit -q half.jsonl
echo 'shopping: milk' > list.jsonl && probity audit -q list.jsonl
probity audit -q gone.jsonl
mkdir folder && cp hello.jsonl folder && ln -s ../folder folder/again && probity audit -q folder
# Words behind a result in the same message have seen it.
probity audit -q same_message.jsonl
# Nobody knows what day it was: what is said of days is not contradicted.
probity audit -q undated.jsonl
# The page holds every dialogue, loads nothing, and overwrites no log.
probity audit -q --example --html audit.html > told && ls audit.html*
grep -oF '["guessed: changes","cancel_rental, extend_rental"]' audit.html; grep -c https: audit.html
probity audit -q hello.jsonl --html hello.jsonl
