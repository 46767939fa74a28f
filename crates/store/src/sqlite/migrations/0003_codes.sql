-- A code leads to its table as long as the row has it, which is for the rules to say.
DROP INDEX tables_by_join_code;
CREATE UNIQUE INDEX tables_by_join_code ON tables (join_code) WHERE join_code IS NOT NULL;
