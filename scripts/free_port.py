"""A port of loopback for a server that is started in a moment: free_port.py prints one, free_port() returns it."""

import random
import socket

# Below the ports that the system gives to whoever connects: one of those may be another's by the time the server wants it,
# and whoever asks there again and again whether the server is up may be connected to themselves.
PORTS = range(20_000, 32_000)


def free_port() -> int:
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass  # another's


if __name__ == "__main__":
    print(free_port())
