-- What servers that share the database tell each other by it, and what they
-- count together.

-- What ended before its time or is out of date, so that every server forgets it.
-- Numbers rise without a gap, in the order in which others can see them: each is
-- taken from the row 'revocations' of `meta`, which is locked until the end of the
-- transaction. The oldest go when they are days old; the newest is always there.
CREATE TABLE revocations (
  number  bigint PRIMARY KEY,
  at      bigint NOT NULL, -- by the database's clock
  kind    text NOT NULL CHECK (kind IN ('token', 'account', 'identity')),
  token   bytea,           -- the hash of a token that was revoked
  account bigint,          -- an account that is not what it was
  issuer  text,            -- an outside identity that was blocked, or is no more
  subject text
);
INSERT INTO meta (key, value) VALUES ('revocations', 0);

-- How much of their share those have used up whom all servers limit together. It
-- is about the last minutes only, so it need not outlive the database's crash.
CREATE UNLOGGED TABLE attempts (
  key   bytea PRIMARY KEY, -- a hash of what is limited, and for whom
  until bigint NOT NULL    -- microseconds since 1970: when all of the share is there again
);
CREATE INDEX attempts_by_end ON attempts (until);

-- Counts one more under each key if that is too many under none of them, and
-- forgets a few keys whose share has long been whole again. For how many
-- microseconds it is too many; not more than zero if it was counted. What one more
-- takes is in `ones`, how far the share may be used up before it in `slacks`. Rows
-- are locked in the order of the keys, so that no two wait for each other.
CREATE FUNCTION attempt(keys bytea[], ones bigint[], slacks bigint[], now_us bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  wait_us bigint;
BEGIN
  INSERT INTO attempts (key, until)
  SELECT k, now_us FROM unnest(keys) AS k ORDER BY k ON CONFLICT DO NOTHING;
  PERFORM 1 FROM attempts WHERE key = ANY(keys) ORDER BY key FOR UPDATE;
  SELECT max(greatest(a.until, now_us) - asked.slack - now_us) INTO wait_us
    FROM unnest(keys, slacks) AS asked (key, slack) JOIN attempts a ON a.key = asked.key;
  IF coalesce(wait_us, 0) <= 0 THEN
    UPDATE attempts a SET until = greatest(a.until, now_us) + asked.one
      FROM unnest(keys, ones) AS asked (key, one) WHERE a.key = asked.key;
  END IF;
  DELETE FROM attempts WHERE key IN (
    SELECT key FROM attempts WHERE until < now_us - 60000000 AND key <> ALL(keys)
     ORDER BY until LIMIT 16 FOR UPDATE SKIP LOCKED);
  RETURN coalesce(wait_us, 0);
END $$;
