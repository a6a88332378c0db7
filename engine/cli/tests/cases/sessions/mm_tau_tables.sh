# The tables of the paper pair voice with text, as the same numbers made once more from the episodes.
cp -r "$REPO/mm-tau" . && probity -q run --suite mm-tau --agent oracle --agent reckless --agent fault:premature_transfer --agent fault:never_transfers --agent fault:wrong_number --trials 2 --set noise=strong --level issues=2 --out run > told; echo $?; python3 naive.py
probity report run
