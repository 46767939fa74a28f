//! Damage made on purpose, for the tests of `arbiter check`: they must not
//! write SQL, and a check is worth what it finds.
//!
//! Only with the feature `damage`, which no release has.

mod kinds;
mod pages;

use std::fs;
use std::path::Path;

use rusqlite::Connection;

pub use self::kinds::KINDS;

/// A way in which a database can be damaged.
pub struct Damage {
    /// What a person would call it.
    pub name: &'static str,
    how: How,
    /// What a check must say of it.
    pub says: &'static [&'static str],
}

enum How {
    /// Statements, carried out with no constraint to stop them. The views below
    /// name the rows they are about.
    Sql(&'static str),
    /// Statements that put values where their type does not belong: the table
    /// is not strict meanwhile.
    Loose(&'static str, &'static str),
    /// Something done to the pages of the file.
    Pages(fn(&Connection, &mut [u8])),
    /// Its second half lost, as by an interrupted copy.
    CutOff,
}

/// Rows as the statements name them.
const VIEWS: &str = "
    CREATE TEMP VIEW finished AS SELECT * FROM main.tables WHERE state = 'COMPLETED' AND kind = 1 AND ply > 2;
    CREATE TEMP VIEW running  AS SELECT * FROM main.tables
        WHERE state = 'ACTIVE' AND kind = 1 AND id IN (SELECT table_id FROM journal);
    CREATE TEMP VIEW waiting  AS SELECT * FROM main.tables WHERE state = 'WAITING' AND kind = 1 AND private = 0;
    CREATE TEMP VIEW private  AS SELECT * FROM main.tables WHERE private = 1;
    CREATE TEMP VIEW matched  AS SELECT * FROM main.tables WHERE kind = 2 AND state <> 'COMPLETED';
    CREATE TEMP VIEW person   AS SELECT * FROM main.accounts WHERE password_hash IS NOT NULL;
    CREATE TEMP VIEW deleted  AS SELECT * FROM main.accounts WHERE deleted_at IS NOT NULL;
    CREATE TEMP VIEW nobody   AS SELECT max(number) + 100 AS number FROM main.accounts;
    CREATE TEMP VIEW nowhere  AS SELECT 77 AS id;
";

impl Damage {
    /// Damages a database that nobody uses.
    ///
    /// # Panics
    /// If there was nothing to damage: then a check could find nothing either.
    pub fn make(&self, database: &Path) {
        match self.how {
            How::Sql(sql) => self.carry_out(database, sql),
            How::Loose(table, sql) => {
                let strict = declared(database, table);
                let loose = strict.replace("STRICT, WITHOUT ROWID", "WITHOUT ROWID");
                declare(database, table, loose.trim_end_matches("STRICT"));
                self.carry_out(database, sql);
                declare(database, table, &strict);
            }
            How::Pages(change) => {
                let before = fs::read(database).expect("the file can be read");
                let mut bytes = before.clone();
                change(&open(database), &mut bytes);
                assert_ne!(bytes, before, "{} changes nothing", self.name);
                fs::write(database, bytes).expect("the file can be written");
            }
            How::CutOff => {
                let bytes = fs::read(database).expect("the file can be read");
                let half = &bytes[..pages::middle(&bytes)];
                fs::write(database, half).expect("the file can be written");
            }
        }
    }

    fn carry_out(&self, database: &Path, sql: &str) {
        let db = open(database);
        db.execute_batch(VIEWS).expect("the views are made");
        let before = db.total_changes();
        db.execute_batch(sql)
            .unwrap_or_else(|e| panic!("{}: {e}", self.name));
        let is_schema = sql.starts_with("DROP") || sql.starts_with("CREATE");
        assert!(
            is_schema || db.total_changes() > before,
            "{} changes nothing",
            self.name
        );
    }
}

fn open(database: &Path) -> Connection {
    let db = Connection::open(database).expect("the database opens");
    for (pragma, value) in [
        ("foreign_keys", false),
        ("ignore_check_constraints", true),
        ("writable_schema", true),
    ] {
        db.pragma_update(None, pragma, value)
            .expect("the pragma is known");
    }
    db
}

fn declared(database: &Path, table: &str) -> String {
    open(database)
        .query_row(
            "SELECT sql FROM sqlite_schema WHERE name = ?1",
            (table,),
            |r| r.get(0),
        )
        .expect("the table is there")
}

/// Takes effect for connections that are opened afterwards.
fn declare(database: &Path, table: &str, sql: &str) {
    open(database)
        .execute(
            "UPDATE sqlite_schema SET sql = ?2 WHERE name = ?1",
            (table, sql),
        )
        .expect("the schema can be changed");
}
