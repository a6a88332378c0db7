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
known = ['PATH', 'HOME', 'LANG', 'PWD', 'OLDPWD', 'SHLVL', '_', 'LC_CTYPE']
# Python may be behind a script that says which it is.
given = {name: os.environ[name] for name in os.environ if name not in known and 'PYENV' not in name}
found = {
    'cwd': os.getcwd(), 'listing': sorted(os.listdir('.')), 'env': given,
    'open': [number for number in os.listdir('/proc/self/fd') if number not in ('0', '1', '2', '3')],
    'tasks': os.path.exists(root + '/tasks'), 'run': os.path.exists(target + '/run.json'),
    'parent': any('--out' in line.split('\0') for line in processes), 'at_home': os.getcwd() == os.environ['HOME'],
    'home': writes(os.environ['HOME'] + '/note'), 'elsewhere': writes(os.path.dirname(__file__) + '/note'),
    'network': connects(), 'kernel': can_open('/proc/sys/kernel/core_pattern'),
}
for line in sys.stdin:
    if json.loads(line)['type'] in ('user', 'observations'):
        print(json.dumps({'text': json.dumps(found)}), flush=True)
