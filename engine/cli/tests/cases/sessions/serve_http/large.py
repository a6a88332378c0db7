import socket, sys
at = socket.create_connection(sys.argv[1].rsplit(':', 1))
try:
    at.sendall(b'POST /e/one/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000000\r\n\r\n' + b'x' * 20_000_000)
    said = at.makefile('rb').readline()
except ConnectionError:
    said = b''
print(said in (b'', b'HTTP/1.1 413 Content Too Large\r\n') or said)
