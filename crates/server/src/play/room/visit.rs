//! Coming to a room, to be told what happens there.

use std::sync::Arc;

use chess::game::Game;
use chess::table::PlayerId;
use chess::tables::AnyTable;
use live::room::policy::Shown;
use live::room::{Policies, Role};
use store::TableId;

use super::{Occupant, glance};
use crate::auth::{Caller, Person};
use crate::play::App;
use crate::problem::Problem;
use crate::rooms::Visit;
use crate::rooms::bus::Happened;
use crate::rooms::crowd::Language;
use crate::rooms::wire::Wire;

/// A way to be told without being woken: a wire that can be written to, and
/// the words that are written.
pub(crate) type Direct = (Arc<Wire>, Language);

/// Comes to a game to be told what happens there, until the visit is dropped.
///
/// # Errors
/// `game_not_found`: there is no such game, or none they may see, or they were removed.
pub(crate) async fn visit(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
) -> Result<Visit, Problem> {
    let occupant = glance(app, id, caller).await?;
    let visit = come(app, id, caller, &occupant, None);
    // Read again: what happened before they came they are not told.
    let Occupant { game, .. } = glance(app, id, caller).await?;
    app.rooms.publish(id, Happened::Came(AnyTable::Chess(game)));
    Ok(visit)
}

/// Whom a room was opened to comes in: an observer as somebody who is seen, if
/// they agree. They have to look at the game after that.
pub(crate) fn come(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
    occupant: &Occupant,
    direct: Option<Direct>,
) -> Visit {
    let mut visit = match (occupant.seat(), direct) {
        (None, Some((wire, language))) => {
            let who = occupant.viewer.who;
            app.rooms.enter_crowd(&app.games, id, who, wire, language)
        }
        (player, _) => app.rooms.enter(&app.games, id, player, occupant.viewer.who),
    };
    let observer = caller.filter(|_| visit.player.is_none());
    if let Some(caller) = observer.filter(|caller| is_shown(&occupant.game, &caller.person)) {
        visit.show(caller.number());
    }
    visit
}

/// Whether somebody who watches is seen there.
pub(crate) fn is_shown(game: &Game, person: &Person) -> bool {
    let shows = Policies::of(game.terms().room).shows;
    shows(Role::Observer, person.seen_watching) == Shown::ByName
}

impl Occupant {
    /// As whom they come, if as a player.
    pub(crate) fn seat(&self) -> Option<PlayerId> {
        let Occupant { viewer, .. } = self;
        viewer.who.filter(|_| viewer.role == Role::Player)
    }
}
