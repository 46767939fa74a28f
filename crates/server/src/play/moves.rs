//! Making a move.

use std::sync::OnceLock;
use std::time::Instant;

use chess::game::{Command, Event, Game, MoveCommand, MoveReport};
use chess::rules::Square;
use live::Outcome;
use store::TableId;

use super::asked::{Asked, refused};
use super::keys::Keyed;
use crate::auth::Scope;
use crate::limits::rates::Rate;
use crate::problem::Problem;

/// A move to be made.
#[derive(Default)]
pub(crate) struct Order<'a> {
    /// In UCI or SAN.
    pub(crate) text: &'a str,
    /// The half-move it is meant to be; `None`: the next.
    pub(crate) ply: Option<u32>,
    /// The last version that was seen.
    pub(crate) version: Option<u32>,
    /// Whether a draw is offered with it.
    pub(crate) offers_draw: bool,
}

/// A move that was made.
pub(crate) struct Moved {
    pub(crate) report: MoveReport,
    /// It was to offer a draw, and it was too soon for that.
    pub(crate) offer_refused: bool,
}

/// A move between two squares, in UCI. What a pawn is to become counts only where one
/// promotes: some clients always say it.
pub(crate) fn between(game: &Game, from: Square, to: Square, promotion: Option<char>) -> String {
    let promotion = promotion.filter(|_| game.board().is_promotion(from, to));
    let promotion = promotion.map_or_else(String::new, String::from);
    format!("{from}{to}{promotion}")
}

/// Makes a move. It is resolved where it is decided; the report is made from
/// what is recorded.
///
/// # Errors
/// The first guard that fails, as a problem.
pub(crate) async fn make(
    asked: &Asked<'_>,
    id: TableId,
    order: &Order<'_>,
) -> Result<Moved, Problem> {
    asked.may(&[Scope::Play], Rate::Move)?;
    let (app, mover) = (asked.app, asked.caller.number());
    let keyed = asked.keyed().await?;
    let made = if let Keyed::Again(first) = keyed {
        let then = asked.then(&first).await?;
        recorded(&then, first.version)
    } else {
        let command = Command::Move(MoveCommand {
            text: order.text.to_owned(),
            ply: order.ply,
            version: order.version,
            offer_draw: order.offers_draw,
            lag: app.rooms.lags().of(id, mover),
        });
        let begun = Instant::now();
        match asked.submit(id, command, &keyed).await? {
            Outcome::Changed {
                before,
                after,
                event,
                report,
            } => {
                app.figures.moved(begun.elapsed());
                reported(&before, event, &after, &report)
            }
            Outcome::Already { version, table } => recorded(&table, version),
            Outcome::Refused { why, table } => return Err(refused(why, &table, asked.caller)),
        }
    };
    let (report, event) = made.ok_or_else(Problem::unavailable)?;
    Ok(Moved {
        report,
        offer_refused: order.offers_draw && is_without_offer(&event),
    })
}

/// The report is made once, here or by whoever is told first.
fn reported(
    before: &Game,
    event: Event,
    after: &Game,
    report: &OnceLock<MoveReport>,
) -> Option<(MoveReport, Event)> {
    let Event::Moved { uci, .. } = event else {
        return None;
    };
    let report = report.get_or_init(|| MoveReport::of(before.board(), uci, after));
    Some((report.clone(), event))
}

/// The move that made a version, as it was reported and as it is recorded.
fn recorded(game: &Game, version: u32) -> Option<(MoveReport, Event)> {
    let index = usize::try_from(version).ok()?.checked_sub(1)?;
    Some((game.report(version)?, game.entries().nth(index)?.event))
}

/// What was asked is in every retry, what became of it in the record: so a
/// retry hears the same.
fn is_without_offer(event: &Event) -> bool {
    matches!(
        event,
        Event::Moved {
            offers_draw: false,
            ending: None,
            ..
        }
    )
}
