-- What the players of slow games decide for days ahead.

-- What a player answers if the opponent plays this or that: theirs alone to read. Of one
-- position of the game: after `ply` half-moves, as of `version`.
CREATE TABLE conditional_moves (
  table_id INTEGER NOT NULL,
  account  INTEGER NOT NULL, -- the player, as the game knows them
  version  INTEGER NOT NULL,
  ply      INTEGER NOT NULL,
  lines    TEXT NOT NULL, -- a line of moves per line: their move, the answer, ...
  PRIMARY KEY (table_id, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX conditional_moves_by_account ON conditional_moves (account);

-- When somebody was away or will be, by the games' clock. What counts in a game is what its record
-- says; this is what the records are made from, and what the days of a year are counted by.
CREATE TABLE vacations (
  account  INTEGER NOT NULL,
  began_at INTEGER NOT NULL,
  ends_at  INTEGER NOT NULL,
  recorded INTEGER NOT NULL, -- whether all their games say so
  PRIMARY KEY (account, began_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX vacations_to_record ON vacations (account) WHERE recorded = 0;
CREATE INDEX vacations_by_end ON vacations (ends_at);

-- What comes up next, also of games that nobody has looked at for days: they need not be in
-- memory. Only what is not over has a deadline.
CREATE INDEX tables_by_deadline ON tables (deadline) WHERE deadline IS NOT NULL;
