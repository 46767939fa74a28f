-- How strong players are. Points and deviations are in thousandths of a point,
-- volatilities in billionths; categories are chess::rating::Category::code.

CREATE TABLE ratings (
  account         INTEGER NOT NULL,
  category        INTEGER NOT NULL,
  points_milli    INTEGER NOT NULL CHECK (points_milli BETWEEN 400000 AND 4000000),
  deviation_milli INTEGER NOT NULL CHECK (deviation_milli BETWEEN 45000 AND 350000), -- as of rated_at: it grows when it is read
  volatility_nano INTEGER NOT NULL CHECK (volatility_nano BETWEEN 10000000 AND 100000000),
  games           INTEGER NOT NULL, -- rated ones
  wins            INTEGER NOT NULL,
  draws           INTEGER NOT NULL,
  losses          INTEGER NOT NULL,
  rated_at        INTEGER NOT NULL, -- when the last of them ended
  unsure_from     INTEGER NOT NULL, -- from when on the deviation is too large for the leaderboard
  known_at        INTEGER NOT NULL, -- from when on everybody may know of all of it: see rating_history
  PRIMARY KEY (account, category)
) STRICT, WITHOUT ROWID;

-- Leaderboards: established players, the best first.
CREATE INDEX ratings_by_points ON ratings (category, points_milli DESC, account, unsure_from)
  WHERE unsure_from > 0;

-- What each rated game did to the ratings of its players: a row for each of
-- the two. It belongs to the game and stays with it.
CREATE TABLE rating_history (
  account                INTEGER NOT NULL,
  category               INTEGER NOT NULL,
  at                     INTEGER NOT NULL, -- when the game ended
  table_id               INTEGER NOT NULL,
  opponent               INTEGER NOT NULL,
  color                  TEXT NOT NULL CHECK (color IN ('w', 'b')),
  score                  INTEGER NOT NULL CHECK (score IN (0, 1, 2)), -- half points
  before_points_milli    INTEGER NOT NULL,
  before_deviation_milli INTEGER NOT NULL,
  before_volatility_nano INTEGER NOT NULL,
  after_points_milli     INTEGER NOT NULL,
  after_deviation_milli  INTEGER NOT NULL,
  after_volatility_nano  INTEGER NOT NULL,
  known_at               INTEGER NOT NULL, -- when spectators know that the game is over
  PRIMARY KEY (account, category, at, table_id)
) STRICT, WITHOUT ROWID;
-- A game is rated once.
CREATE UNIQUE INDEX rating_history_by_table ON rating_history (table_id, color);
-- How often two have met: one row of each game.
CREATE INDEX rating_history_by_pair ON rating_history (account, opponent, at)
  WHERE account < opponent;

-- What happened and others may want to be told, in the order of writing; kept
-- for thirty days.
CREATE TABLE outbox (
  id       INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
  at       INTEGER NOT NULL,
  type     TEXT NOT NULL,    -- 'RatingChanged'
  table_id INTEGER NOT NULL,
  version  INTEGER NOT NULL  -- of the table
) STRICT;
CREATE INDEX outbox_by_age ON outbox (at);

-- For the search by the beginning of a name, and for the leaderboard of programs.
CREATE INDEX accounts_by_prefix ON accounts (id) WHERE kind <> 'guest' AND deleted_at IS NULL;
CREATE INDEX accounts_of_bots ON accounts (number) WHERE title = 'BOT';
