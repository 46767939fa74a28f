//! Challenges are told to whoever can be reached by XMPP, at whatever door they were made.
//!
//! They are read from what is told to services: how far that has come is kept in the store,
//! so a challenge made while nobody was connected is told later, if it still stands.

use std::time::Duration;

use chess::clock::TimeControl;
use chess::game::{Game, Phase};
use chess::{ByColor, Color};
use store::{EventKind, EventPlace, OutboxQuery, TableId};
use tokio::time::timeout;

use super::super::element::Element;
use super::super::{Door, GAME, identity};
use crate::problem::{Kind, Problem};

/// Under which name it is kept how far this has come.
const NAME: &str = "xmpp";
/// The longest without a look.
const LOOK: Duration = Duration::from_secs(1);
/// So many events are looked at together.
const PAGE: u32 = 200;

/// Tells, as long as this node has the door.
pub(in crate::doors::xmpp) async fn run(door: Door) {
    let mut news = door.app.events.news();
    let mut place = None;
    loop {
        news.mark_unchanged();
        match step(&door, &mut place).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(problem) => {
                tracing::debug!(cause = problem.cause, "challenges could not be told yet");
            }
        }
        drop(timeout(LOOK, news.changed()).await);
    }
}

/// Looks at the next events. Whether there may be more.
async fn step(door: &Door, place: &mut Option<EventPlace>) -> Result<bool, Problem> {
    let store = &door.app.store;
    let kept = store.event_cursor(NAME).await?;
    let Some(kept) = kept else {
        // It begins with what comes next, and is said before anybody can come.
        let end = store.outbox_end().await?;
        return Ok(store.move_event_cursor(NAME, None, end).await?);
    };
    if !door.arbiter.is_open() {
        return Ok(false);
    }
    let from = place.unwrap_or(kept);
    let query = OutboxQuery {
        kinds: [EventKind::GameCreated].into_iter().collect(),
        ..OutboxQuery::after(from, PAGE)
    };
    let page = store.outbox(query).await?;
    let mut told = None;
    for event in &page.events {
        if let Some(table) = event.table
            && let Err(problem) = dealt_with(tell(door, table).await)
        {
            // It is told later, and what was told before it is not told again.
            if let Some(told) = told {
                store.move_event_cursor(NAME, Some(kept), told).await?;
                *place = Some(told);
            }
            return Err(problem);
        }
        told = Some(event.place);
    }
    // Where nothing was to be told it is as well to begin at the old place.
    if !page.events.is_empty() {
        store.move_event_cursor(NAME, Some(kept), page.next).await?;
    }
    *place = Some(page.next);
    Ok(page.is_full)
}

/// Tells of a game, if it waits for somebody who can be told. A rematch is told in the room.
async fn tell(door: &Door, id: TableId) -> Result<(), Problem> {
    let game = door.app.games.read(id, None).await.map_err(Problem::from)?;
    let is_challenge =
        matches!(game.phase(), Phase::Waiting) && game.creation().rematch_of.is_none();
    let Some(opponent) = game.opponent().filter(|_| is_challenge) else {
        return Ok(());
    };
    let Some(whom) = identity::reach(door, opponent).await? else {
        return Ok(());
    };
    let by = door.app.auth.person(game.creator()).await?;
    let name = by.map_or_else(String::new, |person| person.name.clone());
    let from = identity::jid_of(door, game.creator()).await?;
    let to = identity::jid_of(door, opponent).await?;
    let (own, other) = sides(&game);
    let challenge = Element::new("challenge", GAME)
        .with("from", from.as_str())
        .with("to", to.as_str())
        .with_some("side", other);
    let room = door.room(id);
    let mut about = Element::new("game", GAME)
        .with("id", id.number().to_string())
        .with("room", room.as_str());
    if let Some(own) = own {
        about.set(own, from.as_str());
    }
    let body = format!("{name} challenges you: {room}");
    let message = Element::core("message")
        .with("from", door.config.arbiter.as_str())
        .with("to", whom.as_str())
        .child(about.child(with_terms(challenge, &game)))
        .child(Element::core("body").text(body));
    match door.arbiter.send(&message) {
        true => Ok(()),
        false => Err(Problem::unavailable()),
    }
}

/// Of what there is no more nothing is to be told; any other problem may pass.
fn dealt_with(told: Result<(), Problem>) -> Result<(), Problem> {
    match told {
        Err(problem) if problem.kind == Kind::Missing => Ok(()),
        told => told,
    }
}

/// The side of the one who challenges, and the other, unless chance decides.
fn sides(game: &Game) -> (Option<&'static str>, Option<&'static str>) {
    let names = ByColor {
        white: "white",
        black: "black",
    };
    let own: Option<Color> = game.creation().color.decided();
    (
        own.map(|color| *names.get(color)),
        own.map(|color| *names.get(!color)),
    )
}

fn with_terms(mut challenge: Element, game: &Game) -> Element {
    let terms = game.terms();
    match &terms.control {
        TimeControl::Fischer { initial, increment } => {
            challenge.set("time", initial.as_secs().to_string());
            challenge.set("increment", increment.as_secs().to_string());
        }
        TimeControl::Correspondence { days } => challenge.set("days", days.to_string()),
        _ => {}
    }
    challenge.set("variant", terms.variant.name());
    challenge.set("rated", if terms.rated { "1" } else { "0" });
    challenge
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_that_cannot_be_told_now_is_told_later() {
        assert!(dealt_with(Ok(())).is_ok());
        assert!(dealt_with(Err(Problem::game_not_found())).is_ok());
        assert!(dealt_with(Err(Problem::unavailable())).is_err());
    }
}
