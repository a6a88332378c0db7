# Clients of a socket: what each is told, and one that dies in the middle of a line, and one that floods and never reads.
import json, socket, time
def client():
    for _ in range(1200):
        try:
            at = socket.socket(socket.AF_UNIX)
            at.connect('s')
            return at
        except OSError:
            time.sleep(0.05)
def ask(at, request):
    at.sendall((json.dumps(request) + '\n').encode())
    told = json.loads(at.makefile().readline())
    print(told.get('episode') or told['error']['code'])
opens = {'open': {'task': 'late_move'}}
one, two = client(), client()
ask(one, opens)
ask(two, {'step': {'episode': 'e1', 'message': {'text': 'x'}}})
one.sendall(b'{"step": {"episode')
one.close()
three = client()
three.setblocking(False)
try:
    for _ in range(10_000):
        three.send(b'{"instances": {}}\n')
except OSError:
    pass
ask(two, opens)
three.close()
