"""Plays at the Lichess door with the published client, unmodified.

berserk.py URL GAMES: the server, and how many games a bot plays against the server's own. Called by scripts/berserk.
"""

import io
import queue
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

# The client has the name of this file: what stands beside it is not meant.
sys.path.pop(0)

import berserk
import chess
import chess.pgn
import requests

PATIENCE = 60
SCOPES = {
    "board": ["board:play", "challenge:read", "challenge:write"],
    "bot": ["bot:play"],
}


class Account:
    """Somebody with an account, and the client they use."""

    def __init__(self, url: str, name: str, kind: str) -> None:
        self.url, self.name, self.kind = url, name, kind
        person = {"username": name, "password": "correct horse battery"}
        session = self.native("accounts", None, person)["token"]
        token = {"name": "berserk", "scopes": SCOPES[kind]}
        self.token = self.native("tokens", session, token)["token"]
        self.client = self.another()
        if kind == "bot":
            self.client.account.upgrade_to_bot()
        self.api = self.client.board if kind == "board" else self.client.bots
        self.events = Stream(self.another().board.stream_incoming_events())

    def native(self, path: str, token: str | None, body: dict) -> dict:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = requests.post(f"{self.url}/v1/{path}", json=body, headers=headers, timeout=PATIENCE)
        answer.raise_for_status()
        return answer.json()

    def another(self) -> berserk.Client:
        """Each stream has a client of its own: connections are not shared between threads."""
        return berserk.Client(berserk.TokenSession(self.token), base_url=self.url)

    def watching(self) -> tuple[berserk.Client, threading.Event]:
        """One more, and whether it has been answered, without which nobody knows when a stream is open."""
        session, is_open = berserk.TokenSession(self.token), threading.Event()
        session.hooks["response"].append(lambda *_, **__: is_open.set())
        return berserk.Client(session, base_url=self.url), is_open

    def board(self, game: str) -> "Stream":
        client = self.another()
        api = client.board if self.kind == "board" else client.bots
        stream = Stream(api.stream_game_state(game))
        assert stream.first()["type"] == "gameFull"
        return stream

    def challenge(self, other: "Account", **terms) -> str:
        terms = {"rated": False, "clock_limit": 180, "clock_increment": 2, "color": "white"} | terms
        made = self.client.challenges.create(other.name, **terms)
        told = other.events.wait("challenge")["challenge"]
        assert told["id"] == made["id"] and told["challenger"]["name"] == self.name, told
        assert self.events.wait("challenge")["challenge"]["id"] == made["id"]
        return made["id"]

    def plays(self, other: "Account", **terms) -> str:
        game = self.challenge(other, **terms)
        other.client.challenges.accept(game)
        for player in (self, other):
            start = player.events.wait("gameStart")["game"]
            assert start["gameId"] == start["id"] == game, start
        return game


class Stream:
    """What a stream says, in a thread: the client waits for every line."""

    def __init__(self, lines) -> None:
        self.lines, self.seen = queue.Queue(), []
        threading.Thread(target=self.read, args=(lines,), daemon=True).start()

    def read(self, lines) -> None:
        try:
            for line in lines:
                self.lines.put(line)
            self.lines.put(None)
        except Exception as error:  # a broken stream is what this test looks for
            self.lines.put(error)

    def first(self) -> dict:
        line = self.lines.get(timeout=PATIENCE)
        assert isinstance(line, dict), line
        return line

    def wait(self, kind: str, wanted=lambda line: True) -> dict:
        """The next of that type, whatever comes before it."""
        while True:
            line = self.first()
            if line["type"] == kind and wanted(line):
                return line

    def ends(self) -> None:
        line = self.lines.get(timeout=PATIENCE)
        assert line is None, line


