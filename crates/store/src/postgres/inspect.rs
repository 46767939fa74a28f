//! Looking for damage: what can be read row by row, and what refers to nothing.

use tokio_postgres::Row as SqlRow;

use super::Db;
use super::fault::Fault;
use super::lists::{invite, select_rows, stored_row};
use super::values::{Columns, int, table};
use crate::{Error, Flaw, FlawPage, RowPage, StoredRow, TableId};

/// Rows after the given one. One that cannot be read is named, and keeps no other
/// from being looked at.
pub(crate) async fn rows(db: &Db, after: Option<TableId>, limit: u32) -> Result<RowPage, Fault> {
    let after = after.map_or(-1, |id| int(id.number()));
    let found = select_rows(db, after, limit).await?;
    let mut page = RowPage {
        looked_at: found.len() as u64,
        ..RowPage::default()
    };
    let mut last = None;
    for row in &found {
        last = row.table(0).ok().or(last);
        match stored_row(row) {
            Ok(stored) => page.rows.push(stored),
            Err(Fault::Refused(error)) => page.flaws.push(unreadable(row, &error)),
            Err(fault) => return Err(fault),
        }
    }
    invite(db, &mut page.rows).await?;
    page.next = last.filter(|_| found.len() >= limit as usize);
    Ok(page)
}

fn unreadable(row: &SqlRow, error: &Error) -> Flaw {
    let about = match row.table(0) {
        Ok(id) => id.to_string(),
        Err(_) => "a table".to_owned(),
    };
    Flaw::new(about, error.to_string())
}

/// One table's row.
pub(crate) async fn row(db: &Db, id: TableId) -> Result<Option<StoredRow>, Fault> {
    let found = select_rows(db, table(id) - 1, 1).await?;
    let mut rows: Vec<StoredRow> = found.iter().map(stored_row).collect::<Result<_, _>>()?;
    invite(db, &mut rows).await?;
    Ok(rows.into_iter().find(|row| row.table == id))
}

/// What is to be looked for, and how to say what was found of a table.
const LOOKS: [(&str, &str); 6] = [
    (
        "seats refer to no table, or say something else",
        "SELECT DISTINCT s.table_id FROM seats s LEFT JOIN tables t ON t.id = s.table_id
          WHERE t.id IS NULL OR s.over <> (t.state = 'COMPLETED') OR s.sight <> t.sight
             OR s.created_at <> t.created_at
             OR s.player NOT IN (t.creator, coalesce(t.opponent, -1), coalesce(t.white, -1),
                                 coalesce(t.black, -1))",
    ),
    (
        "its creator has no seat there",
        "SELECT t.id FROM tables t LEFT JOIN seats s ON s.table_id = t.id AND s.player = t.creator
          WHERE s.player IS NULL",
    ),
    (
        "its code does not lead there",
        "SELECT t.id FROM tables t LEFT JOIN join_codes c ON c.code = t.join_code
          WHERE t.join_code IS NOT NULL AND c.table_id IS DISTINCT FROM t.id",
    ),
    (
        "a code leads there that is not its own",
        "SELECT c.table_id FROM join_codes c LEFT JOIN tables t ON t.id = c.table_id
          WHERE t.join_code IS DISTINCT FROM c.code",
    ),
    (
        "somebody is invited to no table",
        "SELECT DISTINCT i.table_id FROM invitations i LEFT JOIN tables t ON t.id = i.table_id
          WHERE t.id IS NULL",
    ),
    (
        "there are moves of no table that is over",
        "SELECT DISTINCT m.table_id FROM moves m LEFT JOIN tables t ON t.id = m.table_id
          WHERE t.state IS DISTINCT FROM 'COMPLETED'",
    ),
];

/// One of the looks: that what rows refer to is there, and says the same. `None`
/// if there is no such look.
pub(crate) async fn references(
    db: &mut Db,
    after: Option<&str>,
    limit: u32,
) -> Result<Option<FlawPage>, Fault> {
    let number = after.map_or(Ok(0), str::parse);
    let Some((what, sql)) = number.ok().and_then(|number: usize| LOOKS.get(number)) else {
        return Ok(None);
    };
    let sql = format!("{sql} LIMIT $1");
    let moment = db.transaction().await?;
    moment
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await?;
    let found = moment.query(&sql, &[&i64::from(limit)]).await?;
    let flaw = |row: &SqlRow| match row.table(0) {
        Ok(id) => Flaw::new(id.to_string(), *what),
        Err(_) => Flaw::new("a table", *what),
    };
    let next = after.map_or(0, |number| number.parse().unwrap_or(0)) + 1;
    Ok(Some(FlawPage {
        flaws: found.iter().map(flaw).collect(),
        next: (next < LOOKS.len()).then(|| next.to_string()),
    }))
}
