-- Whom to tell, where, and what was told.

-- What this server alone knows: keys that it signs with.
CREATE TABLE server_secrets (
  name  TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- What is known of the address of an account. It counts only while it is the account's address.
CREATE TABLE addresses (
  account      INTEGER PRIMARY KEY,
  email        TEXT NOT NULL,
  folded       TEXT NOT NULL, -- in lower case, to be found by
  confirmed_at INTEGER,       -- NULL: nobody has shown that they read it
  bounced_at   INTEGER        -- when mail was refused for good
) STRICT;
CREATE INDEX addresses_by_email ON addresses (folded);

-- What was sent by mail to be brought back, once.
CREATE TABLE mail_tokens (
  hash       BLOB PRIMARY KEY,
  account    INTEGER NOT NULL,
  purpose    TEXT NOT NULL CHECK (purpose IN ('confirm', 'reset')),
  email      TEXT NOT NULL, -- where it was sent
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_tokens_by_account ON mail_tokens (account);

-- What somebody wants to be told of, and when: JSON. Without a row what is usual.
CREATE TABLE notification_settings (
  account  INTEGER PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT;

-- Browsers that somebody wants to be told in.
CREATE TABLE push_subscriptions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  account    INTEGER NOT NULL,
  endpoint   TEXT NOT NULL UNIQUE, -- a browser belongs to whoever came last
  p256dh     BLOB NOT NULL,
  auth       BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX push_subscriptions_by_account ON push_subscriptions (account, id);

-- One per event, account and way of telling; written before anything is sent.
CREATE TABLE notifications (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  key           TEXT NOT NULL UNIQUE,
  account       INTEGER NOT NULL,
  kind          TEXT NOT NULL, -- 'your_turn', 'challenge', ...
  channel       TEXT NOT NULL CHECK (channel IN ('email', 'push', 'stream', 'plan')),
  table_id      INTEGER,
  version       INTEGER NOT NULL, -- of the table
  subscription  INTEGER,          -- which browser
  at            INTEGER NOT NULL,
  due_at        INTEGER NOT NULL,
  tries         INTEGER NOT NULL,
  claimed_until INTEGER NOT NULL, -- until then somebody is about to send it
  done_at       INTEGER,
  outcome       TEXT CHECK (outcome IN ('sent', 'dropped'))
) STRICT;
CREATE INDEX notifications_due ON notifications (due_at) WHERE done_at IS NULL;
CREATE INDEX notifications_by_account ON notifications (account, channel, id);
CREATE INDEX notifications_done ON notifications (done_at) WHERE done_at IS NOT NULL;

-- How far somebody who reads the outbox has come, and who that is.
CREATE TABLE notify_cursors (
  name   TEXT PRIMARY KEY,
  place  TEXT NOT NULL,    -- empty: at the beginning
  holder INTEGER NOT NULL,
  until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
