-- Games that are gone through after their end: those that wait, and what came of it.
CREATE TABLE analyses (
  table_id     INTEGER PRIMARY KEY,
  asked_by     INTEGER,           -- until it is done
  asked_at     INTEGER NOT NULL,
  leased_until INTEGER,           -- somebody is at it, unless they are gone by then
  attempt      INTEGER NOT NULL,  -- how often somebody began
  done         INTEGER NOT NULL,  -- half-moves
  total        INTEGER NOT NULL,
  result       TEXT               -- JSON, once it is done
) STRICT;

CREATE INDEX analyses_open ON analyses (asked_at, table_id) WHERE result IS NULL;