def eventually(is_so) -> None:
    """The client says nothing of when a stream is open."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, is_so
        time.sleep(0.05)


def refused(call, *arguments, status=400) -> None:
    try:
        call(*arguments)
    except berserk.exceptions.ResponseError as error:
        assert error.status_code == status, error
        assert error.cause["error"], error
        return
    raise AssertionError(f"{call} was not refused")


def tokens(ann: Account, bob: Account) -> None:
    """Who is who."""
    tested = ann.client.oauth.test_tokens(ann.token, bob.token, "lip_nobody")
    assert tested[ann.token]["userId"] == "ann" and tested["lip_nobody"] is None, tested
    assert "board:play" in tested[bob.token]["scopes"].split(","), tested
    account = ann.client.account.get()
    assert account["username"] == "Ann" and isinstance(account["createdAt"], datetime), account
    user = ann.client.users.get_public_data("bob")
    assert user["id"] == "bob" and user["perfs"]["blitz"]["rating"] == 1500, user
    users = ann.client.users.get_by_id("ann", "bob")
    assert [user["id"] for user in users] == ["ann", "bob"], users
    eventually(lambda: all(
        user.get("online") for user in ann.client.users.get_realtime_statuses("ann", "bob")))


def challenges(ann: Account, bob: Account) -> None:
    """Made, declined, withdrawn, listed; of every kind."""
    game = ann.challenge(bob)
    mine = ann.client.challenges.get_mine()
    assert [challenge["id"] for challenge in mine["out"]] == [game], mine
    bob.client.challenges.decline(game, reason="tooFast")
    for player in (ann, bob):
        told = player.events.wait("challengeDeclined")["challenge"]
        assert told["declineReasonKey"] == "toofast" and told["declineReason"], told
    game = ann.challenge(bob, clock_limit=None, clock_increment=None, days=3, color=None)
    ann.client.challenges.cancel(game)
    for player in (ann, bob):
        assert player.events.wait("challengeCanceled")["challenge"]["id"] == game
    refused(bob.client.challenges.accept, game, status=404)
    refused(ann.client.challenges.cancel, "aaaaaaaa", status=404)
    made = ann.client.challenges.create_open(clock_limit=60, clock_increment=1)
    assert made["urlWhite"] and made["urlBlack"], made
    bob.client.challenges.accept(made["id"])
    for player in (ann, bob):
        assert player.events.wait("gameStart")["game"]["id"] == made["id"]
    bob.client.board.abort_game(made["id"])
    for player in (ann, bob):
        finish = player.events.wait("gameFinish")["game"]
        assert finish["status"]["name"] == "aborted", finish


def whole_game(ann: Account, bob: Account) -> str:
    """From the challenge to mate, with all that players do on the way."""
    game = ann.plays(bob, rated=False)
    boards = [ann.board(game), bob.board(game)]
    ann.client.board.post_message(game, "good luck")
    for board in boards:
        line = board.wait("chatLine")
        assert (line["room"], line["username"], line["text"]) == ("player", "Ann", "good luck"), line
    assert bob.client.board.get_game_chat(game) == [{"user": "Ann", "text": "good luck"}]
    position = chess.Board()

    def move(uci: str) -> None:
        player = (bob, ann)[position.turn]
        player.client.board.make_move(game, uci)
        position.push_uci(uci)
        played = " ".join(move.uci() for move in position.move_stack)
        for board in boards:
            state = board.wait("gameState")
            assert state["moves"] == played, state
            assert all(isinstance(state[time], timedelta) for time in ("wtime", "btime", "winc", "binc")), state

    for uci in ["e2e4", "e7e5", "f1c4"]:
        move(uci)
    refused(ann.client.board.make_move, game, "d2d4")
    refused(bob.client.board.make_move, game, "e5e3")
    refused(ann.client.board.abort_game, game)
    refused(ann.client.board.claim_victory, game)
    refused(ann.client.board.go_berserk, game)
    ann.client.board.offer_draw(game)
    assert all(board.wait("gameState")["wdraw"] for board in boards)
    bob.client.board.decline_draw(game)
    assert all("wdraw" not in board.wait("gameState") for board in boards)
    ann.client.board.offer_takeback(game)
    assert all(board.wait("gameState")["wtakeback"] for board in boards)
    bob.client.board.accept_takeback(game)
    assert all(board.wait("gameState")["moves"] == "e2e4 e7e5" for board in boards)
    position.pop()
    assert [mine["gameId"] for mine in ann.client.games.get_ongoing()] == [game]
    for uci in ["f1c4", "b8c6", "d1h5", "g8f6"]:
        move(uci)
    ann.client.board.make_move(game, "h5f7")
    for board in boards:
        state = board.wait("gameState")
        assert (state["status"], state["winner"]) == ("mate", "white"), state
        board.ends()
    for player in (ann, bob):
        finish = player.events.wait("gameFinish")["game"]
        assert finish["id"] == game and finish["winner"] == "white", finish
    bob.client.board.post_message(game, "good game", spectator=True)
    return game


def agreed_draw(ann: Account, bob: Account) -> str:
    game = bob.plays(ann)
    board = ann.board(game)
    for player, uci in [(bob, "d2d4"), (ann, "d7d5")]:
        player.client.board.make_move(game, uci)
    bob.client.board.offer_draw(game)
    ann.client.board.accept_draw(game)
    state = board.wait("gameState", lambda state: state["status"] != "started")
    assert state["status"] == "draw" and "winner" not in state, state
    board.ends()
    for player in (ann, bob):
        assert player.events.wait("gameFinish")["game"]["id"] == game
    return game


def seeks(ann: Account, bob: Account) -> str:
    """Two who seek find each other."""
    with ThreadPoolExecutor() as pool:
        seeking = [pool.submit(player.another().board.seek, 10, 5) for player in (ann, bob)]
        starts = [player.events.wait("gameStart")["game"] for player in (ann, bob)]
        for seek in seeking:
            assert seek.result(timeout=PATIENCE) >= 0
    game = starts[0]["id"]
    assert starts[1]["id"] == game and starts[0]["speed"] == "rapid", starts
    white, black = (ann, bob) if starts[0]["color"] == "white" else (bob, ann)
    white.client.board.make_move(game, "e2e4")
    black.client.board.make_move(game, "e7e5")
    white.client.board.resign_game(game)
    for player in (ann, bob):
        assert player.events.wait("gameFinish")["game"]["status"]["name"] == "resign"
    return game


def exports(ann: Account, mated: str, others: list[str]) -> None:
    """What was played, as text and as data."""
    games = ann.client.games
    text = games.export(mated, as_pgn=True)
    read = chess.pgn.read_game(io.StringIO(text))
    assert read.headers["Result"] == "1-0" and read.headers["White"] == "Ann", read.headers
    assert read.end().board().is_checkmate() and read.end().clock() is not None, text
    data = games.export(mated)
    assert data["status"] == "mate" and data["moves"].endswith("Qxf7#"), data
    assert isinstance(data["createdAt"], datetime), data
    listed = list(games.export_by_player("ann", as_pgn=True, max=10))
    assert len(listed) >= 3 and all(chess.pgn.read_game(io.StringIO(pgn)) for pgn in listed), listed
    assert any(mated in pgn for pgn in listed)
    several = list(games.export_multi(mated, *others))
    assert {game["id"] for game in several} == {mated, *others}, several


def streams(ann: Account, bob: Account) -> None:
    """What those see who only watch."""
    def told(lines) -> Stream:
        return Stream({"type": "line", "line": line} for line in lines)

    among, feed = ann.watching(), ann.watching()
    opened = [among[1], feed[1]]
    among = told(among[0].games.get_among_players("ann", "bob"))
    feed = told(feed[0].tv.stream_current_game())
    assert all(is_open.wait(PATIENCE) for is_open in opened)
    game = ann.plays(bob)
    assert among.first()["line"]["statusName"] == "started"
    assert feed.first()["line"]["d"]["id"] == game
    watching = told(ann.another().games.stream_game_moves(game))
    assert watching.first()["line"]["id"] == game
    by_id = told(ann.another().games.stream_games_by_ids(game, stream_id="mine"))
    assert by_id.first()["line"]["id"] == game
    ann.client.games.add_game_ids_to_stream(game, stream_id="mine")
    for player, uci in [(ann, "e2e4"), (bob, "e7e5")]:
        player.client.board.make_move(game, uci)
        watching.wait("line", lambda told: told["line"].get("lm") == uci)
        feed.wait("line", lambda told: told["line"]["d"].get("lm") == uci)
    current = list(ann.client.games.export_ongoing_by_player("bob"))
    assert [running["id"] for running in current] == [game], current
    deadline = time.monotonic() + PATIENCE
    while not (shown := ann.client.tv.get_best_ongoing("blitz", as_pgn=True)):  # a second old at most
        assert time.monotonic() < deadline
    assert game in shown and chess.pgn.read_game(io.StringIO(shown)), shown
    ann.client.board.resign_game(game)
    watching.wait("line", lambda told: told["line"].get("winner") == "black")
    watching.ends()
    for stream in (among, by_id):
        assert stream.first()["line"]["winner"] == "black"
    for player in (ann, bob):
        player.events.wait("gameFinish")
    assert isinstance(ann.client.tv.get_current_games(), dict)


class Bot:
    """A loop as people write them: told of games, told of states, finds a move with python-chess."""

    def __init__(self, account: Account) -> None:
        self.account = account

    def game(self, number: int) -> str:
        client = self.account.another()
        color = ("white", "black")[number % 2]
        made = client.challenges.create(
            "bot-easy-800", rated=False, clock_limit=120, clock_increment=1, color=color)
        game = made["id"]
        self.account.started[game].wait(PATIENCE)
        rng, mine = random.Random(number), chess.COLORS[number % 2]
        for line in client.bots.stream_game_state(game):
            state = line.get("state", line)
            if state["type"] != "gameState":
                continue
            if state["status"] != "started":
                return state["status"]
            board = chess.Board()
            for uci in state["moves"].split():
                board.push_uci(uci)
            if board.turn == mine and not board.is_game_over():
                client.bots.make_move(game, self.choose(board, rng).uci())
        raise AssertionError(f"the stream of {game} ended before the game did")

    @staticmethod
    def choose(board: chess.Board, rng: random.Random) -> chess.Move:
        """Mates, takes what it can, or whatever."""
        moves = list(board.legal_moves)
        rng.shuffle(moves)

        def worth(move: chess.Move) -> int:
            board.push(move)
            mates = board.is_checkmate()
            board.pop()
            taken = board.piece_type_at(move.to_square) or 0
            return 100 * mates + taken

        return max(moves, key=worth)


class Started(dict):
    """For each game, whether the event stream has told that it began."""

    def __missing__(self, game: str) -> threading.Event:
        return self.setdefault(game, threading.Event())


def bots(robot: Account, games: int) -> None:
    robot.started, finished = Started(), []

    def listen() -> None:
        while True:
            event = robot.events.first()
            if event["type"] == "gameStart":
                robot.started[event["game"]["id"]].set()
            if event["type"] == "gameFinish":
                finished.append(event["game"]["id"])

    threading.Thread(target=listen, daemon=True).start()
    bot, begun = Bot(robot), time.monotonic()
    with ThreadPoolExecutor(max_workers=5) as pool:
        ends = list(pool.map(bot.game, range(games)))
    print(f"{games} games in {time.monotonic() - begun:.1f} s: {', '.join(sorted(ends))}")
    assert len(ends) == games, ends
    deadline = time.monotonic() + PATIENCE
    while len(finished) < games:
        assert time.monotonic() < deadline, finished
        time.sleep(0.05)
    assert len(set(finished)) == games, finished


def main(url: str, games: int) -> None:
    ann, bob = Account(url, "Ann", "board"), Account(url, "bob", "board")
    robot = Account(url, "Robot", "bot")
    assert robot.client.account.get()["title"] == "BOT"
    eventually(lambda: any(bot["username"] == "Robot" for bot in robot.client.bots.get_online_bots()))
    tokens(ann, bob)
    challenges(ann, bob)
    mated = whole_game(ann, bob)
    drawn = agreed_draw(ann, bob)
    sought = seeks(ann, bob)
    exports(ann, mated, [drawn, sought])
    streams(ann, bob)
    bots(robot, games)
    print("berserk plays here")


main(sys.argv[1], int(sys.argv[2]))
