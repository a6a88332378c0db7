import json, os, sys
seen = sorted(os.path.join(folder, name)[2:] for folder, _, names in os.walk('.') for name in names)
seen += [place for place in sys.argv[1:] if os.path.exists(place) and (os.path.isfile(place) or os.listdir(place))]
for line in sys.stdin:
    if json.loads(line)['type'] in ('user', 'observations'):
        print(json.dumps({'text': json.dumps(seen)}), flush=True)
