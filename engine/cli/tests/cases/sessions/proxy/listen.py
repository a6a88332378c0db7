# Says at which port it listens, and then the first line of the first request, which nothing answers.
import socket
listener = socket.create_server(('127.0.0.1', 0))
print(listener.getsockname()[1], flush=True)
print(listener.accept()[0].makefile().readline().strip(), flush=True)
