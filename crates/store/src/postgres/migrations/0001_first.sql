-- Times are milliseconds since 1970-01-01 UTC, spans and clocks are
-- milliseconds, players are numbers of `accounts`.

-- Numbers the store keeps for itself.
CREATE TABLE meta (
  key   text PRIMARY KEY, -- 'alive_at': the last moment a server is known to have been up
                          -- 'pings': how often somebody asked whether writing works
  value bigint NOT NULL
);

-- The latest change that each connection wrote, in the transaction of the
-- change: rows of their own, so that no two wait for each other.
CREATE TABLE signs_of_life (
  writer integer PRIMARY KEY,
  at     bigint NOT NULL
);
INSERT INTO signs_of_life SELECT writer, 0 FROM generate_series(0, 63) AS writer;

-- One row per table (game or match). `version`, `history`, `updated_at` and
-- `deadline` are those of the last change. The other columns are what lists ask
-- for, as of the last change that lists must show. A move touches no index and no
-- other table, so that it is one short update within the page.
--
-- Live tables are in sixteen parts by id. Those that are over may be moved to an
-- archive for the month of their end (`tables_archive_202601`), made when it is
-- first needed; whoever changes one or looks for one says `archive = 0`, so that
-- the archives are not looked at.
CREATE TABLE tables (
  id             bigint NOT NULL,   -- 47 random bits; eight characters on the wire
  archive        integer NOT NULL DEFAULT 0, -- 0: live; else the year times 100 and the month of its end
  kind           smallint NOT NULL, -- which rules: chess::table::Table::KIND
  version        integer NOT NULL,  -- changes so far: the referee between nodes
  state          text NOT NULL CHECK (state IN ('WAITING', 'ACTIVE', 'PAUSED', 'COMPLETED')),
  creator        bigint NOT NULL,
  opponent       bigint,            -- the only one who may join, if meant for someone
  white          bigint,            -- known once somebody has joined
  black          bigint,
  private        boolean NOT NULL,  -- seen by players and `invitations` only
  variant        text NOT NULL,     -- 'standard', 'chess960', ...
  rated          boolean NOT NULL,
  speed          text NOT NULL,     -- 'bullet', 'blitz', ..., 'correspondence', 'unlimited'
  initial_ms     bigint,            -- what each clock starts with; NULL without a clock
  increment_ms   bigint,            -- what each move adds
  white_clock_ms bigint,
  black_clock_ms bigint,
  side_to_move   text NOT NULL CHECK (side_to_move IN ('w', 'b')),
  ply            integer NOT NULL,  -- half-moves that stand
  result         text,              -- 'white_wins', 'black_wins', 'draw', ...; NULL until it is over
  reason         text,              -- 'checkmate', 'resignation', 'timeout', ...
  created_at     bigint NOT NULL,
  started_at     bigint,            -- when the opponent joined
  updated_at     bigint NOT NULL,   -- when it last changed
  ended_at       bigint,
  deadline       bigint,            -- when it must be looked at even if nobody speaks: a flag, a lapse
  join_code      text,              -- what `join_codes` has for it
  fen            text NOT NULL,     -- the position
  delay_ms       bigint NOT NULL,   -- how far behind spectators are
  -- Whom lists show it to: 0 anybody; 1 anybody, but late; 2 those invited.
  sight          smallint NOT NULL GENERATED ALWAYS AS
                   (CASE WHEN private THEN 2 WHEN delay_ms > 0 THEN 1 ELSE 0 END) STORED,
  history        bytea NOT NULL,    -- every change packed: the truth; all columns above follow from it
  PRIMARY KEY (id, archive)
) PARTITION BY LIST (archive);

CREATE TABLE tables_live PARTITION OF tables FOR VALUES IN (0) PARTITION BY HASH (id);

-- Lists run newest first; the id breaks ties.
CREATE INDEX tables_by_state ON tables (state, sight, created_at, id);
CREATE INDEX tables_by_variant ON tables (variant, state, sight, created_at, id);

