//! The room around a game: who may enter, what is said there, who reads it.
//!
//! Every door enters, speaks and reads through here, so the rules hold on all
//! of them. What they are is `live::room::policy`; this knows who people are.

mod history;
mod moderation;
mod speech;
mod visit;

use std::sync::Arc;

use chess::game::Game;
use chess::table::{PlayerId, State, Table};
use live::room::policy::{Policies, ViewerFacts, Visitor};
use live::room::{Chat, ChatId, Role};
use store::{Ban, BanKind, TableId};

use crate::auth::{Caller, Scope};
use crate::play::App;
use crate::problem::Problem;
use crate::rooms::Room;

pub use history::{History, LastRead, history, readable_from, readable_later};
pub use moderation::{Measure, moderate};
pub use speech::{give_notice, say};
pub(crate) use visit::{come, is_shown, visit};

/// Lines that a reader is shown at most.
const LINES_MAX: u32 = 500;

/// Somebody inside a room.
pub struct Occupant {
    /// The game, as it is.
    pub game: Arc<Game>,
    /// What they are here, and who.
    pub viewer: ViewerFacts,
}

/// What the caller is around a game. Whoever plays it is a player, with
/// whatever token.
pub fn role_in(game: &Game, caller: Option<&Caller>) -> Role {
    match caller {
        Some(caller) if game.is_player(caller.number()) => Role::Player,
        Some(caller) if caller.scopes.contains(Scope::Admin) => Role::Moderator,
        _ => Role::Observer,
    }
}

/// Whether the caller may enter, not considering bans.
pub(crate) fn belongs(game: &Game, caller: Option<&Caller>) -> bool {
    admits(game, caller, false)
}

fn admits(game: &Game, caller: Option<&Caller>, is_removed: bool) -> bool {
    let is_invited = caller.is_some_and(|caller| game.invited().contains(&caller.number()));
    let visitor = Visitor {
        role: role_in(game, caller),
        is_invited,
        is_member: caller.is_some_and(|caller| caller.person.is_member),
        is_removed,
    };
    (Policies::of(game.terms().room).admits)(game.terms().private, &visitor)
}

/// Lets somebody in.
///
/// # Errors
/// `not_found`: there is no such game, or none they may see, or they were removed.
pub async fn enter(app: &App, id: TableId, caller: Option<&Caller>) -> Result<Occupant, Problem> {
    let game = app.games.read(id, caller.map(Caller::number)).await?;
    admit(app, id, caller, game).await
}

/// The same without being seen: for streams, which count by being open.
///
/// # Errors
/// As [`enter`].
pub async fn glance(app: &App, id: TableId, caller: Option<&Caller>) -> Result<Occupant, Problem> {
    let mut game = app.games.read(id, None).await?;
    // Whoever has joined at another node must not be shown what is kept from players.
    if caller.is_some() && game.state() == State::Waiting {
        game = app.games.newest(id).await?;
    }
    admit(app, id, caller, game).await
}

/// Lets somebody in whose game was read already.
///
/// # Errors
/// As [`enter`].
pub async fn admit(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
    game: Arc<Game>,
) -> Result<Occupant, Problem> {
    let who = caller.map(Caller::number);
    let is_removed = match who {
        Some(who) => is_removed(app, id, &game, who).await?,
        None => false,
    };
    if !admits(&game, caller, is_removed) {
        return Err(Problem::game_not_found());
    }
    let role = role_in(&game, caller);
    Ok(Occupant {
        game,
        viewer: ViewerFacts { who, role },
    })
}

/// Whether somebody was removed from the room. Players cannot be.
pub(crate) async fn is_removed(
    app: &App,
    id: TableId,
    game: &Game,
    who: PlayerId,
) -> Result<bool, Problem> {
    if game.is_player(who) {
        return Ok(false);
    }
    // No room is made for everybody who joins.
    let room = app.rooms.all().peek(id);
    let ban = ban_of(app, id, room.as_deref(), who).await?;
    Ok(ban.is_some_and(|ban| ban.kind == BanKind::Removed))
}

/// How somebody is banned from a room. On a shared store the ban may have been made,
/// or lifted, at another node: what the room remembers does not count there.
async fn ban_of(
    app: &App,
    id: TableId,
    room: Option<&Room>,
    who: PlayerId,
) -> Result<Option<Ban>, store::Error> {
    let room = room.filter(|_| !app.store.is_shared());
    match room.and_then(|room| room.chat(|chat| chat.ban_of(who))) {
        Some(known) => Ok(known),
        None => Ok(app.store.bans_at(&[id], who).await?.pop()),
    }
}

/// The room with who may not speak there, read from the store if need be.
///
/// # Errors
/// The store cannot say.
async fn spoken_in(app: &App, id: TableId) -> Result<Arc<Room>, store::Error> {
    let room = app.rooms.all().hold(id);
    if room.chat(|_| ()).is_none() {
        let bans = app.store.bans_of(id).await?;
        room.take_in_chat(Chat { bans });
    }
    Ok(room)
}

/// Reads an id that a client remembers.
///
/// # Errors
/// `bad_request` naming the field.
pub fn chat_id(field: &'static str, text: &str) -> Result<ChatId, Problem> {
    text.parse()
        .map_err(|why| Problem::bad_request(format!("{field}: {why}")).with("field", field))
}
