//! Replays every game and compares what comes out with what is stored.

use chess::table::Table;
use chess::tables::AnyTable;
use store::{Row, Store, StoredRow, TableId};
use tokio::sync::oneshot;

/// How often a game that changes while it is looked at is looked at again.
const LOOKS: u32 = 3;
/// Games with unfolded changes that are loaded at a time.
const CHUNK: usize = 10_000;

/// What was found in some of the games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Games looked at.
    pub checked: u64,
    /// Those that are not as they should be.
    pub differences: Vec<Difference>,
    /// The last one looked at: where to go on. `None`: that was all.
    pub last: Option<TableId>,
}

/// A game whose row is not what its history says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which game.
    pub table: TableId,
    /// What is wrong, for a person to read.
    pub what: String,
    /// Whether the row was written anew from the history.
    pub repaired: bool,
}

/// Looks at the rows of some games, in the order of their ids. With `repair`,
/// rows are written anew from their histories, which are the truth.
///
/// # Errors
/// Why the store cannot say.
pub async fn rows(
    store: &Store,
    after: Option<TableId>,
    limit: u32,
    repair: bool,
) -> Result<Findings, store::Error> {
    let rows = store.each_table(after, limit).await?;
    let mut found = Findings::default();
    if rows.len() >= limit as usize {
        found.last = rows.last().map(|row| row.table);
    }
    for row in rows {
        found.checked += 1;
        let Some((row, what)) = settled(store, row).await? else {
            continue;
        };
        let right = if repair { rebuilt(&row) } else { None };
        let repaired = right.is_some();
        let table = row.table;
        if let Some(right) = right {
            store.replace_row(right).await?;
        }
        found.differences.push(Difference {
            table,
            what,
            repaired,
        });
    }
    Ok(found)
}

/// What is wrong with a row, if something is and goes on being so: a running
/// game may change between reading its row and reading its moves.
async fn settled(
    store: &Store,
    mut row: StoredRow,
) -> Result<Option<(StoredRow, String)>, store::Error> {
    for look in 1.. {
        let Some(what) = wrong(store, &row).await? else {
            return Ok(None);
        };
        let before = row
            .table
            .number()
            .checked_sub(1)
            .and_then(TableId::from_number);
        let again = store.each_table(before, 1).await?;
        match again.into_iter().find(|again| again.table == row.table) {
            Some(again) if again != row && look < LOOKS => row = again,
            _ => return Ok(Some((row, what))),
        }
    }
    Ok(None)
}

async fn wrong(store: &Store, row: &StoredRow) -> Result<Option<String>, store::Error> {
    let game = match replayed(row.kind, &row.history) {
        Ok(game) => game,
        Err(why) => return Ok(Some(why)),
    };
    let mut wrong: Vec<&str> = row.summary.differences(&game.summary());
    if game.version() != row.version {
        wrong.push("version");
    }
    // While a game waits, its deadline depends on when its creator was last seen.
    if game.state() != "WAITING" && row.deadline != game.next_deadline(game.last_at()) {
        wrong.push("deadline");
    }
    let sheet = if game.state() == "COMPLETED" {
        game.score_sheet()
    } else {
        Vec::new()
    };
    if store.moves_of(row.table).await? != sheet {
        wrong.push("moves");
    }
    if wrong.is_empty() {
        return Ok(None);
    }
    Ok(Some(format!("{} not as in the history", wrong.join(", "))))
}

/// The table, by whichever rules it was played.
fn replayed(kind: u8, history: &[u8]) -> Result<AnyTable, String> {
    match AnyTable::restore(kind, history) {
        Some(table) => table.map_err(|corrupt| corrupt.to_string()),
        None => Err(format!("rules number {kind} are unknown")),
    }
}

/// The row as it should be; `None` if the history itself is damaged.
fn rebuilt(row: &StoredRow) -> Option<Row> {
    let game = replayed(row.kind, &row.history).ok()?;
    let is_over = game.state() == "COMPLETED";
    Some(Row {
        table: row.table,
        kind: row.kind,
        version: game.version(),
        history: row.history.clone(),
        deadline: game.next_deadline(game.last_at()),
        join_code: row.join_code.clone().filter(|_| game.keeps_code()),
        summary: game.summary(),
        moves: if is_over {
            game.score_sheet()
        } else {
            Vec::new()
        },
    })
}

