# Known agents have the numbers that they must in text: a correct transfer counts, a premature one does not.
cp -r "$REPO/mm-tau" . && probity -q run --suite mm-tau --agent oracle --agent reckless --agent fault:premature_transfer --agent fault:never_transfers --agent fault:wrong_number --level channel=text --level exposure=p0 --level domain=telecom --out text > told; sed '/^$/,$d' told; sed -n '/^hand-overs/,/^$/p' told; probity replay text
python3 numbers.py text ends sr
# Noise never raises what was heard right, and a line without noise loses nothing.
for noise in off mild strong; do probity -q run --suite mm-tau --agent oracle --agent reckless --level channel=voice --set noise=$noise --level exposure=p0 --level persona=none --level domain=telecom --out $noise > told; python3 numbers.py $noise overall cfa slots; done
