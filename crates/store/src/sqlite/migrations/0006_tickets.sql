-- Those who wait for an opponent, and for an hour what became of them.
CREATE TABLE tickets (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  account         INTEGER NOT NULL,
  pool            TEXT NOT NULL,    -- chess::pairing::Pool: time control, variant, rated or not
  is_real_time    INTEGER NOT NULL CHECK (is_real_time IN (0, 1)),
  points_milli    INTEGER NOT NULL, -- the rating when they came
  deviation_milli INTEGER NOT NULL,
  volatility_nano INTEGER NOT NULL,
  range_min       INTEGER,          -- the points an opponent must have, if they said so
  range_max       INTEGER,
  sides           TEXT NOT NULL,    -- of their last games: 'wbbw', the oldest first
  last_opponent   INTEGER,
  since           INTEGER NOT NULL,
  seen_at         INTEGER NOT NULL, -- when they were last there
  fate            TEXT NOT NULL CHECK (fate IN ('SEARCHING', 'MATCHED', 'CANCELLED', 'TIMED_OUT')),
  table_id        INTEGER,          -- the game that ended it, if one did
  ended_at        INTEGER
) STRICT;

-- Nobody waits twice.
CREATE UNIQUE INDEX tickets_searching ON tickets (account) WHERE fate = 'SEARCHING';
CREATE INDEX tickets_ended ON tickets (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX tickets_by_table ON tickets (table_id) WHERE table_id IS NOT NULL;
