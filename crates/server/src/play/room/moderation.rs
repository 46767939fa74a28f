//! Silencing and removing.

use chess::game::Game;
use live::room::Role;
use store::{AuditEntry, Ban, BanKind, TableId};

use super::{Occupant, ban_of, enter, spoken_in};
use crate::auth::{Caller, Person, Scope};
use crate::play::App;
use crate::problem::{Kind, Problem};
use crate::rooms::bus::Happened;

/// What is done about somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// How far it goes.
    pub kind: BanKind,
    /// Whether it ends instead.
    pub is_lifted: bool,
}

/// Mutes or removes somebody, or ends that. The creator decides about those
/// who watch; a moderator may also mute a player. Nobody can be removed from a
/// game they play, and the creator cannot touch a moderator.
///
/// # Errors
/// `not_the_creator`, `missing_scope`; `not_found`; `not_allowed`.
pub async fn moderate(
    app: &App,
    id: TableId,
    caller: &Caller,
    whom: &Person,
    measure: Measure,
) -> Result<Occupant, Problem> {
    caller.require_any(&[Scope::Play, Scope::Admin])?;
    let occupant = enter(app, id, Some(caller)).await?;
    check(&occupant, caller, whom, measure.kind)?;
    let room = spoken_in(app, id).await?;
    let before = ban_of(app, id, Some(&room), whom.number).await?;
    let after = match (before, measure) {
        (
            _,
            Measure {
                is_lifted: true,
                kind,
            },
        ) => before.filter(|ban| ban.kind != kind),
        // Who was removed cannot speak either.
        (Some(ban), _) if ban.kind == BanKind::Removed => before,
        _ => Some(Ban {
            table: id,
            account: whom.number,
            kind: measure.kind,
            by: caller.number(),
            at: app.wall(),
        }),
    };
    if after != before {
        app.store
            .audit(entry(app, id, caller, whom, measure))
            .await?;
        match after {
            Some(ban) => app.store.ban(ban).await?,
            None => {
                app.store.lift_ban(id, whom.number).await?;
            }
        }
        room.chat(|chat| chat.set_ban(whom.number, after));
        if after.is_some_and(|ban| ban.kind == BanKind::Removed) {
            app.rooms.publish(id, Happened::Removed(whom.number));
            app.rooms.tell_others_of_removal(id, whom.number);
        }
    }
    Ok(occupant)
}

fn check(
    occupant: &Occupant,
    caller: &Caller,
    whom: &Person,
    kind: BanKind,
) -> Result<(), Problem> {
    let game: &Game = &occupant.game;
    let is_moderator = caller.scopes.contains(Scope::Admin) && occupant.viewer.role != Role::Player;
    if !is_moderator && game.creator() != caller.number() {
        let detail = "this is for the game's creator and moderators";
        return Err(Problem::new(Kind::Forbidden, "not_the_creator", detail));
    }
    let plays = game.is_player(whom.number);
    let why = if plays && kind == BanKind::Removed {
        "a player cannot be removed from their game"
    } else if plays && !is_moderator {
        "only a moderator may mute a player"
    } else if whom.is_admin && !is_moderator {
        "a moderator cannot be muted or removed"
    } else {
        return Ok(());
    };
    Err(Problem::new(Kind::Conflict, "not_allowed", why))
}

fn entry(app: &App, id: TableId, caller: &Caller, whom: &Person, measure: Measure) -> AuditEntry {
    let action = match (measure.kind, measure.is_lifted) {
        (BanKind::Muted, false) => "mute",
        (BanKind::Muted, true) => "unmute",
        (BanKind::Removed, false) => "remove",
        (BanKind::Removed, true) => "readmit",
    };
    AuditEntry {
        at: app.wall(),
        actor: caller.person.id.clone(),
        action: action.into(),
        target: id.to_string(),
        detail: whom.id.clone(),
    }
}
