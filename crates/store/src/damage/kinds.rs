//! The kinds of damage, with what a check must say of each. The database has
//! thirty games.

use super::How::{CutOff, Loose, Pages, Sql};
use super::{Damage, pages};

const fn kind(name: &'static str, how: super::How, says: &'static [&'static str]) -> Damage {
    Damage { name, how, says }
}

/// Every kind that can be made on purpose and a check must find.
#[rustfmt::skip]
pub const KINDS: &[Damage] = &[
    // The file.
    kind("the file is cut off", CutOff,
        &["file: it ends after", "pages"]),
    kind("the file's head is overwritten", Pages(pages::overwrite_head),
        &["file is not a database"]),
    kind("the declarations of the tables are overwritten", Pages(pages::overwrite_schema),
        &["malformed"]),
    kind("the page of an index is blank", Pages(pages::blank_index),
        &["file: Tree", "btreeInitPage() returns error code 11", "30 games; "]),
    kind("a page of games is blank", Pages(pages::blank_rows),
        &["file: Tree", ": its row cannot be read: database disk image is malformed", "30 games; "]),
    kind("a page of games is blank and their index too", Pages(pages::blank_rows_and_index),
        &["file: Tree", "tables: rows from", "tables: the index of their ids cannot be read"]),
    kind("half a page of games is overwritten", Pages(pages::overwrite_rows),
        &["file: ", ": its row cannot be read", "30 games; "]),
    kind("the chat is overwritten", Pages(pages::overwrite_chat),
        &["file: Tree", "chat: cannot be read: database disk image is malformed", "30 games; "]),
    kind("the journal is overwritten", Pages(pages::overwrite_journal),
        &["file: Tree", "journal: cannot be read: database disk image is malformed", "30 games; "]),
    kind("the list of free pages is wrong", Pages(pages::misstate_free_pages),
        &["file: Freelist"]),
    kind("an index has lost an entry", Sql(
        "UPDATE sqlite_schema SET sql = replace(sql, 'tables (state', 'tables (speed') WHERE name = 'tables_by_state'"),
        &["file: row", "missing from index tables_by_state", "index tables_by_state is not as this release makes it"]),
    kind("an index is gone", Sql("DROP INDEX tables_by_join_code"),
        &["file: index tables_by_join_code is missing"]),
    kind("a table is gone", Sql("DROP TABLE invitations"),
        &["file: table invitations is missing", "invitations: cannot be read: no such table"]),
    kind("there is a trigger", Sql(
        "CREATE TRIGGER more AFTER INSERT ON chat BEGIN DELETE FROM chat; END"),
        &["file: trigger more is not of this program"]),

    // Games: histories and rows.
    kind("a history is cut off", Sql(
        "UPDATE tables SET history = substr(history, 1, length(history) - 1) WHERE id = (SELECT id FROM finished)"),
        &["stored game is corrupt at version"]),
    kind("a byte of a history is overwritten", Sql(
        "UPDATE tables SET history = CAST(substr(history, 1, 1) || x'ff' || substr(history, 3) AS BLOB)
          WHERE id = (SELECT id FROM finished)"),
        &["stored game is corrupt at version 1"]),
    kind("a history is that of another game", Sql(
        "UPDATE tables SET history = (SELECT history FROM finished) WHERE id = (SELECT id FROM running)"),
        &["state", "moves", "not as in the history"]),
    kind("a history is empty", Sql("UPDATE tables SET history = x'' WHERE id = (SELECT id FROM running)"),
        &["stored game is corrupt at version 1: no creation"]),
    kind("the rules are unknown", Sql("UPDATE tables SET kind = 200 WHERE id = (SELECT id FROM finished)"),
        &["rules number 200 are unknown"]),
    kind("the rules are others", Sql("UPDATE tables SET kind = 1 WHERE id = (SELECT id FROM matched)"),
        &["stored game is corrupt"]),
    kind("a version is ahead", Sql("UPDATE tables SET version = version + 1 WHERE id = (SELECT id FROM finished)"),
        &["version not as in the history"]),
    kind("a position is another", Sql("UPDATE tables SET fen = '8/8/8/8/8/8/8/8 w - - 0 1' WHERE id = (SELECT id FROM running)"),
        &["fen not as in the history"]),
    kind("a state is another", Sql("UPDATE tables SET state = 'PAUSED' WHERE id = (SELECT id FROM running)"),
        &["state not as in the history"]),
    kind("a state is none", Sql("UPDATE tables SET state = 'LOST' WHERE id = (SELECT id FROM running)"),
        &["state not as in the history"]),
    kind("a result is another", Sql("UPDATE tables SET result = 'draw' WHERE id = (SELECT id FROM finished)"),
        &["result not as in the history"]),
    kind("times are others", Sql(
        "UPDATE tables SET created_at = 1, updated_at = 2, ended_at = 3 WHERE id = (SELECT id FROM finished)"),
        &["created_at, updated_at, ended_at not as in the history", "seat is missing"]),
    kind("a clock is another", Sql("UPDATE tables SET white_clock_ms = 1 WHERE id = (SELECT id FROM running)"),
        &["white_clock_ms not as in the history"]),
    kind("a game has a spectator delay that it has not", Sql("UPDATE tables SET delay_ms = 5000 WHERE id = (SELECT id FROM running)"),
        &["delay_ms not as in the history", "it does not say whom lists show the table to"]),
    kind("the deadline of a running game is gone", Sql("UPDATE tables SET deadline = NULL WHERE id = (SELECT id FROM running)"),
        &["deadline not as in the history", "it is not looked at when it is due"]),
    kind("the deadline of a waiting game is gone", Sql("UPDATE tables SET deadline = NULL WHERE id = (SELECT id FROM waiting)"),
        &["deadline not as in the history", "it is not looked at when it is due"]),
    kind("the deadline of a waiting game is too early", Sql("UPDATE tables SET deadline = 5 WHERE id = (SELECT id FROM waiting)"),
        &["deadline not as in the history", "it is not looked at when it is due"]),
    kind("a running game is looked at too late", Sql("UPDATE tables SET look_at = deadline + 1 WHERE id = (SELECT id FROM running)"),
        &["it is not looked at when it is due"]),
    kind("a column has text for a number", Loose("tables",
        "UPDATE tables SET version = 'two' WHERE id = (SELECT id FROM finished)"),
        &["its row cannot be read: Invalid column type Text at index: 2, name: version", "file: non-INTEGER value in tables.version", "30 games; not as it should be: 2"]),
    kind("a player is number zero", Sql("UPDATE tables SET creator = 0 WHERE id = (SELECT id FROM waiting)"),
        &["its row cannot be read", "its creator has no account"]),
    kind("a table has an impossible id", Sql("UPDATE tables SET id = -5 WHERE id = (SELECT id FROM waiting)"),
        &["table -5: no table can have this id"]),
    kind("a move of a score sheet is gone", Sql(
        "DELETE FROM moves WHERE table_id = (SELECT id FROM finished) AND ply = 2"),
        &["moves not as in the history"]),
    kind("a move of a score sheet is another", Sql(
        "UPDATE moves SET san = 'Ke8' WHERE table_id = (SELECT id FROM finished) AND ply = 2"),
        &["moves not as in the history"]),
    kind("a move of a score sheet has a text for a number", Loose("moves",
        "UPDATE moves SET elapsed_ms = 'long' WHERE table_id = (SELECT id FROM finished) AND ply = 2"),
        &["its moves cannot be read"]),
    kind("a running game has a score sheet", Sql(
        "UPDATE moves SET table_id = (SELECT id FROM running) WHERE ply = 1"),
        &["moves not as in the history"]),

    // Games: codes.
    kind("a running game keeps its code", Sql("UPDATE tables SET join_code = 'ABCDEF' WHERE id = (SELECT id FROM running)"),
        &["join_code not as in the history"]),
    kind("a waiting game has no code", Sql("UPDATE tables SET join_code = NULL WHERE id = (SELECT id FROM waiting)"),
        &["join_code not as in the history"]),
    kind("the code of a match is another", Sql("UPDATE tables SET join_code = 'AAAAAA' WHERE id = (SELECT id FROM matched)"),
        &["join_code not as in the history"]),
    kind("a code is none that can be typed", Sql("UPDATE tables SET join_code = 'abc' WHERE id = (SELECT id FROM waiting)"),
        &["its join code is none that can be typed"]),
    kind("a code is held twice", Sql(
        "DROP INDEX tables_by_join_code;
         UPDATE tables SET join_code = (SELECT join_code FROM waiting LIMIT 1) WHERE id IN (SELECT id FROM waiting LIMIT 2);
         CREATE INDEX tables_by_join_code ON tables (join_code) WHERE join_code IS NOT NULL"),
        &["its join code does not lead to it", "index tables_by_join_code is not as this release makes it"]),

    // What hangs on games.
    kind("White is nobody", Sql("UPDATE tables SET white = (SELECT number FROM nobody) WHERE id = (SELECT id FROM finished)"),
        &["white not as in the history", "its White has no account", "White's lists do not have it"]),
    kind("a player's account is gone", Sql("DELETE FROM accounts WHERE number = (SELECT black FROM running)"),
        &["its Black has no account", "seat of account", "the account does not exist"]),
    kind("a seat is gone", Sql("DELETE FROM seats WHERE table_id = (SELECT id FROM finished) AND player = (SELECT black FROM finished)"),
        &["Black's lists do not have it: the seat is missing"]),
    kind("a seat is somebody else's", Sql(
        "UPDATE seats SET player = (SELECT number FROM person) WHERE table_id = (SELECT id FROM running)
            AND player = (SELECT white FROM running)"),
        &["seat of account", "the table is not theirs", "White's lists do not have it"]),
    kind("a seat is nobody's", Sql(
        "UPDATE seats SET player = (SELECT number FROM nobody) WHERE table_id = (SELECT id FROM running)
            AND player = (SELECT white FROM running)"),
        &["the account does not exist"]),
    kind("a seat is at no table", Sql("UPDATE seats SET table_id = 77 WHERE table_id = (SELECT id FROM running)"),
        &["0000001F, seat of account", "the table does not exist", "rows of seats that refer to tables that do not exist: 2"]),
    kind("a seat says that a running game is over", Sql("UPDATE seats SET over = 1 WHERE table_id = (SELECT id FROM running)"),
        &["it does not say whether the game is over", "seat is missing"]),
    kind("a seat shows a private game to anybody", Sql("UPDATE seats SET sight = 0 WHERE table_id = (SELECT id FROM private)"),
        &["it does not say whom lists show the table to", "seat is missing"]),
    kind("a seat has another time", Sql("UPDATE seats SET created_at = 9 WHERE table_id = (SELECT id FROM waiting)"),
        &["it says that the table was made at another time"]),
    kind("a player counts as only asked", Sql("UPDATE seats SET seated = 0 WHERE table_id = (SELECT id FROM running)"),
        &["it does not say whether they sit there or were only asked to"]),
    kind("an invitation is gone", Sql("DELETE FROM invitations WHERE table_id = (SELECT id FROM private)"),
        &["invited not as in the history"]),
    kind("an invitation is nobody's", Sql("UPDATE invitations SET account = (SELECT number FROM nobody)"),
        &["invited not as in the history", "invitation of account", "the account does not exist"]),
    kind("an invitation is to no table", Sql("UPDATE invitations SET table_id = 77"),
        &["0000001F, invitation of account", "the table does not exist"]),
    kind("a score sheet is of no table", Sql("UPDATE moves SET table_id = 77 WHERE ply = 1"),
        &["0000001F, score sheet: the table does not exist"]),
    kind("a row is gone", Sql("DELETE FROM tables WHERE id = (SELECT id FROM running)"),
        &["seat of account", "has no row", "the table does not exist"]),

    // The journal.
    kind("a record is missing", Sql("DELETE FROM journal WHERE seq = (SELECT min(seq) FROM journal WHERE table_id = (SELECT id FROM running))"),
        &["journal record", "goes from version"]),
    kind("a record is there twice", Sql(
        "INSERT INTO journal SELECT (SELECT max(seq) + 1 FROM journal), table_id, version, at, payload FROM journal
          WHERE table_id = (SELECT id FROM running) LIMIT 1"),
        &["journal record", "goes back from version"]),
    kind("records have changed places", Sql(
        "UPDATE journal SET version = (SELECT min(version) + max(version) FROM journal WHERE table_id = (SELECT id FROM running)) - version
          WHERE table_id = (SELECT id FROM running)"),
        &["journal record", "goes from version", "goes back from version"]),
    kind("a record's change is damaged", Sql(
        "UPDATE journal SET payload = x'ffffff' WHERE table_id = (SELECT id FROM running)"),
        &["journal: stored game is corrupt at version"]),
    kind("a record's change is empty", Sql("UPDATE journal SET payload = x'' WHERE table_id = (SELECT id FROM running)"),
        &["journal: version", "is not one change"]),
    kind("a record's time is another", Sql("UPDATE journal SET at = at + 1 WHERE table_id = (SELECT id FROM running)"),
        &["journal: version", "was made at another time"]),
    kind("a record is of no table", Sql("UPDATE journal SET table_id = 77 WHERE table_id = (SELECT id FROM running)"),
        &["journal record", "0000001F has no row"]),
    kind("a record that the row has too says something else", Sql(
        "INSERT INTO journal SELECT (SELECT max(seq) + 1 FROM journal), id, version, updated_at, x'0102' FROM finished"),
        &["journal: version", "is not as in the row"]),
    kind("a record has a text for a version", Loose("journal",
        "UPDATE journal SET version = 'next' WHERE table_id = (SELECT id FROM running)"),
        &["journal record", "cannot be read: Invalid column type Text"]),

    // People.
    kind("an account's id is not its name", Sql("UPDATE accounts SET id = 'someone' WHERE number = (SELECT number FROM person)"),
        &["its id is not its name in small letters"]),
    kind("a UUID is too short", Sql("UPDATE accounts SET uuid = x'0102' WHERE number = (SELECT number FROM person)"),
        &["its UUID does not have 16 bytes"]),
    kind("a password's hash is damaged", Sql("UPDATE accounts SET password_hash = substr(password_hash, 2) WHERE number = (SELECT number FROM person)"),
        &["its password's hash is damaged"]),
    kind("preferences are no JSON", Sql("UPDATE accounts SET preferences = '{' WHERE number = (SELECT number FROM person)"),
        &["its preferences are not a JSON object"]),
    kind("an account is half an administrator's", Sql("UPDATE accounts SET is_admin = 2 WHERE number = (SELECT number FROM person)"),
        &["it does not say whether it is an administrator's"]),
    kind("an account was made in the future", Sql("UPDATE accounts SET created_at = 99999999999999 WHERE number = (SELECT number FROM person)"),
        &["it was made at an impossible time"]),
    kind("an account was deleted before it was made", Sql("UPDATE accounts SET deleted_at = 1 WHERE number = (SELECT number FROM deleted)"),
        &["it was deleted at an impossible time"]),
    kind("a deleted account keeps its address", Sql("UPDATE accounts SET email = 'a@b.c' WHERE number = (SELECT number FROM deleted)"),
        &["it was deleted, but keeps what should be forgotten"]),
    kind("an account has an impossible number", Sql("UPDATE accounts SET number = -3 WHERE number = (SELECT number FROM deleted)"),
        &["account -3: no account can have this number"]),
    kind("an identity is nobody's", Sql("UPDATE outside_identities SET account = (SELECT number FROM nobody) WHERE subject = (SELECT min(subject) FROM outside_identities)"),
        &["outside identity of account", "the account does not exist"]),
    kind("a person from outside has lost the identity", Sql("UPDATE accounts SET kind = 'outside' WHERE number = (SELECT number FROM person)"),
        &["nobody can be it: its outside identity is missing"]),
    kind("a token is nobody's", Sql("UPDATE tokens SET account = (SELECT number FROM nobody) WHERE id = (SELECT min(id) FROM tokens)"),
        &["token", "the account does not exist", "rows of tokens that refer to accounts that do not exist: 1"]),
    kind("a token is of a deleted account", Sql("UPDATE tokens SET account = (SELECT number FROM deleted) WHERE id = (SELECT min(id) FROM tokens)"),
        &["token", "the account was deleted"]),
    kind("a token's hash is too short", Sql("UPDATE tokens SET hash = x'01' WHERE id = (SELECT min(id) FROM tokens)"),
        &["its hash does not have 32 bytes"]),
    kind("a token ends before it was made", Sql("UPDATE tokens SET expires_at = 1 WHERE id = (SELECT min(id) FROM tokens)"),
        &["it ends before it was made"]),
    kind("numbers of tokens would return", Sql("UPDATE sqlite_sequence SET seq = 0 WHERE name = 'tokens'"),
        &["its number would be given out again"]),

    // Rooms, answers, notes.
    kind("a line is at no table", Sql("UPDATE chat SET table_id = 77"),
        &["0000001F, line", "the table does not exist"]),
    kind("a line is nobody's", Sql("UPDATE chat SET account = (SELECT number FROM nobody)"),
        &["line", "the account does not exist"]),
    kind("a line is for somebody unknown", Sql("UPDATE chat SET audience = 'all', role = 'king'"),
        &["whom it is for is unknown", "the speaker's role is unknown"]),
    kind("a ban is nobody's", Sql("UPDATE room_bans SET account = (SELECT number FROM nobody), by = (SELECT number FROM nobody)"),
        &["ban of account", "the account does not exist", "whoever decided it does not exist"]),
    kind("an answer is about no table", Sql("UPDATE idempotency_keys SET table_id = 77"),
        &["0000001F, remembered answer to account", "the table does not exist"]),
    kind("an answer is of a version that never was", Sql("UPDATE idempotency_keys SET version = 900"),
        &["the table never had this version"]),
    kind("a request's hash is too short", Sql("UPDATE idempotency_keys SET request = x'01'"),
        &["the request's hash does not have 32 bytes"]),
    kind("a block is of somebody who is not there", Sql("INSERT INTO blocks SELECT number, (SELECT number FROM nobody), 1 FROM person"),
        &["block of account", "whoever is blocked does not exist"]),
    kind("somebody follows who is not there", Sql("INSERT INTO follows SELECT (SELECT number FROM nobody), number, 1 FROM person"),
        &["who follows account", "the account does not exist"]),
    kind("a report is half decided", Sql(
        "INSERT INTO reports (reporter, reported, reason, text, at, decision) SELECT number, number, 'spam', '', 1, 'warn' FROM person"),
        &["report", "it is half decided"]),
    kind("a sanction is nobody's", Sql("INSERT INTO sanctions SELECT number, 'mute', NULL, '', 'cli', 1 FROM nobody"),
        &["sanction of account", "the account does not exist"]),
    kind("a notice is nobody's", Sql("INSERT INTO notices (account, at, kind, text) SELECT number, 1, 'warn', '' FROM nobody"),
        &["notice", "the account does not exist"]),
    kind("an address is nobody's", Sql("INSERT INTO addresses SELECT number, 'a@b', 'a@b', NULL, NULL FROM nobody"),
        &["address of account", "the account does not exist"]),
    kind("notification settings are nobody's and no JSON", Sql("INSERT INTO notification_settings SELECT number, '{' FROM nobody"),
        &["notification settings of account", "the account does not exist", "they are no JSON"]),
    kind("a push subscription is nobody's", Sql(
        "INSERT INTO push_subscriptions (account, endpoint, p256dh, auth, created_at) SELECT number, 'x', x'04', x'05', 1 FROM nobody"),
        &["push subscription", "the account does not exist", "its keys are none"]),
    kind("a notification is nobody's", Sql(
        "INSERT INTO notifications (key, account, kind, channel, version, at, due_at, tries, claimed_until, done_at)
         SELECT 'k', number, 'your_turn', 'email', 1, 1, 1, 0, 0, 1 FROM nobody"),
        &["notification ", "the account does not exist", "it is half told"]),
    kind("a signal is at no table", Sql("INSERT INTO signals (table_id, account, kind, at) SELECT 77, number, 'focus_lost', 1 FROM person"),
        &["0000001F, signal", "the table does not exist"]),
    kind("conditional moves are at no table", Sql("INSERT INTO conditional_moves SELECT 77, number, 1, 0, 'e2e4 e7e5' FROM person"),
        &["0000001F, conditional moves of account", "the table does not exist"]),
    kind("a vacation ends before it begins", Sql("INSERT INTO vacations SELECT number, 5, 1, 1 FROM person"),
        &["vacation of account", "it is at an impossible time"]),
    kind("a number of the store is negative", Sql("INSERT OR REPLACE INTO meta (key, value) VALUES ('seq', -1)"),
        &["meta \"seq\": it is not a number from 0 on"]),
    kind("a number of the store is text", Loose("meta", "UPDATE meta SET value = 'soon' WHERE key = 'alive_at'"),
        &["meta \"alive_at\": it is not a number from 0 on"]),
    kind("the server was up in the future", Sql("UPDATE meta SET value = 99999999999999 WHERE key = 'alive_at'"),
        &["the server was up at an impossible time"]),
    kind("an outage ended before it began", Sql("INSERT INTO outages (down_since, up_at) VALUES (1700000000000, 1600000000000)"),
        &["outage since 1700000000000: it ended before it began"]),
    kind("an entry of the audit has no time", Sql("INSERT INTO audit (at, actor, action, target, detail) VALUES (-1, 'cli', 'x', 'y', '')"),
        &["audit entry", "it was written at an impossible time"]),

    // Ratings.
    kind("a rating does not add up", Sql(
        "INSERT INTO ratings VALUES ((SELECT number FROM person), 2, 1500000, 350000, 60000000, 3, 1, 1, 0, 1, 0, 1)"),
        &["rating of account", "its games are not those that were won, drawn and lost", "its games are not those of its history"]),
    kind("a rating is nobody's", Sql(
        "INSERT INTO ratings VALUES ((SELECT number FROM nobody), 99, 1500000, 350000, 60000000, 0, 0, 0, 0, 99999999999999, 0, 1)"),
        &["the account does not exist", "nobody knows what it is for", "its last game ended at an impossible time"]),
    kind("a rating is none", Loose("ratings",
        "INSERT INTO ratings VALUES ((SELECT number FROM person), 2, 77, 350000, 60000000, 0, 0, 0, 0, 1, 0, 1)"),
        &["rating of account", "no rating is like this"]),
    kind("no game was rated", Sql(
        "INSERT INTO rating_history VALUES ((SELECT number FROM person), 2, 1, 77, 9, 'w', 2,
            1500000, 350000, 60000000, 1600000, 300000, 60000000, 1)"),
        &["0000001F, rated for account", "the table does not exist", "it is not rated for the opponent"]),
    kind("a casual game was rated", Sql(
        "INSERT INTO rating_history VALUES ((SELECT number FROM nobody), 2, 1, (SELECT id FROM running), 9, 'w', 2,
            1500000, 350000, 60000000, 1600000, 300000, 60000000, 1)"),
        &["it is not a rated game that is over", "somebody else played it", "it is not rated as it ended"]),
];
