-- What the players of slow games decide for days ahead.

-- What a player answers if the opponent plays this or that: theirs alone to read. Of one
-- position of the game: after `ply` half-moves, as of `version`.
CREATE TABLE conditional_moves (
  table_id bigint NOT NULL,
  account  bigint NOT NULL, -- the player, as the game knows them
  version  integer NOT NULL,
  ply      integer NOT NULL,
  lines    text NOT NULL, -- a line of moves per line: their move, the answer, ...
  PRIMARY KEY (table_id, account)
);
CREATE INDEX conditional_moves_by_account ON conditional_moves (account);

-- When somebody was away or will be, by the games' clock. What counts in a game is what its record
-- says; this is what the records are made from, and what the days of a year are counted by.
CREATE TABLE vacations (
  account  bigint NOT NULL,
  began_at bigint NOT NULL,
  ends_at  bigint NOT NULL,
  recorded boolean NOT NULL, -- whether all their games say so
  PRIMARY KEY (account, began_at)
);
CREATE INDEX vacations_to_record ON vacations (account) WHERE NOT recorded;
CREATE INDEX vacations_by_end ON vacations (ends_at);
