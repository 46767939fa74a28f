"""Serves app.py on a free port, with a worker per core."""
import os
import socket

import uvicorn

if __name__ == "__main__":
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(4096)
    print("fastapi listens on 127.0.0.1:%d" % listener.getsockname()[1], flush=True)
    os.set_inheritable(listener.fileno(), True)
    uvicorn.run("app:app", fd=listener.fileno(), workers=os.cpu_count(), log_level="warning", access_log=False)
