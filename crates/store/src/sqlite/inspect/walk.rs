//! A walk through everything that refers to something else, a page at a time.
//!
//! Replaying a game shows whether its own row is right. It cannot show a seat
//! at a table that is not there, or a token of nobody; this does. Each page is
//! one statement and so one moment, whatever is written meanwhile.

use chess::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, Row as SqlRow};

use super::super::values::int;
use super::{
    AHEAD_MAX, correspondence, cursor, journal, people, ratings, rooms, seating, social, told,
};
use crate::{Flaw, FlawPage, TableId};

/// One kind of row, and what can be wrong with it.
pub(super) struct Subject {
    /// The table it is in.
    pub(super) name: &'static str,
    /// The table, joined with what its rows refer to. `?3` and on are the key
    /// after which a page begins, NULL on the first.
    pub(super) from: &'static str,
    /// The columns that order and name its rows.
    pub(super) key: &'static [&'static str],
    /// More columns for `about` and `also`, which get them after the key.
    pub(super) shown: &'static [&'static str],
    /// How a row is named in a report.
    pub(super) about: fn(&[Value]) -> String,
    /// Conditions that must not hold, and what to say if one does. `?1` is the
    /// latest time that can have come.
    pub(super) wrong_if: &'static [(&'static str, &'static str)],
    /// What else is wrong, if SQL cannot tell.
    pub(super) also: fn(&[Value]) -> Vec<&'static str>,
}

/// A part of the walk.
enum Part {
    Rows(&'static Subject),
    /// Its records depend on those before them, so it is one page.
    Journal,
}

const PARTS: [Part; 28] = [
    Part::Rows(&people::ACCOUNTS),
    Part::Rows(&people::OUTSIDE_IDENTITIES),
    Part::Rows(&people::TOKENS),
    Part::Rows(&seating::TABLES),
    Part::Rows(&seating::SEATS),
    Part::Rows(&seating::INVITATIONS),
    Part::Rows(&seating::MOVES),
    Part::Rows(&rooms::CHAT),
    Part::Rows(&rooms::ROOM_BANS),
    Part::Rows(&rooms::IDEMPOTENCY_KEYS),
    Part::Journal,
    Part::Rows(&rooms::META),
    Part::Rows(&rooms::OUTAGES),
    Part::Rows(&rooms::AUDIT),
    Part::Rows(&ratings::RATINGS),
    Part::Rows(&ratings::RATED_GAMES),
    Part::Rows(&social::BLOCKS),
    Part::Rows(&social::FOLLOWS),
    Part::Rows(&social::REPORTS),
    Part::Rows(&social::SANCTIONS),
    Part::Rows(&social::NOTICES),
    Part::Rows(&social::SIGNALS),
    Part::Rows(&told::ADDRESSES),
    Part::Rows(&told::SETTINGS),
    Part::Rows(&told::SUBSCRIPTIONS),
    Part::Rows(&told::NOTIFICATIONS),
    Part::Rows(&correspondence::CONDITIONAL_MOVES),
    Part::Rows(&correspondence::VACATIONS),
];

/// Looks at up to `limit` rows of one part; `None` if there is no such place.
pub(crate) fn page(
    db: &Connection,
    after: Option<&str>,
    limit: u32,
    now: Timestamp,
) -> Option<FlawPage> {
    let (name, key) = after.map_or(Some((PARTS[0].name(), Vec::new())), cursor::read)?;
    let at = PARTS.iter().position(|part| part.name() == name)?;
    let mut page = FlawPage::default();
    match &PARTS[at] {
        Part::Journal => page.flaws = journal::records(db, now).flaws,
        Part::Rows(subject) => {
            if ![0, subject.key.len()].contains(&key.len()) {
                return None;
            }
            let mut last = key;
            match subject.look(db, &mut last, limit, now, &mut page.flaws) {
                Ok(true) => {}
                Ok(false) => page.next = Some(cursor::write(name, &last)),
                Err(error) => page.flaws.push(subject.stuck(&last, &error)),
            }
        }
    }
    if page.next.is_none() {
        page.next = PARTS.get(at + 1).map(|part| part.name().to_owned());
    }
    Some(page)
}

impl Part {
    fn name(&self) -> &'static str {
        match self {
            Part::Rows(subject) => subject.name,
            Part::Journal => "journal",
        }
    }
}

