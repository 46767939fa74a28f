//! One change with all that is written with it, in a transaction of its own.

use futures_util::future::{join, join3};

use super::Db;
use super::fault::Fault;
use super::ratings::Question;
use super::steps::{Open, Rows, Steps, value};
use super::values::{at, small, table};
use super::{keys, outbox, ratings, rows, tickets};
use crate::{Change, Rates};

/// Nobody changes the table from here on until this is over.
const LOCK: &str = "SELECT 1 FROM tables WHERE id = $1 AND archive = 0 AND version = $2
                       FOR NO KEY UPDATE";
/// A new table's id must not be that of an archived one either.
const IS_TAKEN: &str = "SELECT 1 FROM tables WHERE id = $1 FOR NO KEY UPDATE";
const SIGN: &str = "UPDATE signs_of_life SET at = greatest(at, $2) WHERE writer = $1 AND node = $3";

/// What a change may need besides its row, to be prepared before anybody waits for it.
pub(super) const STATEMENTS: [&str; 4] = [LOCK, IS_TAKEN, SIGN, keys::REMEMBER];

/// Makes the change, if the table has the version it was decided on.
pub(super) async fn write(db: Db, writer: usize, change: &Change) -> Result<(), Fault> {
    let row = change.after.row();
    debug_assert_eq!((row.table, row.version), (change.table, change.version));
    let is_new = change.expected == 0;
    let mut steps = Steps::default();
    let id = value(table(change.table));
    match is_new {
        true => steps.add_wanting(Rows::None, IS_TAKEN, vec![id]),
        false => {
            let expected = value(small(change.expected));
            steps.add_wanting(Rows::Some, LOCK, vec![id, expected]);
        }
    }
    rows::write(&mut steps, &row, change.node, is_new);
    if let Some(remembered) = &change.remember {
        keys::remember(&mut steps, remembered);
    }
    if let Some(begins) = &change.begins {
        tickets::begin(&mut steps, change.table, begins, change.asked);
    }
    outbox::tell_all(&mut steps, change);
    let writer = small(u32::try_from(writer).unwrap_or(0));
    let alive_at = at(change.at.min(change.asked));
    let node = small(change.node.0);
    steps.add(SIGN, vec![value(writer), value(alive_at), value(node)]);
    match &change.rates {
        None => steps.commit(db).await,
        Some(rates) => commit_rated(db, &steps, change, **rates).await,
    }
}

/// Carries out the steps of a change and changes the ratings with it. They are asked for
/// together with the steps and written together with the end: two round trips, as ever.
async fn commit_rated(
    db: Db,
    steps: &Steps<'_>,
    change: &Change,
    rates: Rates,
) -> Result<(), Fault> {
    let prepared = steps.prepare(&db).await?;
    let question = Question::prepare(&db, change, rates).await?;
    let open = Open::new(db);
    let begun = join3(
        open.begin(),
        steps.send(open.client(), &prepared),
        question.ask(open.client()),
    );
    let (begun, made, known) = begun.await;
    let rated = async {
        begun.and(made)?;
        let mut steps = Steps::default();
        if let Some(settled) = rates.settle(change.table, change.at, &known?) {
            ratings::write(&mut steps, change, &settled);
        }
        let prepared = steps.prepare(open.client()).await?;
        // If one of them fails, the end of the transaction undoes it.
        let (sent, ended) = join(steps.send(open.client(), &prepared), open.end()).await;
        sent.and(ended)
    };
    match rated.await {
        Ok(()) => {
            open.give_back();
            Ok(())
        }
        Err(fault) => {
            open.roll_back();
            Err(fault)
        }
    }
}
