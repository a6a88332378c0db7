import array, fcntl, json, os, termios, time
for i in range(2):
    while os.read(0, 1) != b'\n': pass
seen, told = array.array('i', [0]), 0
def look(): fcntl.ioctl(0, termios.FIONREAD, seen, True)
while True:
    print(json.dumps({'calls': 60 * [{'tool': 'n' * 250, 'arguments': {}}]}), flush=True)
    while seen[0] == told:
        time.sleep(0.01)
        look()
    time.sleep(0.05)
    look()
    told = seen[0]
