# A provider that says at which port it listens, and then the first line of a request, which it never answers.
import socket
listener = socket.create_server(('127.0.0.1', 0))
print(listener.getsockname()[1], flush=True)
asked = listener.accept()[0].makefile()
print(asked.readline().strip(), flush=True)
asked.read()
