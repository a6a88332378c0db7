# Sends a head to an address, and behind it the body with its length or, of a head that says how long it is, nothing.
import socket, sys
address, head = sys.argv[1].rsplit(':', 1), sys.argv[2].replace('\\r\\n', '\r\n')
body = sys.argv[3].encode() if len(sys.argv) > 3 else None
length = '' if body is None else 'content-length: %d\r\n' % len(body)
at = socket.create_connection(address)
at.sendall(('%s\r\n%s\r\n' % (head, length)).encode() + (body or b''))
head, _, body = at.makefile('rb').read().decode().partition('\r\n\r\n')
print(head.split('\r\n')[0].split(' ', 1)[1] + ('; closed' if 'connection: close' in head else ''), body)
