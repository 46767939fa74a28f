//! What may say how a game was played: kept with it, for operators alone.

use chess::clock::TimeControl;
use chess::game::{Game, Refusal};
use chess::table::{PlayerId, State, Table};
use store::{Signal, TableId};

use super::App;
use super::sight::visible;
use crate::auth::{Caller, Scope};
use crate::limits::rates::Rate;
use crate::problem::{Kind, Problem};
use crate::rooms::Thread;

/// So many of one kind are kept of a player in a game.
const SIGNALS_MAX: u32 = 200;
/// What the server notes by itself.
pub(crate) const DISCONNECTED: &str = "disconnected";

/// Keeps what a player's client says of a running game.
///
/// # Errors
/// `missing_scope`, `rate_limited`, `game_not_found`, `not_a_player`, `game_not_active`;
/// `too_many_signals`.
pub(crate) async fn note(
    app: &App,
    caller: &Caller,
    id: TableId,
    kind: &'static str,
    ply: Option<u32>,
) -> Result<(), Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())?;
    let game = visible(app, id, Some(caller)).await?;
    if !game.is_player(caller.number()) {
        return Err(Refusal::NotAPlayer.into());
    }
    let state = game.state();
    if !matches!(state, State::Active | State::Paused) {
        return Err(Refusal::GameNotActive { state }.into());
    }
    let signal = Signal {
        table: id,
        account: caller.number(),
        kind: kind.to_owned(),
        at: app.now(),
        // What a client cannot know is not kept.
        ply: ply.filter(|ply| *ply <= game.ply()),
    };
    match app.store.add_signal(signal, SIGNALS_MAX).await? {
        true => Ok(()),
        false => {
            let detail = format!("{SIGNALS_MAX} of a kind are kept of a player in a game");
            Err(Problem::new(Kind::Conflict, "too_many_signals", detail))
        }
    }
}

/// A player's last stream of a game here was closed: notes it if the game runs and no
/// other node has one. Nobody waits for it, and that the server stops is no sign of
/// anything.
pub(crate) fn note_disconnect(app: &App, id: TableId, player: PlayerId) {
    let elsewhere = app.rooms.seen_elsewhere(id, player);
    if app.rooms.is_closing() || elsewhere.is_some_and(|seen| seen.is_streaming) {
        return;
    }
    let (app, at) = (app.clone(), app.now());
    app.rooms.clone().spawn(Thread::Telling, async move {
        let Ok(game) = app.games.read(id, None).await else {
            return;
        };
        if !counts(&game, player) || app.rooms.all().is_here(id, player) {
            return;
        }
        let signal = Signal {
            table: id,
            account: player,
            kind: DISCONNECTED.to_owned(),
            at,
            ply: Some(game.ply()),
        };
        if let Err(error) = app.store.add_signal(signal, SIGNALS_MAX).await {
            tracing::debug!(%error, table = %id, "a disconnect was not noted");
        }
    });
}

/// Whether it says something that this player is gone: in correspondence, and without a
/// clock, everybody comes and goes.
fn counts(game: &Game, player: PlayerId) -> bool {
    let control = &game.terms().control;
    let is_timed = !matches!(
        control,
        TimeControl::Correspondence { .. } | TimeControl::Unlimited
    );
    is_timed && game.state() == State::Active && game.is_player(player)
}
