//! Speaking in a room.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess::game::ChatRule;
use chess::table::PlayerId;
use chess::{Millis, Timestamp};
use live::room::policy::{LineFacts, Policies};
use live::room::{Audience, ChatId, ChatOrder, Role, Strand};
use store::{AuditEntry, BanKind, ChatNumbering, TableId};
use tokio::sync::oneshot;

use super::{Occupant, ban_of, enter, spoken_in};
use crate::auth::{Caller, Scope};
use crate::limits::rates::Rate;
use crate::play::{App, standing};
use crate::problem::{Kind, Problem};
use crate::rooms::bus::Happened;
use crate::rooms::{BlockedBy, Line, Speech};

/// Says a line, to whom the speaker's role allows. It is durable and told when
/// this returns.
///
/// # Errors
/// `game_not_found` for outsiders and who was removed; `chat_off`, `muted` (here or
/// anywhere), `missing_scope`;
/// `bad_chat`; `rate_limited`; `unavailable`.
pub async fn say(
    app: &App,
    id: TableId,
    speaker: &Caller,
    text: &str,
    audience: Audience,
) -> Result<Line, Problem> {
    speaker.require_any(&[Scope::Play, Scope::Admin])?;
    let occupant = enter(app, id, Some(speaker)).await?;
    check_rule(&occupant)?;
    standing::check_speech(app, speaker.number()).await?;
    check_mute(app, id, &occupant, speaker.number()).await?;
    let text = proper(text, app.settings.chat_characters)?;
    app.rates.check(Rate::Chat, speaker.number())?;
    let facts = LineFacts {
        from: speaker.number(),
        role: occupant.viewer.role,
        audience: audience.allowed(occupant.viewer.role),
        is_notice: false,
    };
    let is_creator = occupant.game.creator() == speaker.number();
    let strand = match (facts.role, facts.audience) {
        (Role::Player, Audience::Room) => Strand::Room,
        (Role::Player, Audience::Observers) if is_creator => Strand::Creator,
        (Role::Player, Audience::Observers) => Strand::Opponent,
        (Role::Observer | Role::Moderator, _) => Strand::Observers,
    };
    write(app, id, speaker, facts, strand, text).await
}

/// A moderator's word to everyone in the room, the players too. It is in the
/// audit trail before anyone hears it.
///
/// # Errors
/// `missing_scope` for anyone else, `not_allowed` for one who plays
/// this game; else as [`say`].
pub async fn give_notice(
    app: &App,
    id: TableId,
    speaker: &Caller,
    text: &str,
) -> Result<Line, Problem> {
    speaker.require(Scope::Admin)?;
    let occupant = enter(app, id, Some(speaker)).await?;
    if occupant.viewer.role != Role::Moderator {
        let detail = "a player gives no notice in their own game";
        return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
    }
    let text = proper(text, app.settings.chat_characters)?;
    app.rates.check(Rate::Chat, speaker.number())?;
    let entry = AuditEntry {
        at: app.wall(),
        actor: speaker.person.id.clone(),
        action: "notice".into(),
        target: id.to_string(),
        detail: text.clone(),
    };
    app.store.audit(entry).await?;
    let facts = LineFacts {
        from: speaker.number(),
        role: Role::Moderator,
        audience: Audience::Room,
        is_notice: true,
    };
    write(app, id, speaker, facts, Strand::Room, text).await
}

/// What was agreed on when the game was made.
fn check_rule(occupant: &Occupant) -> Result<(), Problem> {
    let room = occupant.game.terms().room;
    if (Policies::of(room).speaks)(occupant.viewer.role) {
        return Ok(());
    }
    let detail = match room.chat {
        ChatRule::Players => "in this room only the players speak",
        _ => "in this room nobody speaks",
    };
    Err(Problem::new(Kind::Forbidden, "chat_off", detail))
}

/// What the creator decided about an observer does not bind a player: they may
/// have joined since.
async fn check_mute(
    app: &App,
    id: TableId,
    occupant: &Occupant,
    who: PlayerId,
) -> Result<(), Problem> {
    let room = spoken_in(app, id).await?;
    let is_player = occupant.viewer.role == Role::Player;
    let binds = |by: PlayerId| !is_player || by != occupant.game.creator();
    match ban_of(app, id, Some(&room), who).await? {
        Some(ban) if ban.kind == BanKind::Muted && binds(ban.by) => {
            let detail = "you may listen here, and not speak";
            Err(Problem::new(Kind::Forbidden, "muted", detail))
        }
        _ => Ok(()),
    }
}

/// The words without the space around them.
fn proper(text: &str, longest: usize) -> Result<String, Problem> {
    let text = text.trim();
    let flaw = if text.is_empty() {
        "text: say something".to_owned()
    } else if text.chars().count() > longest {
        format!("text: at most {longest} characters")
    } else if text.chars().any(char::is_control) {
        "text: one line, without control characters".to_owned()
    } else {
        return Ok(text.to_owned());
    };
    let error = Problem::new(Kind::Impossible, "bad_chat", flaw);
    Err(error.with("field", "text"))
}

/// How far the clock by which the store numbers lines may be behind ours.
const APART: Millis = Millis(60_000);

/// Hands the line to the store, which numbers it: lines become durable and are told
/// in the order of their ids. One at a time here, so that the times are in order too.
async fn write(
    app: &App,
    id: TableId,
    speaker: &Caller,
    facts: LineFacts,
    strand: Strand,
    text: String,
) -> Result<Line, Problem> {
    let blocked_by: BlockedBy = match facts.is_notice {
        // A moderator's word is for everyone.
        true => Arc::default(),
        false => app.store.blockers_of(speaker.number()).await?.into(),
    };
    let room = spoken_in(app, id).await?;
    let (tell, told) = oneshot::channel();
    // A stream may have been opened as a guest who has a name by now.
    let person = app.auth.person(speaker.number()).await?;
    let person = person.unwrap_or_else(|| speaker.person.clone());
    let rooms = app.rooms.clone();
    let before = Arc::new(AtomicU64::new(0));
    let after = Arc::clone(&before);
    room.chat(|_| {
        let at = app.now();
        let new = Line::to_say(id, at, &facts, text.clone());
        let done = Box::new(move |result: Result<u64, store::Error>| {
            let said = result.map(|number| Line {
                id: ChatId::from_number(number).unwrap_or_default(),
                at,
                facts,
                text,
            });
            if let Ok(line) = &said {
                let after = after.load(Ordering::Acquire);
                rooms.tell_others_of_line(id, line, after, &blocked_by);
                let said = Box::new(Speech {
                    line: line.clone(),
                    speaker: person,
                    blocked_by,
                });
                rooms.publish(id, Happened::Said(said, after));
            }
            // The speaker may have gone; the line is said all the same.
            drop(tell.send(said));
        });
        app.store
            .append_chat(new, numbering(strand, at, before), done);
    });
    Ok(told.await.map_err(|_| Problem::unavailable())??)
}

/// How a line of this strand is numbered. Which line it comes after is noted, so that
/// whoever hears of it knows whether they missed one.
fn numbering(strand: Strand, at: Timestamp, before: Arc<AtomicU64>) -> ChatNumbering {
    let earliest = Timestamp(at.0.saturating_sub(APART.0.into()));
    ChatNumbering {
        from: ChatId::first_at(earliest).number(),
        next: Box::new(move |now, ids| {
            let newest = ids.iter().copied().max().unwrap_or(0);
            before.store(newest, Ordering::Release);
            let ids = ids.iter().filter_map(|id| ChatId::from_number(*id));
            ChatOrder::id_after(ids, strand, now).number()
        }),
    }
}
