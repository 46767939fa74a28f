//! Rooms: making one, finding one, joining one.

use std::net::IpAddr;
use std::sync::Arc;

use chess::Color;
use chess::skill::{Command, Creation, Match, Uuid};
use chess::table::{Actor, PlayerId, State};
use live::{Failure, Outcome, With};
use rand::RngExt;
use store::{ListQuery, TableId};

use super::{Guest, came, not_joined, room_full, room_not_found, seat_ownership, unreachable};
use crate::limits::rates::Rate;
use crate::play::App;
use crate::play::match_ids::room_code;
use crate::play::place::{TRIES, has_room_for_more};
use crate::problem::Problem;

/// The rooms that are listed, the newest.
const ROOMS_MAX: u32 = 200;

/// A guest's seat, and the match.
pub(crate) struct Joined {
    pub(crate) table: TableId,
    pub(crate) player: PlayerId,
    pub(crate) color: Color,
    pub(crate) played: Arc<Match>,
}

/// Makes a room; its host plays White.
///
/// # Errors
/// `registration_closed`: no guests here; `rate_limited`.
pub(crate) async fn create(app: &App, host: &Guest<'_>) -> Result<Joined, Problem> {
    let player = host.welcome(app).await?;
    may_play_more(app, player).await?;
    let (table, played) = place(app, player).await?;
    Ok(Joined {
        table,
        player,
        color: Color::White,
        played,
    })
}

/// Joins the room with that code, to play Black. Whoever has a seat already
/// comes back to it.
///
/// # Errors
/// `room_not_found`, `room_full`; or as [`create`].
pub(crate) async fn join(app: &App, guest: &Guest<'_>, code: &str) -> Result<Joined, Problem> {
    let (table, found) = by_code(app, guest.from, code).await?;
    let known = guest.find(app).await?;
    let is_seated = known.is_some_and(|player| found.seat_of(player).is_some());
    // Nobody becomes a guest in front of a closed door.
    if !is_seated && found.seats().black.is_some() {
        return Err(room_full());
    }
    let player = guest.welcome(app).await?;
    if !is_seated {
        may_play_more(app, player).await?;
    }
    let who = Actor::Player(player);
    let submitted = app
        .matches
        .submit(table, who, Command::Join, app.now(), With::default());
    let played = match submitted.await.map_err(unreachable)? {
        Outcome::Changed { after, .. } => after,
        Outcome::Already { table, .. } => table,
        Outcome::Refused { why, .. } => return Err(not_joined(&why)),
    };
    let color = played.seat_of(player).ok_or_else(seat_ownership)?;
    came(app, table, &played);
    Ok(Joined {
        table,
        player,
        color,
        played,
    })
}

/// The rooms with a free seat, newest first.
pub(crate) async fn open(app: &App) -> Result<Vec<(TableId, Arc<Match>)>, Problem> {
    let waiting = ListQuery {
        kind: Some(Match::KIND),
        state: Some(State::Waiting),
        limit: ROOMS_MAX,
        ..ListQuery::default()
    };
    let mut rooms = Vec::new();
    for listed in app.matches.list(waiting).await? {
        let waits = |played: &Arc<Match>| played.phase().name() == "waitingForPlayers";
        let played = listed.game.filter(waits);
        rooms.extend(played.map(|played| (listed.place.table, played)));
    }
    Ok(rooms)
}

/// The room with that code. Whoever tries many is stopped.
async fn by_code(app: &App, from: IpAddr, code: &str) -> Result<(TableId, Arc<Match>), Problem> {
    let together = app.rates.together(&app.store, app.now());
    together.look(Rate::WrongCode, &[from.into()]).await?;
    let found = match app.store.by_join_code(code).await? {
        Some(table) => match app.matches.read(table, None).await {
            // A game of chess, which has its codes from the same letters.
            Err(Failure::NotFound) => None,
            read => Some((table, read?)),
        },
        None => None,
    };
    if found.is_none() {
        together.count(Rate::WrongCode, &[from.into()]).await?;
    }
    found.ok_or_else(room_not_found)
}

async fn may_play_more(app: &App, player: PlayerId) -> Result<(), Problem> {
    app.rates.check(Rate::Creation, player)?;
    has_room_for_more(app, player).await
}

/// Finds the match a free id and a free code, and makes it durable.
async fn place(app: &App, host: PlayerId) -> Result<(TableId, Arc<Match>), Problem> {
    for _ in 0..TRIES {
        let table = TableId::from_random(rand::rng().random());
        let seed = Uuid(rand::rng().random());
        let played = Match::create(app.now(), Creation { host, seed });
        let code = room_code(seed);
        match app
            .matches
            .create(table, played, Some(&code), With::default())
            .await
        {
            Err(Failure::Taken) => {}
            placed => return Ok((table, placed?)),
        }
    }
    Err(Problem::unavailable())
}
