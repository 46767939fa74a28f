-- When a table must be looked at: never after its deadline, and at most an hour before it. Every
-- move sets another deadline, and to move an entry of an index costs more than the whole row; this
-- stays as it is while a game is played.
ALTER TABLE tables ADD COLUMN look_at INTEGER;
UPDATE tables SET look_at = deadline WHERE deadline IS NOT NULL;
DROP INDEX tables_by_deadline;
CREATE INDEX tables_by_look ON tables (look_at) WHERE look_at IS NOT NULL;
