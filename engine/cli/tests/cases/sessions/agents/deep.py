import json, sys
deep = 1
for i in range(120):
    deep = [deep]
sys.stdin.readline()
for line in sys.stdin:
    print(json.dumps({'calls': [{'tool': 't', 'arguments': deep}]}), flush=True)
