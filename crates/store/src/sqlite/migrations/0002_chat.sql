-- What was said around a table. Its ids are not numbers of a row: they are
-- made so that nobody can count lines they may not see.
CREATE TABLE chat (
  table_id INTEGER NOT NULL, -- no foreign key: a line never waits for a row
  id       INTEGER NOT NULL, -- live::room::ChatId: rises as the lines were said
  at       INTEGER NOT NULL,
  account  INTEGER NOT NULL, -- who said it; the name is the account's, and goes with it
  role     TEXT NOT NULL,    -- what they were then: 'player', 'observer', 'moderator'
  audience TEXT NOT NULL,    -- whom it is for: 'room', 'observers'
  notice   INTEGER NOT NULL CHECK (notice IN (0, 1)), -- a moderator's word to everyone
  text     TEXT NOT NULL,
  PRIMARY KEY (table_id, id)
) STRICT, WITHOUT ROWID;
-- For the export of one's own data.
CREATE INDEX chat_by_account ON chat (account, table_id, id);

-- Who may not speak in a room, or not be in it.
CREATE TABLE room_bans (
  table_id INTEGER NOT NULL,
  account  INTEGER NOT NULL,
  kind     TEXT NOT NULL CHECK (kind IN ('muted', 'removed')), -- removed counts as muted too
  by       INTEGER NOT NULL, -- the account of who did it
  at       INTEGER NOT NULL,
  PRIMARY KEY (table_id, account)
) STRICT, WITHOUT ROWID;
