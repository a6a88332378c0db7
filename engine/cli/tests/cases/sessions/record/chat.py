# Asks for a model's next message, and waits for it.
import socket, sys
body = b'{"model": "m", "messages": [{"role": "user", "content": "Hi"}]}'
at = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
at.sendall(b'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%s' % (len(body), body))
at.makefile().read()
