import json, sys
sys.stdin.readline()
for line in sys.stdin:
    print(json.dumps({'calls': [{'tool': 'x' * 1000, 'arguments': {}}]}), flush=True)
