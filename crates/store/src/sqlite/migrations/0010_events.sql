-- What others are told: services, and players who are away.

-- A report is about no game unless one was named. A column cannot be made optional, so
-- the events move; numbers go on where they were.
DROP INDEX outbox_by_age;
ALTER TABLE outbox RENAME TO outbox_before;
CREATE TABLE outbox (
  id       INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
  at       INTEGER NOT NULL,
  type     TEXT NOT NULL,              -- 'GameCreated', 'MovePlayed', ...
  table_id INTEGER,
  version  INTEGER NOT NULL,           -- of the table; 0 without one
  xid      INTEGER NOT NULL DEFAULT 0, -- of the transaction; there is one writer, so it says nothing here
  report   INTEGER                     -- what 'PlayerReported' is about
) STRICT;
INSERT INTO outbox (id, at, type, table_id, version)
  SELECT id, at, type, table_id, version FROM outbox_before;
DELETE FROM sqlite_sequence WHERE name = 'outbox';
INSERT INTO sqlite_sequence (name, seq)
  SELECT 'outbox', seq FROM sqlite_sequence WHERE name = 'outbox_before';
DROP TABLE outbox_before;
CREATE INDEX outbox_by_age ON outbox (at);

-- How far those have come who pass events on.
CREATE TABLE event_cursors (
  name TEXT PRIMARY KEY,
  xid  INTEGER NOT NULL,
  id   INTEGER NOT NULL
) STRICT;

-- Who does something that one does at a time, and until when at most.
CREATE TABLE leases (
  name   TEXT PRIMARY KEY,
  holder INTEGER NOT NULL,
  until  INTEGER NOT NULL
) STRICT;

-- Where events are sent to.
CREATE TABLE webhooks (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  account    INTEGER NOT NULL,
  url        TEXT NOT NULL,
  kinds      INTEGER NOT NULL, -- which events: a bit for each, see chess::telling
  everything INTEGER NOT NULL CHECK (everything IN (0, 1)), -- of all games: an administrator's
  secret     TEXT NOT NULL,    -- what deliveries are signed with
  old_secret TEXT,             -- the one before, for a while
  old_until  INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_account ON webhooks (account);
CREATE INDEX webhooks_for_everything ON webhooks (account) WHERE everything = 1;

-- What is sent, was sent, or could not be. It has all of its event, which may be
-- forgotten before.
CREATE TABLE deliveries (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook       INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  queue         INTEGER NOT NULL, -- the table, or -1: of each webhook one after the other
  xid           INTEGER NOT NULL,
  event         INTEGER NOT NULL,
  at            INTEGER NOT NULL,
  type          TEXT NOT NULL,
  table_id      INTEGER,
  version       INTEGER NOT NULL,
  report        INTEGER,
  state         TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead')),
  tries         INTEGER NOT NULL,
  next_at       INTEGER NOT NULL, -- when it is tried next; the greatest number behind others of its line
  claimed_until INTEGER NOT NULL, -- somebody tries it until then; 0: nobody
  status        INTEGER,          -- what the target answered last
  error         TEXT,             -- why there was no answer
  created_at    INTEGER NOT NULL,
  ended_at      INTEGER
) STRICT;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook, id);
CREATE INDEX deliveries_in_line ON deliveries (webhook, queue, id) WHERE state = 'waiting';
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE state = 'waiting';
CREATE INDEX deliveries_by_age ON deliveries (created_at);
