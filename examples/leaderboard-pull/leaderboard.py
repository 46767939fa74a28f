#!/usr/bin/env python3
"""A leaderboard that pulls events from Arbiter. The standard library is all it needs.

    ARBITER_URL=http://127.0.0.1:7878 ARBITER_TOKEN=arb_... python3 leaderboard.py 8098 [cursor-file]

The leaderboard is at /leaderboard. Where it has read up to is kept in the file, with what it counted.
"""

import json
import os
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL = os.environ["ARBITER_URL"].rstrip("/")
TOKEN = os.environ["ARBITER_TOKEN"]

lock = threading.Lock()
state = {"next": "", "known": [], "results": {}}


def pull(since):
    """The next page of events; the server waits up to 20 seconds for the first."""
    query = urllib.parse.urlencode({"since": since, "types": "GameEnded", "wait": 20})
    request = urllib.request.Request(f"{URL}/v1/events?{query}", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=40) as answer:
        return json.load(answer)


def take(page):
    """Counts each event once, and moves on past all of them: both are kept together."""
    with lock:
        for event in page["events"]:
            if event["id"] in state["known"]:
                continue
            # Events come in order, so only those of the last page can come again.
            state["known"] = (state["known"] + [event["id"]])[-1000:]
            data = event["data"]
            players = [data["white"] and data["white"]["id"], data["black"] and data["black"]["id"]]
            state["results"][event["game_id"]] = [*players, data["result"]]
        state["next"] = page["next"]


def save(path):
    if path:
        with open(path + ".new", "w") as file:
            json.dump(state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)


def follow(path):
    """Reads on for ever; while the server is away, again after a while."""
    while True:
        try:
            page = pull(state["next"])
        except (urllib.error.URLError, OSError, ValueError):
            time.sleep(0.5)
            continue
        is_new = page["next"] != state["next"]
        take(page)
        if is_new:
            save(path)


def leaderboard():
    """Points of everybody who finished a game, the best first."""
    points = {}
    with lock:
        for white, black, result in state["results"].values():
            score = {"white_wins": (1, 0), "black_wins": (0, 1), "draw": (0.5, 0.5)}.get(result)
            if score is None or not (white and black):
                continue  # it was never played
            for player, earned in zip((white, black), score):
                points[player] = points.get(player, 0) + earned
    ranking = sorted(points.items(), key=lambda item: (-item[1], item[0]))
    return {"players": [{"id": id, "points": p} for id, p in ranking]}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        is_there = self.path == "/leaderboard"
        body = json.dumps(leaderboard() if is_there else {}).encode()
        self.send_response(200 if is_there else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8098
    path = sys.argv[2] if len(sys.argv) > 2 else None
    if path and os.path.exists(path):
        with open(path) as file:
            state.update(json.load(file))
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    threading.Thread(target=follow, args=(path,), daemon=True).start()
    server.serve_forever()
