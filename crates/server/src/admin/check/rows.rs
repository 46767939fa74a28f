//! Games' rows: what replaying the history says, and what is stored.

use chess::Timestamp;
use chess::table::{State, Table};
use chess::tables::AnyTable;
use store::{Inspector, Row, Store, StoredRow, TableId};

use super::{Difference, Findings, Place, replayed};
use crate::play::match_ids::room_code;

/// How often a game that changes while it is looked at is looked at again.
const LOOKS: u32 = 3;

/// Looks at the rows of some games, in the order of their ids.
pub(super) async fn page(
    inspector: &Inspector,
    after: Option<TableId>,
    limit: u32,
    repair: Option<&Store>,
) -> Result<Findings, store::Error> {
    let page = inspector.rows(after, limit).await?;
    let mut found = Findings {
        checked: page.looked_at,
        differences: page.flaws.into_iter().map(Difference::from).collect(),
        next: Some(page.next.map_or(Place::References(None), Place::Games)),
    };
    for row in page.rows {
        let Some((row, mut what)) = settled(inspector, row).await? else {
            continue;
        };
        let mut repaired = false;
        if let Some(store) = repair
            && let Some(right) = rebuilt(&row)
        {
            match replaced(inspector, store, right).await {
                Ok(()) => repaired = true,
                Err(why) => what = format!("{what}; after a repair: {why}"),
            }
        }
        found.differences.push(Difference {
            about: row.table.to_string(),
            what,
            repaired,
        });
    }
    Ok(found)
}

/// Writes the row as it should be, and looks whether it then is.
async fn replaced(inspector: &Inspector, store: &Store, right: Row) -> Result<(), String> {
    let table = right.table;
    let told = |error: store::Error| error.to_string();
    store.replace_row(right).await.map_err(told)?;
    let row = inspector.row(table).await.map_err(told)?;
    let row = row.ok_or("its row is not there")?;
    wrong(inspector, &row).await.map_or(Ok(()), Err)
}

/// What is wrong with a row, if something is and goes on being so: a running
/// game may change between reading its row and reading its moves.
async fn settled(
    inspector: &Inspector,
    mut row: StoredRow,
) -> Result<Option<(StoredRow, String)>, store::Error> {
    for look in 1.. {
        let Some(what) = wrong(inspector, &row).await else {
            return Ok(None);
        };
        match inspector.row(row.table).await {
            Ok(Some(again)) if again != row && look < LOOKS => row = again,
            _ => return Ok(Some((row, what))),
        }
    }
    Ok(None)
}

async fn wrong(inspector: &Inspector, row: &StoredRow) -> Option<String> {
    let game = match replayed(row.kind, &row.history) {
        Ok(game) => game,
        Err(why) => return Some(why),
    };
    let mut wrong: Vec<&str> = row.summary.differences(&game.summary());
    if game.version() != row.version {
        wrong.push("version");
    }
    if !is_deadline(&game, row.deadline) {
        wrong.push("deadline");
    }
    if row.join_code != code(&game, row) || row.join_code.is_some() != game.keeps_code() {
        wrong.push("join_code");
    }
    match inspector.moves_of(row.table).await {
        Ok(moves) if moves == sheet(&game) => {}
        Ok(_) => wrong.push("moves"),
        Err(error) => return Some(format!("its moves cannot be read: {error}")),
    }
    if wrong.is_empty() {
        return None;
    }
    Some(format!("{} not as in the history", wrong.join(", ")))
}

/// While a game waits, its deadline depends on when its creator was last seen,
/// which is stored nowhere else: any moment is as good that could be one.
fn is_deadline(game: &AnyTable, stored: Option<Timestamp>) -> bool {
    if game.state() != State::Waiting {
        return stored == game.next_deadline(game.last_at());
    }
    let Some(stored) = stored else {
        return game.next_deadline(Timestamp(0)).is_none();
    };
    let earliest = game.next_deadline(Timestamp(0));
    let latest = game.next_deadline(stored);
    earliest.is_some_and(|earliest| stored >= earliest)
        && latest.is_some_and(|latest| stored <= latest)
}

/// The code as it should be. A match's follows from its seed; that of a game was
/// made up, and is stored nowhere else.
fn code(game: &AnyTable, row: &StoredRow) -> Option<String> {
    let code = match game {
        AnyTable::Chess(_) => row.join_code.clone(),
        AnyTable::Skill(played) => Some(room_code(played.creation().seed)),
    };
    code.filter(|_| game.keeps_code())
}

/// The moves as they should be stored: once the game is over.
fn sheet(game: &AnyTable) -> Vec<chess::table::MoveRow> {
    if game.state() == State::Completed {
        game.score_sheet()
    } else {
        Vec::new()
    }
}

/// The row as it should be; `None` if the history itself is damaged.
fn rebuilt(row: &StoredRow) -> Option<Row> {
    let game = replayed(row.kind, &row.history).ok()?;
    Some(Row {
        table: row.table,
        kind: row.kind,
        version: game.version(),
        history: row.history.clone(),
        deadline: game.next_deadline(game.last_at()),
        join_code: code(&game, row),
        summary: game.summary(),
        moves: sheet(&game),
    })
}
