-- How far behind spectators are: a list by state must not tell them sooner
-- that a game began or ended. NULL: not known, the row was written before.
ALTER TABLE tables ADD COLUMN delay_ms INTEGER;

-- Whom lists show a table to: 0 anybody; 1 anybody, but late; 2 those invited.
-- Part of every index of lists, so that a page costs what it shows, however
-- many tables there are that it may not show.
ALTER TABLE tables ADD COLUMN sight INTEGER NOT NULL
  GENERATED ALWAYS AS (CASE WHEN private THEN 2 WHEN delay_ms > 0 THEN 1 ELSE 0 END) VIRTUAL;
DROP INDEX tables_by_state;
DROP INDEX tables_by_variant;
CREATE INDEX tables_by_state ON tables (state, sight, created_at);
CREATE INDEX tables_by_variant ON tables (variant, state, sight, created_at);
CREATE INDEX invitations_by_account ON invitations (account);

-- The same for a player's tables. A column of a key cannot be added, so they move.
CREATE TABLE seats_by_sight (
  player     INTEGER NOT NULL,
  over       INTEGER NOT NULL CHECK (over IN (0, 1)),
  sight      INTEGER NOT NULL, -- of the table
  created_at INTEGER NOT NULL, -- of the table
  table_id   INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  seated     INTEGER NOT NULL CHECK (seated IN (0, 1)), -- 0: asked to play, and has not joined
  PRIMARY KEY (player, over, sight, created_at, table_id)
) STRICT, WITHOUT ROWID;
INSERT INTO seats_by_sight
  SELECT s.player, s.over, t.sight, s.created_at, s.table_id, s.seated
    FROM seats s CROSS JOIN tables t ON t.id = s.table_id;
DROP TABLE seats;
ALTER TABLE seats_by_sight RENAME TO seats;
