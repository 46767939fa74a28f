//! Faults that no invariant may overlook: the simulator's own test.
//!
//! Nothing here exists outside of the simulator. Each fault makes the node, or
//! what it says, wrong in one way; the tests show that the invariants notice.

use std::sync::Arc;

use chess::Color;
use chess::Timestamp;
use chess::game::{Event, Game, Offer, Phase};
use chess::table::Table;
use live::Outcome;
use store::{Row, Store, TableId};

use crate::mail::Letter;
use crate::node::at_once;

/// A deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// The disk loses the last change of a table though it was synced.
    ForgottenChange,
    /// A reader is shown the version before the newest.
    StaleRead,
    /// A reader is shown a change that nobody asked for.
    ForgedChange,
    /// Something happens to a game that is over.
    ChangeAfterTheEnd,
    /// A player who moved is told that it was so already.
    WrongVerdict,
    /// Two requests are told that they made the same version.
    DoubleGrant,
    /// An answer gets lost on the way.
    SwallowedAnswer,
    /// The node never looks at its clocks.
    NoTicks,
}

impl Sabotage {
    /// What somebody is told instead; `None`: nothing.
    pub(crate) fn tamper(self, letter: Letter, now: Timestamp) -> Option<Letter> {
        let changed = |game: &Game, event: Event| {
            let mut game = game.clone();
            game.evolve(now, &event);
            Letter::Table(Arc::new(game))
        };
        let over = |game: &Game| matches!(game.phase(), Phase::Over(_));
        Some(match (self, letter) {
            (Sabotage::StaleRead, Letter::Table(game)) => {
                let older = game.as_of(game.version() - 1);
                Letter::Table(older.map_or(game, Arc::new))
            }
            (Sabotage::ForgedChange, Letter::Table(game)) if game.phase() == Phase::Active => {
                let (offer, by) = (Offer::Draw, Color::White);
                changed(&game, Event::Offered { offer, by })
            }
            (Sabotage::ChangeAfterTheEnd, Letter::Table(game)) if over(&game) => {
                changed(&game, Event::Invited(vec![game.creator()]))
            }
            (Sabotage::WrongVerdict, Letter::Outcome(Outcome::Changed { after, .. })) => {
                Letter::Outcome(Outcome::Already {
                    version: after.version() - 1,
                    table: after,
                })
            }
            (Sabotage::SwallowedAnswer, Letter::Outcome(Outcome::Refused { .. })) => return None,
            (_, letter) => letter,
        })
    }
}

/// Takes the last change of a table out of its row.
pub(crate) fn forget_a_change(store: &Store) {
    let rows = at_once(store.each_table(None, u32::MAX));
    let Some(row) = rows.into_iter().find(|row| row.version > 1) else {
        return;
    };
    let older = Game::decode(&row.history)
        .ok()
        .and_then(|game| game.as_of(row.version - 1));
    if let Some(older) = older {
        at_once(store.replace_row(as_row(row.table, &older)));
    }
}

fn as_row(table: TableId, game: &Game) -> Row {
    Row {
        table,
        kind: Game::KIND,
        version: game.version(),
        history: game.encode(),
        deadline: game.next_deadline(game.last_at()),
        join_code: None,
        summary: game.summary(),
        moves: Vec::new(),
    }
}
