-- How often the links of an account were changed: a code that links it is good for one change.
ALTER TABLE accounts ADD COLUMN links bigint NOT NULL DEFAULT 0;
