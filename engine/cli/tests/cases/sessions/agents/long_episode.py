import json, sys
sys.stdin.readline()
for line in sys.stdin:
    print(json.dumps({'calls': [{'tool': 't', 'arguments': 'x' * 500000}]}), flush=True)
