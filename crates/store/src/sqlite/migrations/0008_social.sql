-- What players decide about each other, and what is decided about players.

-- Whom somebody does not want to meet, nor to hear.
CREATE TABLE blocks (
  account INTEGER NOT NULL, -- who decided it
  blocked INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (account, blocked)
) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_by_blocked ON blocks (blocked);

-- Whose games somebody wants to hear of.
CREATE TABLE follows (
  account  INTEGER NOT NULL,
  followed INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  PRIMARY KEY (account, followed)
) STRICT, WITHOUT ROWID;
CREATE INDEX follows_by_followed ON follows (followed);

-- Who may challenge somebody; without a row everybody may.
CREATE TABLE challenge_rules (
  account    INTEGER PRIMARY KEY,
  accept     TEXT NOT NULL CHECK (accept IN ('everybody', 'rated_only', 'follows', 'nobody')),
  rating_min INTEGER, -- of the challenger, in the game's category
  rating_max INTEGER
) STRICT;

-- What players say about players, for administrators to decide.
CREATE TABLE reports (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  reporter   INTEGER,          -- NULL: the account was deleted
  reported   INTEGER NOT NULL,
  reason     TEXT NOT NULL,    -- 'cheating', 'abuse', ...
  table_id   INTEGER,          -- the game it is about, if one was named
  text       TEXT NOT NULL,
  at         INTEGER NOT NULL,
  decision   TEXT,             -- 'dismiss', 'warn', ...; NULL while it is open
  decided_by TEXT,             -- an account's id
  decided_at INTEGER,
  until      INTEGER,          -- when what was decided ends
  note       TEXT
) STRICT;
-- The same is not said twice while it is open.
CREATE UNIQUE INDEX reports_open ON reports (reporter, reported, reason, coalesce(table_id, -1))
  WHERE decision IS NULL;
CREATE INDEX reports_undecided ON reports (id) WHERE decision IS NULL;
CREATE INDEX reports_by_reporter ON reports (reporter);
CREATE INDEX reports_by_reported ON reports (reported);

-- What somebody may not do for a while.
CREATE TABLE sanctions (
  account INTEGER NOT NULL,
  kind    TEXT NOT NULL CHECK (kind IN ('mute', 'bar_rated')),
  until   INTEGER,       -- NULL: until it is lifted
  why     TEXT NOT NULL, -- as its owner is told
  by      TEXT NOT NULL, -- an account's id
  at      INTEGER NOT NULL,
  PRIMARY KEY (account, kind)
) STRICT, WITHOUT ROWID;

-- What the owner of an account is to know.
CREATE TABLE notices (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  account INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  kind    TEXT NOT NULL, -- 'warn', 'mute', ...
  text    TEXT NOT NULL,
  until   INTEGER,
  seen_at INTEGER        -- when its owner put it away
) STRICT;
CREATE INDEX notices_by_account ON notices (account, id);

-- What may say something about how a game was played.
CREATE TABLE signals (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  table_id INTEGER NOT NULL,
  account  INTEGER NOT NULL, -- which of its players
  kind     TEXT NOT NULL,    -- 'focus_lost', 'focus_gained', 'disconnected'
  at       INTEGER NOT NULL,
  ply      INTEGER           -- half-moves played by then
) STRICT;
CREATE INDEX signals_by_table ON signals (table_id, account, kind);
