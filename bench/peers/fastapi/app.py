"""A chess service as one would write it with FastAPI and python-chess: the calls of Arbiter's /v1 that a game
needs, every move checked and durable before it is answered. State is in the database: there are several workers."""
import asyncio
import os
import secrets
import sqlite3
import time
from contextlib import asynccontextmanager

import asyncpg
import chess
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel, Field

DATABASE = os.environ["DATABASE"]
SCHEMA = """
CREATE TABLE IF NOT EXISTS players (token TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, white TEXT NOT NULL, black TEXT, fen TEXT NOT NULL,
  ply INTEGER NOT NULL, white_ms BIGINT NOT NULL, black_ms BIGINT NOT NULL, moved_at BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS moves (game TEXT NOT NULL, ply INTEGER NOT NULL, uci TEXT NOT NULL, at BIGINT NOT NULL,
  PRIMARY KEY (game, ply));
"""


class Sqlite:
    """One connection per worker, in WAL mode and fsynced at each commit; a thread, so that others are not blocked."""

    async def open(self):
        self.lock = asyncio.Lock()
        self.db = sqlite3.connect(DATABASE.removeprefix("sqlite:"), check_same_thread=False, isolation_level=None,
                                  timeout=30)
        self.db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;" + SCHEMA)

    async def one(self, sql, *values):
        async with self.lock:
            return await asyncio.to_thread(lambda: self.db.execute(sql, values).fetchone())

    async def transact(self, *statements):
        def run():
            self.db.execute("BEGIN IMMEDIATE")
            try:
                changed = [self.db.execute(sql, values).rowcount for sql, values in statements]
                self.db.execute("COMMIT" if all(changed) else "ROLLBACK")
                return all(changed)
            except Exception:
                self.db.execute("ROLLBACK")
                raise
        async with self.lock:
            return await asyncio.to_thread(run)


class Postgres:
    """A pool per worker."""

    async def open(self):
        self.pool = await asyncpg.create_pool(DATABASE, min_size=8, max_size=8)
        async with self.pool.acquire() as db:
            await db.execute("SELECT pg_advisory_lock(1)")
            await db.execute(SCHEMA)
            await db.execute("SELECT pg_advisory_unlock(1)")

    @staticmethod
    def numbered(sql):
        for n in range(1, sql.count("?") + 1):
            sql = sql.replace("?", f"${n}", 1)
        return sql

    async def one(self, sql, *values):
        return await self.pool.fetchrow(self.numbered(sql), *values)

    async def transact(self, *statements):
        async with self.pool.acquire() as db:
            transaction = db.transaction()
            await transaction.start()
            for sql, values in statements:
                if (await db.execute(self.numbered(sql), *values)).endswith(" 0"):
                    await transaction.rollback()
                    return False
            await transaction.commit()
            return True


store = Sqlite() if DATABASE.startswith("sqlite:") else Postgres()
names = {}  # token to name, as read


@asynccontextmanager
async def lifespan(_):
    await store.open()
    yield


app = FastAPI(lifespan=lifespan)


class TimeControl(BaseModel):
    initial_seconds: int
    increment_seconds: int = 0


class NewGame(BaseModel):
    time_control: TimeControl


class Move(BaseModel):
    text: str = Field(alias="move")
    ply: int


def now_ms():
    return int(time.time() * 1000)


async def who(authorization):
    token = (authorization or "").removeprefix("Bearer ")
    if token not in names:
        row = await store.one("SELECT name FROM players WHERE token = ?", token)
        if row is None:
            raise HTTPException(401)
        names[token] = row[0]
    return names[token]


@app.post("/v1/guests", status_code=201)
async def guest():
    token, name = secrets.token_urlsafe(24), "guest-" + secrets.token_hex(5)
    await store.transact(("INSERT INTO players VALUES (?, ?)", (token, name)))
    return {"account": {"id": name}, "token": token}


@app.post("/v1/games", status_code=201)
async def create(game: NewGame, authorization: str | None = Header(default=None)):
    name, id, ms = await who(authorization), secrets.token_hex(4), game.time_control.initial_seconds * 1000
    await store.transact(("INSERT INTO games VALUES (?, ?, NULL, ?, 0, ?, ?, ?)",
                          (id, name, chess.STARTING_FEN, ms, ms, now_ms())))
    return {"id": id, "state": "WAITING", "white": name}


@app.post("/v1/games/{id}/join")
async def join(id: str, authorization: str | None = Header(default=None)):
    name = await who(authorization)
    if not await store.transact(("UPDATE games SET black = ?, moved_at = ? WHERE id = ? AND black IS NULL",
                                 (name, now_ms(), id))):
        raise HTTPException(409)
    return {"id": id, "state": "ACTIVE"}


@app.post("/v1/games/{id}/moves")
async def move(id: str, move: Move, authorization: str | None = Header(default=None)):
    received = now_ms()
    name = await who(authorization)
    row = await store.one("SELECT white, black, fen, ply, white_ms, black_ms, moved_at FROM games WHERE id = ?", id)
    if row is None:
        raise HTTPException(404)
    white, black, fen, ply, white_ms, black_ms, moved_at = row
    board = chess.Board(fen)
    if name != (white if board.turn else black) or move.ply != ply + 1:
        raise HTTPException(409)
    try:
        played = board.parse_uci(move.text)
    except ValueError:
        raise HTTPException(422)
    san = board.san_and_push(played) if hasattr(board, "san_and_push") else (board.san(played), board.push(played))[0]
    outcome = board.outcome()
    spent = received - moved_at
    white_ms, black_ms = (white_ms - spent, black_ms) if board.turn == chess.BLACK else (white_ms, black_ms - spent)
    if min(white_ms, black_ms) <= 0:
        raise HTTPException(409)
    fen = board.fen()
    if not await store.transact(
            ("UPDATE games SET fen = ?, ply = ?, white_ms = ?, black_ms = ?, moved_at = ? WHERE id = ? AND ply = ?",
             (fen, ply + 1, white_ms, black_ms, received, id, ply)),
            ("INSERT INTO moves VALUES (?, ?, ?, ?)", (id, ply + 1, played.uci(), received))):
        raise HTTPException(409)
    return {"ply": ply + 1, "move": played.uci(), "san": san, "fen": fen,
            "to_move": "white" if board.turn else "black", "clock_ms": {"white": white_ms, "black": black_ms},
            "check": board.is_check(), "result": outcome and outcome.result()}