impl Subject {
    /// Looks at the rows after `last`, which moves on with it. Whether those
    /// were all.
    fn look(
        &self,
        db: &Connection,
        last: &mut Vec<Value>,
        limit: u32,
        now: Timestamp,
        flaws: &mut Vec<Flaw>,
    ) -> Result<bool, rusqlite::Error> {
        let mut select = db.prepare_cached(&self.sql(last.is_empty()))?;
        select.raw_bind_parameter(1, int((now + AHEAD_MAX).0))?;
        select.raw_bind_parameter(2, limit)?;
        for (parameter, value) in (3..=select.parameter_count()).zip(last.iter()) {
            select.raw_bind_parameter(parameter, value)?;
        }
        let before = last.clone();
        let mut rows = select.raw_query();
        let mut looked_at = 0;
        while let Some(r) = rows.next()? {
            looked_at += 1;
            if let Err(error) = self.judge(r, last, flaws) {
                flaws.push(Flaw::new(
                    self.name,
                    format!("a row cannot be read: {error}"),
                ));
            }
        }
        if looked_at < limit {
            return Ok(true);
        }
        // A page must not begin where it began before, nor after what nothing is after.
        let is_stuck = *last == before || last.contains(&Value::Null);
        if is_stuck {
            flaws.push(Flaw::new(
                self.name,
                "there is no way past some of its rows",
            ));
        }
        Ok(is_stuck)
    }

    fn judge(
        &self,
        r: &SqlRow<'_>,
        last: &mut Vec<Value>,
        flaws: &mut Vec<Flaw>,
    ) -> Result<(), rusqlite::Error> {
        let shown = self.key.len() + self.shown.len();
        let mut values = (0..shown)
            .map(|i| r.get(i))
            .collect::<Result<Vec<Value>, _>>()?;
        let mut wrong = (self.also)(&values);
        for (i, (_, what)) in self.wrong_if.iter().enumerate() {
            if r.get::<_, Option<bool>>(shown + i)? == Some(true) {
                wrong.push(what);
            }
        }
        flaws.extend(
            wrong
                .into_iter()
                .map(|what| Flaw::new((self.about)(&values), what)),
        );
        values.truncate(self.key.len());
        *last = values;
        Ok(())
    }

    fn sql(&self, is_first: bool) -> String {
        let key = self.key.join(", ");
        let conditions = self.wrong_if.iter().map(|(condition, _)| *condition);
        let columns: Vec<&str> = self
            .key
            .iter()
            .chain(self.shown)
            .copied()
            .chain(conditions)
            .collect();
        let parameters: Vec<String> = (3..)
            .take(self.key.len())
            .map(|n| format!("?{n}"))
            .collect();
        let after = if is_first {
            String::new()
        } else {
            format!("WHERE ({key}) > ({})", parameters.join(", "))
        };
        let (columns, from) = (columns.join(", "), self.from);
        format!("SELECT {columns} FROM {from} {after} ORDER BY {key} LIMIT ?2")
    }

    fn stuck(&self, last: &[Value], error: &rusqlite::Error) -> Flaw {
        let what = if last.is_empty() {
            format!("cannot be read: {error}")
        } else {
            format!("cannot be read from some row on: {error}")
        };
        Flaw::new(self.name, what)
    }
}

/// For subjects of which SQL can tell everything.
pub(super) fn nothing_else(_: &[Value]) -> Vec<&'static str> {
    Vec::new()
}

/// A table's id as people write it.
pub(super) fn table(value: &Value) -> String {
    let number = match value {
        Value::Integer(number) => u64::try_from(*number).ok(),
        _ => None,
    };
    match number.and_then(TableId::from_number) {
        Some(table) => table.to_string(),
        None => format!("table {}", plain(value)),
    }
}

/// A value as it is.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Blob(bytes) => format!("of {} bytes", bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::schema;
    use super::*;

    /// Pages are found by their key, and what rows refer to by an index.
    #[test]
    fn a_page_costs_what_it_shows() {
        let mut db = Connection::open_in_memory().unwrap();
        schema::migrate(&mut db).map_err(|e| e.to_string()).unwrap();
        for part in &PARTS {
            let Part::Rows(subject) = part else { continue };
            for is_first in [true, false] {
                let plan = plan(&db, &subject.sql(is_first));
                for step in &plan {
                    // A page of score sheets has been cut off before it is sorted.
                    let is_short = ["journal", "sqlite_sequence", "CONSTANT ROW"]
                        .iter()
                        .any(|short| step.starts_with(&format!("SCAN {short}")));
                    let is_beginning =
                        is_first && step.starts_with(&format!("SCAN {}", alias(subject)));
                    let is_walk =
                        !step.starts_with("SCAN ") && !step.contains("TEMP B-TREE FOR ORDER BY");
                    let is_cheap = is_walk || is_short || is_beginning || subject.name == "moves";
                    assert!(is_cheap, "{}: {step} in {plan:#?}", subject.name);
                }
            }
        }
    }

    fn plan(db: &Connection, sql: &str) -> Vec<String> {
        let mut explain = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let mut rows = explain.raw_query();
        let mut steps = Vec::new();
        while let Some(r) = rows.next().unwrap() {
            steps.push(r.get(3).unwrap());
        }
        steps
    }

    /// What its own rows are called: the first word after its name.
    fn alias(subject: &Subject) -> &'static str {
        subject.from.split_whitespace().nth(1).unwrap()
    }
}
