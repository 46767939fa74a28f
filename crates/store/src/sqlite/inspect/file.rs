//! The file as SQLite sees it: pages, indexes, foreign keys, the schema.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rusqlite::Connection;

use super::super::file::{beside, size};
use super::super::schema::MIGRATIONS;
use crate::{FileReport, Flaw};

/// Complaints of the engine that are told; a damaged file has thousands.
const COMPLAINTS_MAX: u32 = 100;
/// What stands before complaints about pages, as opposed to what is on them.
const ABOUT_PAGES: &str = "*** in database";

/// Reads the whole file.
pub(super) fn inspect(db: &Connection, path: &Path) -> FileReport {
    let mut report = FileReport::default();
    let end = missing_end(path);
    report.is_damaged |= end.is_some();
    report.flaws.extend(end);
    if let Err(error) = integrity(db, &mut report) {
        report.is_damaged = true;
        report.tell(format!("it cannot be checked further: {error}"));
    }
    if let Err(error) = foreign_keys(db, &mut report) {
        report.tell(format!("its foreign keys cannot be checked: {error}"));
    }
    if let Err(error) = schema(db, &mut report) {
        report.tell(format!("its schema cannot be read: {error}"));
    }
    report
}

impl FileReport {
    fn tell(&mut self, what: String) {
        self.flaws.push(Flaw::new("file", what));
    }
}

/// Whether the file is shorter than its first page says. While there is a log
/// beside it, the last pages may still be there.
fn missing_end(path: &Path) -> Option<Flaw> {
    if size(&beside(path, "-wal")) > 0 {
        return None;
    }
    let mut head = [0; 32];
    File::open(path).ok()?.read_exact(&mut head).ok()?;
    // The number 1 stands for the largest page, which does not fit.
    let page = match u16::from_be_bytes([head[16], head[17]]) {
        1 => 1 << 16,
        bytes => u64::from(bytes),
    };
    let pages = u64::from(u32::from_be_bytes([head[28], head[29], head[30], head[31]]));
    let there = size(path).checked_div(page)?;
    let what = format!("it ends after {there} of its {pages} pages");
    (there < pages).then(|| Flaw::new("file", what))
}

/// SQLite's own check. On a connection that only reads it leaves out the
/// schema's CHECKs; replaying and the walk through the references cover those. And where
/// there are views it may leave out the list of free pages, unless it is asked for the schema.
fn integrity(db: &Connection, report: &mut FileReport) -> Result<(), rusqlite::Error> {
    let mut told = BTreeSet::new();
    for what in [&COMPLAINTS_MAX.to_string(), "sqlite_schema"] {
        let mut check = db.prepare(&format!("PRAGMA integrity_check({what})"))?;
        let mut complaints = check.query(())?;
        while let Some(complaint) = complaints.next()? {
            let text: String = complaint.get(0)?;
            report.is_damaged |= text.starts_with(ABOUT_PAGES);
            for line in text.lines() {
                let is_new = told.insert(line.to_owned());
                if line != "ok" && !line.starts_with(ABOUT_PAGES) && is_new {
                    report.tell(line.to_owned());
                }
            }
        }
    }
    Ok(())
}

/// How many rows of which table refer to which other in vain: which rows these
/// are is said by the walk through the references.
fn foreign_keys(db: &Connection, report: &mut FileReport) -> Result<(), rusqlite::Error> {
    let mut broken: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut check = db.prepare("PRAGMA foreign_key_check")?;
    let mut rows = check.query(())?;
    while let Some(row) = rows.next()? {
        *broken.entry((row.get(0)?, row.get(2)?)).or_default() += 1;
    }
    for ((from, to), many) in broken {
        report.tell(format!(
            "rows of {from} that refer to {to} that do not exist: {many}"
        ));
    }
    Ok(())
}

/// What of the schema is missing or is not as this release makes it. An index
/// or a view that somebody added does no harm; a trigger changes what is written.
fn schema(db: &Connection, report: &mut FileReport) -> Result<(), rusqlite::Error> {
    let fresh = Connection::open_in_memory()?;
    for step in MIGRATIONS {
        fresh.execute_batch(step)?;
    }
    let (found, ours) = (objects(db)?, objects(&fresh)?);
    for (name, sql) in &ours {
        match found.get(name) {
            Some(is) if is == sql => {}
            Some(_) => report.tell(format!("{name} is not as this release makes it")),
            None => report.tell(format!("{name} is missing")),
        }
    }
    for name in found.keys().filter(|name| name.starts_with("trigger ")) {
        if !ours.contains_key(name) {
            report.tell(format!("{name} is not of this program"));
        }
    }
    Ok(())
}

/// `table seats`, `index tables_by_state`, ..., and the SQL of each. SQLite's
/// own (`sqlite_...`) are left to it.
fn objects(db: &Connection) -> Result<BTreeMap<String, String>, rusqlite::Error> {
    db.prepare("SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")?
        .query_map((), |r| Ok((r.get(0)?, r.get(1)?)))?
        .collect()
}
