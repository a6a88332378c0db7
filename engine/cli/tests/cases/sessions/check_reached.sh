# An exploration says what it reached of all that an environment declares; without one nothing is said of it.
shipped healthcare/clinic; probity check --all --json > told.json; echo $?; python3 -c 'import json; told = json.load(open("told.json")); print(told["diagnostics"], told["environments"], *([one["environment"], *(one[what]["reached"] == one[what]["all"] for what in ("tools", "error_codes", "effects", "events")), one["calls"] > 1000, one["fields_written"] != []] for one in told["coverage"]))'
probity check --json > told.json; echo $?; grep -c '"coverage"' told.json
