//! What an operator decided that somebody may not do for a while. It is asked of the
//! store each time: so it holds at every node at once, and ends by itself.

use chess::table::PlayerId;
use store::{Sanction, SanctionKind};

use super::App;
use crate::problem::{Kind, Problem};
use crate::text_time::rfc3339;

/// Insists that somebody may play rated games: whoever makes, joins or pairs one asks.
///
/// # Errors
/// `barred` with why and until when; `unavailable` if the store cannot say.
pub async fn check_rated(app: &App, player: PlayerId) -> Result<(), Problem> {
    check(app, player, SanctionKind::BarRated).await
}

/// Those of these who may play no rated games.
///
/// # Errors
/// `unavailable` if the store cannot say.
pub async fn barred_among(app: &App, players: &[PlayerId]) -> Result<Vec<PlayerId>, Problem> {
    let barred = app
        .store
        .sanctioned_among(players, SanctionKind::BarRated, app.wall());
    Ok(barred.await?)
}

/// Insists that somebody may speak at all.
///
/// # Errors
/// `muted` with why and until when; `unavailable` if the store cannot say.
pub async fn check_speech(app: &App, player: PlayerId) -> Result<(), Problem> {
    check(app, player, SanctionKind::Mute).await
}

async fn check(app: &App, player: PlayerId, kind: SanctionKind) -> Result<(), Problem> {
    let now = app.wall();
    let sanctions = app.store.sanctions_of(player).await?;
    let holding = |sanction: &&Sanction| sanction.kind == kind && sanction.holds(now);
    match sanctions.iter().find(holding) {
        Some(sanction) => Err(told(sanction)),
        None => Ok(()),
    }
}

/// Why they may not, as they are told.
fn told(sanction: &Sanction) -> Problem {
    let (code, what) = match sanction.kind {
        SanctionKind::BarRated => ("barred", "you may not play rated games"),
        SanctionKind::Mute => ("muted", "you may listen, and not speak"),
    };
    let until = sanction.until.map(rfc3339);
    let end = match &until {
        Some(until) => format!(" until {until}"),
        None => String::new(),
    };
    let detail = format!("{what}{end}: {}", sanction.why);
    Problem::new(Kind::Forbidden, code, detail)
        .with("why", sanction.why.as_str())
        .with("until", until)
}
