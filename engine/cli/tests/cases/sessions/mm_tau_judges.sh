# Judges label messages for a block of their own: `bill` and `the` find their own names, and `mute` says nothing that can be read.
cp -r "$REPO/mm-tau" . && probity -q run --suite mm-tau --agent oracle --level persona=easy --level exposure=p0 --level issues=2 --out run > told; model confirms; probity judge run --json -q --judge openai:bill --judge openai:mute --judge openai:the --base-url $URL > first.json; echo $?
python3 -c 'import json; found = json.load(open("first.json")); [print(column["judge"], *(f"""{row["name"]} {row["value"]}""" for row in column.get("rows") or []), sep="; ") for column in found["judged"]]; [print(one["left"], one["right"], one["metric"], one["kappa"]) for one in found["agreement"] if one["metric"] == "confirmation_asked"]'
# Labels are kept, and nobody is asked again.
probity judge run --json -q > again.json; echo $?; cmp first.json again.json
# Labels of others are read strictly.
echo '{"judge": "me", "episode": "none", "messages": [], "wrong": 1}' > theirs.jsonl; probity judge run -q --labels theirs.jsonl --json
