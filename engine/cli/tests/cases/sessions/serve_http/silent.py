import os, socket, sys
silent = [socket.create_connection(sys.argv[1].rsplit(':', 1)) for _ in range(60)]
for _ in range(3):
    os.system('. ./door.sh; AT=%s; ask POST one/mcp "" "$(call ping {})"' % sys.argv[1])
