#!/usr/bin/env python3
"""A leaderboard that is fed by a webhook of Arbiter. The standard library is all it needs.

    WEBHOOK_SECRET=whsec_... python3 leaderboard.py 8099

Arbiter posts events to /hook; the leaderboard is at /leaderboard.
"""

import hashlib
import hmac
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
# How old a delivery may be, in seconds: who recorded one cannot send it again later.
TOLERANCE = 300
BODY_MAX = 64 * 1024

lock = threading.Lock()
known = set()  # the ids of events that were counted; a real service keeps them with what it counts
results = {}  # by game, so that a result that an operator changes replaces the one before


def is_ours(signature, body, now):
    """Whether the header Arbiter-Signature was made with our secret, lately."""
    parts = [part.partition("=") for part in signature.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not times[0].isdecimal() or abs(now - int(times[0])) > TOLERANCE:
        return False
    expected = hmac.new(SECRET, times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    # While a secret is changed there are two signatures: one that is right is enough.
    return any(hmac.compare_digest(expected, value) for name, _, value in parts if name == "v1")


def take(event):
    """Counts an event once, however often it comes."""
    with lock:
        if event["id"] in known:
            return
        known.add(event["id"])
        if event["type"] == "GameEnded":
            data = event["data"]
            results[event["game_id"]] = (data["white"], data["black"], data["result"])


def leaderboard():
    """Points of everybody who finished a game, the best first."""
    points = {}
    with lock:
        for white, black, result in results.values():
            score = {"white_wins": (1, 0), "black_wins": (0, 1), "draw": (0.5, 0.5)}.get(result)
            if score is None or not (white and black):
                continue  # it was never played
            for player, earned in zip((white["id"], black["id"]), score):
                points[player] = points.get(player, 0) + earned
        events = len(known)
    ranking = sorted(points.items(), key=lambda item: (-item[1], item[0]))
    return {"events": events, "players": [{"id": id, "points": p} for id, p in ranking]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if self.path != "/hook" or length > BODY_MAX:
            return self.answer(404 if length <= BODY_MAX else 413)
        body = self.rfile.read(length)
        if not is_ours(self.headers.get("Arbiter-Signature", ""), body, time.time()):
            return self.answer(401)
        take(json.loads(body))
        self.answer(204)

    def do_GET(self):
        if self.path != "/leaderboard":
            return self.answer(404)
        self.answer(200, json.dumps(leaderboard()).encode())

    def answer(self, status, body=b""):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8099
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
