import json

rules = next(rater for rater in json.load(open("rules.json"))["raters"] if rater["rater"] == "rules")
print(len(rules["faults"]), "faults")
for fault in rules["faults"]:
    for mark, rates in fault["marks"].items():
        sensitivity, specificity = rates["sensitivity"], rates["specificity"]
        must_be_seen = rates["is_expected"] and sensitivity["denominator"] and fault["fault"] not in ("misreports", "wrong_date")
        is_right = sensitivity["denominator"] + sensitivity["not_scored"] == 3 and specificity["numerator"] == specificity["denominator"]
        if not is_right or must_be_seen and not sensitivity["numerator"]:
            print(fault["fault"], mark, rates)