-- Room in every page for the next version of its rows; packed histories do not compress.
DO $$
BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format(
      'CREATE TABLE tables_%s PARTITION OF tables_live
         FOR VALUES WITH (MODULUS 16, REMAINDER %s) WITH (fillfactor = 60)', part, part);
    EXECUTE format('ALTER TABLE tables_%s ALTER COLUMN history SET STORAGE EXTERNAL', part);
  END LOOP;
END $$;

-- The table that a friend with a code is led to. Not a unique index of `tables`,
-- which is in parts.
CREATE TABLE join_codes (
  code     text PRIMARY KEY,
  table_id bigint NOT NULL
);

-- Whose table it is: lists a player's tables in order, and counts the unfinished.
CREATE TABLE seats (
  player     bigint NOT NULL,
  over       boolean NOT NULL,
  sight      smallint NOT NULL, -- of the table
  created_at bigint NOT NULL,   -- of the table
  table_id   bigint NOT NULL,
  seated     boolean NOT NULL,  -- false: asked to play, and has not joined
  PRIMARY KEY (player, over, sight, created_at, table_id)
);
CREATE INDEX seats_by_table ON seats (table_id);

-- Who may see a private table besides its players.
CREATE TABLE invitations (
  table_id bigint NOT NULL,
  account  bigint NOT NULL,
  PRIMARY KEY (table_id, account)
);
CREATE INDEX invitations_by_account ON invitations (account);

-- The score sheets of tables that are over. While one is played its moves
-- are in its history.
CREATE TABLE moves (
  table_id       bigint NOT NULL,
  ply            integer NOT NULL, -- half-move, from 1
  move_number    integer NOT NULL, -- one for White's and Black's move
  color          text NOT NULL CHECK (color IN ('w', 'b')),
  uci            text NOT NULL,    -- 'e2e4', 'e7e8q'; a drop is 'N@f3'
  san            text NOT NULL,
  fen_after      text NOT NULL,
  played_at      bigint NOT NULL,  -- when the server received it
  elapsed_ms     bigint NOT NULL,  -- what the mover took for it
  white_clock_ms bigint,           -- remaining after it; NULL without a clock
  black_clock_ms bigint,
  PRIMARY KEY (table_id, ply)
);

-- Answers that a repeated request must get again, for a day.
CREATE TABLE idempotency_keys (
  account  bigint NOT NULL,
  key      text NOT NULL,    -- chosen by the client
  request  bytea NOT NULL,   -- a hash of method, path and body
  table_id bigint NOT NULL,
  version  integer NOT NULL, -- the version that answered it
  at       bigint NOT NULL,
  PRIMARY KEY (account, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (at);

CREATE TABLE accounts (
  number        bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, -- what games know it by; never used again
  uuid          bytea NOT NULL UNIQUE, -- for doors whose contract says UUID
  id            text NOT NULL UNIQUE,  -- the lower-cased name
  name          text NOT NULL,         -- as its owner writes it
  kind          text NOT NULL CHECK (kind IN ('registered', 'guest', 'outside')),
  email         text,
  password_hash text,                  -- a PHC string
  title         text,                  -- 'GM', 'BOT', ...
  is_admin      boolean NOT NULL,
  preferences   text NOT NULL,         -- the client's own, a JSON object
  created_at    bigint NOT NULL,
  deleted_at    bigint,                -- the games stay, the name is gone
  barred_at     bigint                 -- the account stays, and nobody uses it
);

-- Who an account is at an outside identity service.
CREATE TABLE outside_identities (
  issuer  text NOT NULL, -- the `iss` of its tokens
  subject text NOT NULL, -- their `sub`
  account bigint NOT NULL UNIQUE REFERENCES accounts (number),
  PRIMARY KEY (issuer, subject)
);

-- Those of an outside identity service who are not let in, whether or not they
-- were ever here.
CREATE TABLE blocked_identities (
  issuer  text NOT NULL,
  subject text NOT NULL,
  at      bigint NOT NULL,
  PRIMARY KEY (issuer, subject)
);

-- Bearer tokens that are in force; a revoked one is gone.
CREATE TABLE tokens (
  id         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, -- public, never used again
  hash       bytea NOT NULL UNIQUE, -- SHA-256 of the secret, which is kept nowhere
  account    bigint NOT NULL REFERENCES accounts (number),
  kind       text NOT NULL CHECK (kind IN ('session', 'personal')),
  name       text NOT NULL,
  scopes     bigint NOT NULL,       -- a set of bits the server gives meaning to
  created_at bigint NOT NULL,
  expires_at bigint                 -- NULL: never by itself
);
CREATE INDEX tokens_by_account ON tokens (account);

-- What operators, and the server on its own account, did.
CREATE TABLE audit (
  id     bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at     bigint NOT NULL,
  actor  text NOT NULL, -- an account's id, 'cli', or 'server'
  action text NOT NULL, -- 'adjudicate', 'reset_password', ...
  target text NOT NULL, -- a game's or an account's id
  detail text NOT NULL  -- for a person to read
);

-- When no server was up, or the store refused changes: running clocks are
-- credited for it when their table is next looked at.
CREATE TABLE outages (
  down_since bigint PRIMARY KEY,
  up_at      bigint NOT NULL
);

-- What was said around a table. Its ids are not numbers of a row: they are
-- made so that nobody can count lines they may not see.
CREATE TABLE chat (
  table_id bigint NOT NULL,
  id       bigint NOT NULL,  -- live::room::ChatId: rises as the lines were said
  at       bigint NOT NULL,
  account  bigint NOT NULL,  -- who said it; the name is the account's, and goes with it
  role     text NOT NULL,    -- what they were then: 'player', 'observer', 'moderator'
  audience text NOT NULL,    -- whom it is for: 'room', 'observers'
  notice   boolean NOT NULL, -- a moderator's word to everyone
  text     text NOT NULL,
  PRIMARY KEY (table_id, id)
);
-- For the export of one's own data.
CREATE INDEX chat_by_account ON chat (account, table_id, id);

-- Who may not speak in a room, or not be in it.
CREATE TABLE room_bans (
  table_id bigint NOT NULL,
  account  bigint NOT NULL,
  kind     text NOT NULL CHECK (kind IN ('muted', 'removed')), -- removed counts as muted too
  by       bigint NOT NULL, -- the account of who did it
  at       bigint NOT NULL,
  PRIMARY KEY (table_id, account)
);
