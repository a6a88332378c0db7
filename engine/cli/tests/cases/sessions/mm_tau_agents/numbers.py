# Of each agent of a run some numbers: at the levels of a factor, or in all.
import json, sys
run, factor, *metrics = sys.argv[1:]
for name, of in json.load(open(run + '/report.json'))['agents'].items():
    for level, scores in ({'': of['overall']} if factor == 'overall' else of['factors'][factor]).items():
        print(name, level, *(round(scores['metrics'][metric]['value'], 4) for metric in metrics))
