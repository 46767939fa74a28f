-- Whether there is an administrator is asked for whenever somebody opens the console.
CREATE INDEX accounts_admins ON accounts (number) WHERE is_admin;

-- Operators look for accounts of every kind, guests too.
CREATE INDEX accounts_by_id_prefix ON accounts (id text_pattern_ops);