/// Looks at the games with changes that are in no row yet: whether row and
/// journal together are a game. For a store that no server uses.
///
/// # Errors
/// Why the store cannot say.
pub async fn journal(store: &Store) -> Result<Findings, store::Error> {
    let mut tables: Vec<TableId> = store.recover()?.journal.iter().map(|r| r.table).collect();
    tables.sort_unstable();
    tables.dedup();
    let mut found = Findings {
        checked: tables.len() as u64,
        ..Findings::default()
    };
    for chunk in tables.chunks(CHUNK) {
        let loads: Vec<_> = chunk
            .iter()
            .map(|table| (*table, load(store, *table)))
            .collect();
        for (table, load) in loads {
            let what = match load.await {
                Ok(Ok(Some(stored))) => match replayed(stored.kind, &stored.history) {
                    Ok(game) if game.version() == stored.version => continue,
                    Ok(_) => "its history has another number of changes than its version".into(),
                    Err(why) => why,
                },
                Ok(Ok(None)) => "the journal has changes of a game that has no row".into(),
                Ok(Err(store::Error::Corrupt(why))) => why,
                Ok(Err(error)) => return Err(error),
                Err(_) => return Err(store::Error::Unavailable("no answer".into())),
            };
            let what = format!("journal: {what}");
            found.differences.push(Difference {
                table,
                what,
                repaired: false,
            });
        }
    }
    Ok(found)
}

type Loading = oneshot::Receiver<Result<Option<store::Stored>, store::Error>>;

fn load(store: &Store, table: TableId) -> Loading {
    let (tell, told) = oneshot::channel();
    store.load(table, true, Box::new(move |result| drop(tell.send(result))));
    told
}

#[cfg(test)]
mod tests {
    use chess::Timestamp;
    use chess::clock::TimeControl;
    use chess::game::{Command, Creation, Game, Terms};
    use chess::table::{Actor, PlayerId, Verdict};

    use super::*;

    fn player(number: u32) -> PlayerId {
        PlayerId::new(number).unwrap()
    }

    fn finished() -> Game {
        let creation = Creation::open(player(1), Terms::casual(TimeControl::Unlimited));
        let mut game = Game::create(Timestamp(1_000), creation).unwrap();
        let join = Command::Join {
            toss: chess::Color::White,
            by_code: false,
        };
        for (who, command) in [
            (2, join),
            (1, Command::Move(chess::game::MoveCommand::new("e4"))),
            (2, Command::Resign),
        ] {
            let Verdict::Change(event) =
                game.decide(Timestamp(2_000), Actor::Player(player(who)), &command)
            else {
                panic!("refused");
            };
            game.evolve(Timestamp(2_000), &event);
        }
        game
    }

    fn right(game: &Game, id: u64) -> Row {
        Row {
            table: TableId::from_number(id).unwrap(),
            kind: Game::KIND,
            version: game.version(),
            history: game.encode().to_vec(),
            deadline: None,
            join_code: None,
            summary: game.summary(),
            moves: game.score_sheet(),
        }
    }

    #[tokio::test]
    async fn what_is_not_as_in_the_history_is_found_and_repaired() {
        let directory = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", directory.path().join("a.db").display());
        let store = Store::open(&url).unwrap();
        let game = finished();
        let mut rows: Vec<Row> = (1..=5).map(|id| right(&game, id)).collect();
        rows[1].summary.fen = "8/8/8/8/8/8/8/8 w - - 0 1".into();
        rows[2].moves.clear();
        rows[3].version += 1;
        rows[4].history.truncate(3);
        for row in rows {
            store.replace_row(row).await.unwrap();
        }
        let seen = |found: &Findings| -> Vec<(u64, String, bool)> {
            let told = |d: &Difference| (d.table.number(), d.what.clone(), d.repaired);
            found.differences.iter().map(told).collect()
        };
        let found = rows_of(&store, false).await;
        assert_eq!(found.checked, 5);
        let wrong = seen(&found);
        assert_eq!(wrong[0], (2, "fen not as in the history".into(), false));
        assert_eq!(wrong[1], (3, "moves not as in the history".into(), false));
        assert_eq!(wrong[2], (4, "version not as in the history".into(), false));
        assert!(wrong[3].1.contains("corrupt"), "{}", wrong[3].1);
        let repaired: Vec<bool> = seen(&rows_of(&store, true).await)
            .iter()
            .map(|d| d.2)
            .collect();
        assert_eq!(repaired, [true, true, true, false]);
        assert_eq!(seen(&rows_of(&store, false).await).len(), 1);
        store.close();
    }

    async fn rows_of(store: &Store, repair: bool) -> Findings {
        rows(store, None, 100, repair).await.unwrap()
    }
}
