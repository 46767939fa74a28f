//! What an event is about, as it was then.

use chess::Millis;
use chess::game::{Event, Game, MoveReport};
use chess::skill::Match;
use chess::table::Table;
use chess::tables::AnyTable;
use store::{OutboxEvent, Stored, TableId};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::play::App;
use crate::problem::Problem;

/// After that what is not there is not there.
const SEEN_WITHIN: Millis = Millis::from_secs(60);

/// A table as it was with the event's version.
pub(crate) enum Then {
    /// A game, and the move that was made with that version, if it was one.
    Game(Box<Game>, Option<MoveReport>),
    /// A match of skill chess.
    Match(Box<Match>),
}

/// The table of an event; nothing if there is none, or what is stored of it is damaged.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn then(app: &App, event: &OutboxEvent) -> Result<Option<Then>, Problem> {
    let Some(id) = event.table.filter(|_| event.version > 0) else {
        return Ok(None);
    };
    let Some(stored) = load(app, id).await? else {
        return Ok(None);
    };
    let version = event.version;
    // It is told of a little before everybody sees it. One that is behind for longer is
    // damaged, and keeps nobody waiting.
    let is_new = app.now() < event.at + SEEN_WITHIN;
    if stored.version < version && is_new {
        return Err(Problem::unavailable());
    }
    // A long game is gone through move by move: whoever does not wait for it must not.
    let found = spawn_blocking(move || as_of(&stored, version)).await;
    found.map_err(|_| Problem::unavailable())
}

async fn load(app: &App, id: TableId) -> Result<Option<Stored>, Problem> {
    let (tell, told) = oneshot::channel();
    app.store
        .load(id, Box::new(move |found| drop(tell.send(found))));
    let found = told.await.map_err(|_| Problem::unavailable())?;
    Ok(found?)
}

fn as_of(stored: &Stored, version: u32) -> Option<Then> {
    match AnyTable::restore(stored.kind, &stored.history)?.ok()? {
        AnyTable::Chess(game) => {
            let after = game.as_of(version)?;
            let entry = game.entries().nth(version as usize - 1)?;
            let made = match entry.event {
                Event::Moved { uci, .. } => {
                    let before = game.as_of(version - 1)?;
                    Some(MoveReport::of(before.board(), uci, &after))
                }
                _ => None,
            };
            Some(Then::Game(Box::new(after), made))
        }
        AnyTable::Skill(played) => Some(Then::Match(Box::new(played.as_of(version)?))),
    }
}
