-- A guest who registers keeps number and uuid; the name they had stays taken by a row that
-- leads to them. A guest whom an account took over leads there too.
ALTER TABLE accounts ADD COLUMN alias_of INTEGER;  -- whose games and name these are; NULL: its own
ALTER TABLE accounts ADD COLUMN alias_token BLOB;  -- the hash of the token that it was taken over with
ALTER TABLE accounts ADD COLUMN display_name TEXT; -- what a guest wants to be called
CREATE INDEX accounts_by_alias ON accounts (alias_of) WHERE alias_of IS NOT NULL;
CREATE INDEX accounts_by_alias_token ON accounts (alias_token) WHERE alias_token IS NOT NULL;
