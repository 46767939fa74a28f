-- Whether there is an administrator is asked for whenever somebody opens the console.
CREATE INDEX accounts_admins ON accounts (number) WHERE is_admin = 1;
