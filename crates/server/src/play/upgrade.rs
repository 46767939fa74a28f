//! Becoming a bot: an account that nobody has played with gets the title.

use chess::game::Game;
use chess::table::State;
use store::{AccountKind, AuditEntry, ListQuery, ProfileChange};

use super::App;
use crate::auth::{Caller, Scope};
use crate::problem::{Kind, Problem};

/// The title of bots.
pub(crate) const BOT: &str = "BOT";

/// Makes the caller's account a bot's, for good. Whoever has played as a person does not
/// become one: their opponents met somebody else.
///
/// # Errors
/// `missing_scope`; `not_allowed` for a guest, for who has another title, and after
/// the first game.
pub(crate) async fn to_bot(app: &App, caller: &Caller) -> Result<(), Problem> {
    caller.require(Scope::Bot)?;
    let person = &caller.person;
    if person.title.as_deref() == Some(BOT) {
        return Ok(());
    }
    let refused = |why: &str| Problem::new(Kind::Conflict, "not_allowed", why);
    if person.kind == AccountKind::Guest {
        return Err(refused("a guest cannot become a bot: register"));
    }
    if person.title.is_some() {
        return Err(refused("an account with a title cannot become a bot"));
    }
    for state in [State::Active, State::Paused, State::Completed] {
        let query = ListQuery {
            kind: Some(Game::KIND),
            state: Some(state),
            player: Some(caller.number()),
            everything: true,
            limit: 1,
            ..ListQuery::default()
        };
        if !app.games.list(query).await?.is_empty() {
            return Err(refused("an account that has played cannot become a bot"));
        }
    }
    let change = ProfileChange {
        title: Some(Some(BOT.into())),
        ..ProfileChange::default()
    };
    app.auth.alter(caller.number(), change).await?;
    let entry = AuditEntry {
        at: app.wall(),
        actor: person.id.clone(),
        action: "become_bot".into(),
        target: person.id.clone(),
        detail: String::new(),
    };
    Ok(app.store.audit(entry).await?)
}
