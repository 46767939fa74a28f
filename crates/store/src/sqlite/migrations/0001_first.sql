-- Times are milliseconds since 1970-01-01 UTC, spans and clocks are
-- milliseconds, players are numbers of `accounts`.

-- Numbers the store keeps for itself.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,     -- 'alive_at': the last moment the server is known to have been up
                              -- 'seq': the journal was once trimmed up to here; numbers never return
                              -- 'pings': how often somebody asked whether writing works
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was accepted and is not in the table's row yet. Appended to, read at
-- start, trimmed at the front: the hot path, so no second index and no
-- foreign key.
CREATE TABLE journal (
  seq      INTEGER PRIMARY KEY, -- the order of acceptance, over all tables
  table_id INTEGER NOT NULL,
  version  INTEGER NOT NULL,    -- the table's version that this change made
  at       INTEGER NOT NULL,    -- when the server received what caused it
  payload  BLOB NOT NULL        -- the change, as packed by the rules: the next bytes of tables.history
) STRICT;

-- One row per table (game or match), as of its `version`. Short columns
-- first: a list that reads them does not touch a long history's pages.
CREATE TABLE tables (
  id             INTEGER PRIMARY KEY, -- 47 random bits; eight characters on the wire
  kind           INTEGER NOT NULL,    -- which rules: chess::table::Table::KIND
  version        INTEGER NOT NULL,    -- changes so far; what is beyond it is in the journal
  state          TEXT NOT NULL CHECK (state IN ('WAITING', 'ACTIVE', 'PAUSED', 'COMPLETED')),
  creator        INTEGER NOT NULL,
  opponent       INTEGER,             -- the only one who may join, if meant for someone
  white          INTEGER,             -- known once somebody has joined
  black          INTEGER,
  private        INTEGER NOT NULL CHECK (private IN (0, 1)), -- seen by players and `invitations` only
  variant        TEXT NOT NULL,       -- 'standard', 'chess960', ...
  rated          INTEGER NOT NULL CHECK (rated IN (0, 1)),
  speed          TEXT NOT NULL,       -- 'bullet', 'blitz', ..., 'correspondence', 'unlimited'
  initial_ms     INTEGER,             -- what each clock starts with; NULL without a clock
  increment_ms   INTEGER,             -- what each move adds
  white_clock_ms INTEGER,             -- remaining as of updated_at
  black_clock_ms INTEGER,
  side_to_move   TEXT NOT NULL CHECK (side_to_move IN ('w', 'b')),
  ply            INTEGER NOT NULL,    -- half-moves that stand
  result         TEXT,                -- 'white_wins', 'black_wins', 'draw', ...; NULL until it is over
  reason         TEXT,                -- 'checkmate', 'resignation', 'timeout', ...
  created_at     INTEGER NOT NULL,
  started_at     INTEGER,             -- when the opponent joined
  updated_at     INTEGER NOT NULL,    -- when it last changed
  ended_at       INTEGER,
  deadline       INTEGER,             -- when it must be looked at even if nobody speaks: a flag, a lapse
  join_code      TEXT,                -- six characters for a friend, while it waits
  fen            TEXT NOT NULL,       -- the position
  history        BLOB NOT NULL        -- every change packed: the truth; all columns above follow from it
) STRICT;

-- Lists run newest first; the id breaks ties and is part of every index.
CREATE INDEX tables_by_state ON tables (state, created_at);
CREATE INDEX tables_by_variant ON tables (variant, state, created_at);
-- A code names one waiting table; once it does not wait the code is free.
CREATE UNIQUE INDEX tables_by_join_code ON tables (join_code)
  WHERE state = 'WAITING' AND join_code IS NOT NULL;

-- Whose table it is. It takes the place of four indexes (creator, opponent,
-- white, black), lists a player's tables in order, and counts the unfinished.
CREATE TABLE seats (
  player     INTEGER NOT NULL,
  over       INTEGER NOT NULL CHECK (over IN (0, 1)),
  created_at INTEGER NOT NULL, -- of the table
  table_id   INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  seated     INTEGER NOT NULL CHECK (seated IN (0, 1)), -- 0: asked to play, and has not joined
  PRIMARY KEY (player, over, created_at, table_id)
) STRICT, WITHOUT ROWID;

-- Who may see a private table besides its players.
CREATE TABLE invitations (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  account  INTEGER NOT NULL,
  PRIMARY KEY (table_id, account)
) STRICT, WITHOUT ROWID;

