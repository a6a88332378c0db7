import json, os, sys
try:
    import team_helper
    found = True
except ImportError:
    found = False
seen = [place for place in os.environ['LOOK'].split(':') if os.path.exists(place)]
for line in sys.stdin:
    if json.loads(line)['type'] in ('user', 'observations'):
        print(json.dumps({'text': json.dumps({'prefix': sys.prefix, 'seen': seen, 'module': found})}), flush=True)
