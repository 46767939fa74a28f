//! What an operator decides in a game. What changes something is written to
//! the audit trail.

use std::sync::Arc;

use chess::game::{AbortReason, Command, DrawReason, Ending, Event, Game, WinReason};
use chess::table::Actor;
use chess::{ByColor, Color, Millis};
use live::{Outcome, With};
use store::{AuditEntry, TableId};

use super::App;
use crate::problem::Problem;

/// A decision.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ruling {
    /// Stop the clocks.
    Pause,
    /// Let them go on.
    Resume,
    /// Set the clocks that are named.
    SetClocks(ByColor<Option<Millis>>),
    /// The winner; `None`: a draw.
    Decide(Option<Color>),
    /// Nobody wins.
    Abort,
}

/// Has a game follow a decision of the operator of that name.
///
/// # Errors
/// `game_not_found`, or what the game refuses it with.
pub(crate) async fn rule(
    app: &App,
    by: &str,
    id: TableId,
    ruling: Ruling,
) -> Result<Arc<Game>, Problem> {
    let (action, command, detail) = match ruling {
        Ruling::Pause => ("pause", Command::Pause, String::new()),
        Ruling::Resume => ("resume", Command::Resume, String::new()),
        Ruling::SetClocks(new) => set_clocks(app, id, new).await?,
        Ruling::Decide(winner) => {
            let ending = ending(winner);
            let detail = ending.result().to_owned();
            ("adjudicate", end(app, id, ending).await?, detail)
        }
        Ruling::Abort => {
            let ending = Ending::Aborted {
                by: AbortReason::Operator,
            };
            ("abort", end(app, id, ending).await?, String::new())
        }
    };
    let submitted = app
        .games
        .submit(id, Actor::Operator, command, app.now(), With::default());
    match submitted.await? {
        Outcome::Changed {
            before,
            after,
            event,
            ..
        } => {
            let (action, detail) = match event {
                Event::ResultChanged { ending } => ("change_result", changed(&before, ending)),
                _ => (action, detail),
            };
            audit(app, by, action, &id.to_string(), detail).await?;
            Ok(after)
        }
        Outcome::Already { table, .. } => Ok(table),
        Outcome::Refused { why, .. } => Err(why.into()),
    }
}

/// What the audit trail says of a result that was changed.
fn changed(before: &Game, ending: Ending) -> String {
    let was = before.ending().map_or("", Ending::result);
    let rated = match before.terms().rated {
        true => "; rated anew",
        false => "",
    };
    format!("{} (was {was}){rated}", ending.result())
}

/// What is asked of the game, and what the audit trail says of it.
type Order = (&'static str, Command, String);

async fn set_clocks(
    app: &App,
    id: TableId,
    new: ByColor<Option<Millis>>,
) -> Result<Order, Problem> {
    let game = app.games.read(id, None).await?;
    let shown = game.clocks(app.now()).unwrap_or_default();
    let clocks = ByColor {
        white: new.white.unwrap_or(shown.white),
        black: new.black.unwrap_or(shown.black),
    };
    let detail = format!(
        "white {} (was {}), black {} (was {})",
        clocks.white, shown.white, clocks.black, shown.black
    );
    Ok(("set_clock", Command::SetClock(clocks), detail))
}

/// What makes a game end like this, be it over or not.
async fn end(app: &App, id: TableId, ending: Ending) -> Result<Command, Problem> {
    let is_over = app.games.read(id, None).await?.ending().is_some();
    Ok(match is_over {
        true => Command::ChangeResult(ending),
        false => Command::Adjudicate(ending),
    })
}

fn ending(winner: Option<Color>) -> Ending {
    match winner {
        Some(winner) => Ending::Won {
            winner,
            by: WinReason::Adjudicated,
        },
        None => Ending::Drawn {
            by: DrawReason::Adjudicated,
        },
    }
}

/// Writes down what the operator of that name has done.
pub(crate) async fn audit(
    app: &App,
    by: &str,
    action: &str,
    target: &str,
    detail: String,
) -> Result<(), Problem> {
    tracing::info!(actor = by, action, on = target, "an operator acted");
    let entry = AuditEntry {
        at: app.wall(),
        actor: by.to_owned(),
        action: action.into(),
        target: target.into(),
        detail,
    };
    Ok(app.store.audit(entry).await?)
}