-- The score sheets of tables that are over. While one is played its moves
-- are in its history.
CREATE TABLE moves (
  table_id       INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  ply            INTEGER NOT NULL, -- half-move, from 1
  move_number    INTEGER NOT NULL, -- one for White's and Black's move
  color          TEXT NOT NULL CHECK (color IN ('w', 'b')),
  uci            TEXT NOT NULL,    -- 'e2e4', 'e7e8q'; a drop is 'N@f3'
  from_square    TEXT GENERATED ALWAYS AS (CASE WHEN substr(uci, 2, 1) = '@' THEN NULL ELSE substr(uci, 1, 2) END) VIRTUAL,
  to_square      TEXT GENERATED ALWAYS AS (substr(uci, 3, 2)) VIRTUAL,
  promotion      TEXT GENERATED ALWAYS AS (nullif(substr(uci, 5, 1), '')) VIRTUAL,
  san            TEXT NOT NULL,
  fen_after      TEXT NOT NULL,
  played_at      INTEGER NOT NULL, -- when the server received it
  elapsed_ms     INTEGER NOT NULL, -- what the mover took for it
  white_clock_ms INTEGER,          -- remaining after it; NULL without a clock
  black_clock_ms INTEGER,
  PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;

-- Answers that a repeated request must get again, for a day.
CREATE TABLE idempotency_keys (
  account  INTEGER NOT NULL,
  key      TEXT NOT NULL,    -- chosen by the client
  request  BLOB NOT NULL,    -- a hash of method, path and body
  table_id INTEGER NOT NULL,
  version  INTEGER NOT NULL, -- the version that answered it
  at       INTEGER NOT NULL,
  PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (at);

CREATE TABLE accounts (
  number        INTEGER PRIMARY KEY, -- what games know it by; never used again
  uuid          BLOB NOT NULL UNIQUE, -- for doors whose contract says UUID
  id            TEXT NOT NULL UNIQUE, -- the lower-cased name
  name          TEXT NOT NULL,        -- as its owner writes it
  kind          TEXT NOT NULL CHECK (kind IN ('registered', 'guest', 'outside')),
  email         TEXT,
  password_hash TEXT,                 -- a PHC string
  title         TEXT,                 -- 'GM', 'BOT', ...
  is_admin      INTEGER NOT NULL CHECK (is_admin IN (0, 1)),
  preferences   TEXT NOT NULL,        -- the client's own, a JSON object
  created_at    INTEGER NOT NULL,
  deleted_at    INTEGER               -- the games stay, the name is gone
) STRICT;

-- Who an account is at an outside identity service.
CREATE TABLE outside_identities (
  issuer  TEXT NOT NULL, -- the `iss` of its tokens
  subject TEXT NOT NULL, -- their `sub`
  account INTEGER NOT NULL UNIQUE REFERENCES accounts (number),
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

-- Bearer tokens that are in force; a revoked one is gone.
CREATE TABLE tokens (
  id         INTEGER PRIMARY KEY AUTOINCREMENT, -- public, never used again
  hash       BLOB NOT NULL UNIQUE,              -- SHA-256 of the secret, which is kept nowhere
  account    INTEGER NOT NULL REFERENCES accounts (number),
  kind       TEXT NOT NULL CHECK (kind IN ('session', 'personal')),
  name       TEXT NOT NULL,
  scopes     INTEGER NOT NULL,                  -- a set of bits the server gives meaning to
  created_at INTEGER NOT NULL,
  expires_at INTEGER                            -- NULL: never by itself
) STRICT;
CREATE INDEX tokens_by_account ON tokens (account);

-- What operators, and the server on its own account, did.
CREATE TABLE audit (
  id     INTEGER PRIMARY KEY,
  at     INTEGER NOT NULL,
  actor  TEXT NOT NULL, -- an account's id, 'cli', or 'server'
  action TEXT NOT NULL, -- 'adjudicate', 'reset_password', ...
  target TEXT NOT NULL, -- a game's or an account's id
  detail TEXT NOT NULL  -- for a person to read
) STRICT;

-- When the server was down in the last two months: running clocks are
-- credited for it when their table is next looked at.
CREATE TABLE outages (
  down_since INTEGER PRIMARY KEY,
  up_at      INTEGER NOT NULL
) STRICT;
