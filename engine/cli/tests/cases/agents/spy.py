import json, os, socket, sys
root, port, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
def reads(path):
    try:
        return open(path, 'rb').read().decode('utf-8', 'replace')
    except OSError:
        return ''
def writes(path):
    try:
        open(path, 'a').close()
        return True
    except OSError:
        return False
def can_open(path):
    try:
        os.close(os.open(path, os.O_WRONLY))
        return True
    except OSError:
        return False
def connects():
    try:
        socket.create_connection(('127.0.0.1', port), 1).close()
        return True
    except OSError:
        return False
processes = [reads('/proc/%s/cmdline' % pid) for pid in os.listdir('/proc') if pid.isdigit()]
found = {
    'cwd': os.getcwd(), 'listing': os.listdir('.'), 'env': dict(os.environ), 'open': os.listdir('/proc/self/fd'),
    'tasks': os.path.exists(root + '/tasks'), 'run': os.path.exists(target + '/run.json'),
    'parent': any('--out' in line.split('\0') for line in processes),
    'home': writes(os.environ['HOME'] + '/note'), 'elsewhere': writes(os.path.dirname(__file__) + '/note'),
    'network': connects(), 'kernel': can_open('/proc/sys/kernel/core_pattern'),
}
for line in sys.stdin:
    if json.loads(line)['type'] in ('user', 'observations'):
        print(json.dumps({'text': json.dumps(found)}), flush=True)
