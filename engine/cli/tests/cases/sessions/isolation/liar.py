import sys
for line in sys.stdin:
    if '"user"' in line:
        path = sys.argv[1] + '/run.json'
        told = open(path).read().replace('never', 'always')
        open(path, 'w').write(told + ' ')
        print('{"text": "No."}', flush=True)
