//! Looking at a game: what of it somebody is shown.

use std::sync::Arc;

use chess::clock::TimeControl;
use chess::game::{Game, Phase};
use chess::table::{PlayerId, State, Table};
use chess::{Millis, Timestamp};
use live::View;
use store::TableId;

use super::App;
use super::sight::{as_seen_by, is_delayed, may_see_it};
use crate::auth::Caller;
use crate::problem::Problem;

/// Whose move it is in correspondence has been away for that long: the game
/// shows as paused.
const IDLE: Millis = Millis::from_secs(3600);

/// A game as somebody sees it. Whatever depends on who looks is asked here.
#[derive(Clone)]
pub(crate) struct Sight {
    pub(crate) id: TableId,
    /// Their view of it, which may be behind.
    pub(crate) game: Arc<Game>,
    pub(crate) viewer: Option<PlayerId>,
    /// When they look.
    pub(crate) now: Timestamp,
    /// Whether the store could not say that nothing is newer.
    pub(crate) is_stale: bool,
    pub(super) join_code: Option<String>,
}

/// The game that a client names.
///
/// # Errors
/// `game_not_found`: nothing has such a name.
pub(crate) fn table_id(text: &str) -> Result<TableId, Problem> {
    text.parse().map_err(|_| Problem::game_not_found())
}

/// Looks at a game.
///
/// # Errors
/// `game_not_found`: there is none, or none for the caller.
pub(crate) async fn look(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
) -> Result<Sight, Problem> {
    let view = app.games.view(id, caller.map(Caller::number)).await?;
    seen(app, id, caller, view).await
}

/// The same for whoever asks once and has seen that version: what they see may be a
/// moment old if they do not play there, and older while the store cannot be reached.
///
/// # Errors
/// As [`look`].
pub(crate) async fn glance(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
    version: u32,
) -> Result<Sight, Problem> {
    let viewer = caller.map(Caller::number);
    let view = app.games.glance(id, viewer, version).await?;
    seen(app, id, caller, view).await
}

async fn seen(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
    view: View<Game>,
) -> Result<Sight, Problem> {
    let viewer = caller.map(Caller::number);
    if !may_see_it(app, id, &view.table, caller).await? {
        return Err(Problem::game_not_found());
    }
    Ok(Sight {
        is_stale: view.is_stale,
        ..Sight::of(app, id, &view.table, viewer)
    })
}

impl Sight {
    /// What that viewer sees of the game now.
    pub(crate) fn of(app: &App, id: TableId, game: &Arc<Game>, viewer: Option<PlayerId>) -> Sight {
        let game = as_seen_by(game, viewer, app.now());
        Sight::whole(app, id, &game, viewer)
    }

    /// All of the game that is given: for whoever has just changed it, or was
    /// found to see that much.
    pub(crate) fn whole(
        app: &App,
        id: TableId,
        game: &Arc<Game>,
        viewer: Option<PlayerId>,
    ) -> Sight {
        Sight {
            id,
            game: Arc::clone(game),
            viewer,
            now: app.now(),
            is_stale: false,
            join_code: app.games.join_code(id),
        }
    }

    /// The same at the moment of the last change: what is shown again must not
    /// depend on when.
    #[must_use]
    pub(super) fn of_its_time(self) -> Sight {
        Sight {
            now: self.game.last_at(),
            ..self
        }
    }

    /// The code for friends: for who made the game, while it waits.
    pub(crate) fn join_code(&self) -> Option<&str> {
        let is_waiting = self.game.phase() == Phase::Waiting;
        let is_own = self.viewer == Some(self.game.creator());
        self.join_code.as_deref().filter(|_| is_waiting && is_own)
    }

    /// The game that this is the rematch of. That there is one tells that the
    /// first game is over.
    pub(crate) fn rematch_of(&self) -> Option<TableId> {
        let known_at = self.game.created_at() + self.game.spectator_delay();
        let first = self.game.creation().rematch_of;
        first
            .filter(|_| !self.is_delayed() || self.now >= known_at)
            .and_then(TableId::from_number)
    }

    /// The moment whose clocks are shown: those of a delayed game are seen as
    /// they were, like its moves.
    pub(crate) fn clock_at(&self) -> Timestamp {
        let game = &self.game;
        let then = || {
            let delay = u64::from(game.spectator_delay().0);
            Timestamp(self.now.0.saturating_sub(delay)).max(game.last_at())
        };
        match game.ended_at() {
            Some(ended) => ended,
            None if self.is_delayed() => then(),
            None => self.now,
        }
    }

    /// Whether it is not told who is there. To spectators of a delayed game
    /// both players are, until they know of its end: coming and going would
    /// tell of it.
    pub(crate) fn hides_presence(&self) -> bool {
        self.is_delayed() && self.game.ending().is_none()
    }

    /// In correspondence a game whose side to move has not been seen for an
    /// hour shows as paused. Nothing is written, and the deadline keeps running.
    pub(crate) fn is_idle(&self, app: &App) -> bool {
        let game = &self.game;
        let is_slow = matches!(game.terms().control, TimeControl::Correspondence { .. });
        let Some(mover) = *game.seats().get(game.turn()) else {
            return false;
        };
        let is_away = || {
            let seen = app.games.seen(self.id, mover);
            seen.is_some_and(|seen| self.now.since(seen.last) >= IDLE)
        };
        is_slow && !self.is_delayed() && game.state() == State::Active && is_away()
    }

    fn is_delayed(&self) -> bool {
        is_delayed(&self.game, self.viewer)
    }
}
