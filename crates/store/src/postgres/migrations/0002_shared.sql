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
