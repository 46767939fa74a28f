-- Who is not wanted any more: the account stays, with its name and games, and
-- nobody uses it.
ALTER TABLE accounts ADD COLUMN barred_at INTEGER;

-- Those of an outside identity service who are not let in, whether or not they
-- were ever here.
CREATE TABLE blocked_identities (
  issuer  TEXT NOT NULL, -- the `iss` of their tokens
  subject TEXT NOT NULL, -- their `sub`
  at      INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
