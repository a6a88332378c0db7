# What cannot be recorded is refused before anything is asked, and no key is told.
echo 'not a record' > notes.txt
probity record --to http://127.0.0.1:9/v1 --out notes.txt
probity record --to http://127.0.0.1:9/v1 --out none/x
probity record --to 127.0.0.1:9 --out new.jsonl
probity record --to https://me:not_to_be_told_0123456789@example.org/v1 --out new.jsonl
cat notes.txt; test -e new.jsonl; echo $?
# A board is refused before anything is written.
probity -q new env shop/counter > wrote && probity -q run --agent oracle --variant ideal --out run > told && cp run/report.html report.html
probity report none .
probity report run none --label one
probity report run none --out run/x.html
probity report run --out run/report.html; cmp report.html run/report.html
echo mine > board.html && probity report run --out board.html; cat board.html
probity report none --out lost/board.html
rm board.html && probity -q report run --out board.html --label first > told && probity -q report run --out board.html --label second > told && probity -q report board.html run --out board.html --label second > told; echo $?; grep -o '"label":"[a-z]*"' board.html
# Labels of dialogues that are no logs.
echo '{"id": "a", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}' > one.jsonl; (cat one.jsonl; echo '{"id": "a"}') > logs.jsonl
probity annotate -q logs.jsonl > told
probity annotate -q logs.jsonl one.jsonl --json 2> told | grep -o '"id": *"[^"]*"'
probity annotate -q nowhere.jsonl
echo 'shopping: milk' > list.jsonl && probity annotate -q list.jsonl
