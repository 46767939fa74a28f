//! News in the words of this door: types that become JSON, and that describe
//! themselves in `/v1/asyncapi.json`.

use axum::extract::ws::Utf8Bytes;
use chess::game::{Entry, Event, Game, Offer};
use chess::{Color, Timestamp};
use live::room::Role;
use serde::Serialize;
use serde_json::{Map, Value};
use store::{RatedGame, TableId};
use utoipa::ToSchema;

use super::here::{AudienceView, PlayerHereView, PresenceView};
use crate::auth::Names;
use crate::doors::native::chat_view::ChatView;
use crate::doors::native::games::GameView;
use crate::doors::native::games::messages::{Message, messages_of, messages_since};
use crate::doors::native::games::view::{ClocksView, Sides, color_name};
use crate::problem::Problem;
use crate::rooms::Speech;
use crate::rooms::news::{GameChange, News, What, Words};
use crate::text_time::rfc3339;

/// What a stream says of a game besides its changes.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum RoomMessage {
    /// First, and again whenever the subscriber must begin anew: the game with
    /// all of its fields.
    State(Box<State>),
    /// After the changes that were missed since `since`: from here on
    /// everything comes as it happens.
    Sync(Box<Sync>),
    /// Every second while a clock runs and nothing else tells the clocks; not
    /// in correspondence.
    Clock(ClocksView),
    /// A player came or went; or, at most once a second, who watches. With a
    /// spectator delay, those who watch are not told who comes and goes until
    /// they know that the game is over.
    Presence(Here),
    /// Somebody spoke whom the reader may hear.
    Chat(ChatView),
    /// A rematch is offered or accepted. Here `game_id` is the new game.
    Rematch {
        /// The finished game.
        of: String,
        /// Who offered it.
        by: String,
        /// `GM`, `BOT`, ...
        by_title: Option<String>,
        /// Whether it begins.
        accepted: bool,
    },
    /// Somebody had the finished game analysed: so many half-moves were looked at. When it
    /// is all of them, `GET /v1/games/{id}/analysis` has the result.
    Analysis {
        /// Half-moves that were looked at.
        done: u32,
        /// Of how many.
        total: u32,
    },
    /// The answer to `PING`.
    Pong {
        /// Whatever `PING` had.
        id: Option<Value>,
    },
    /// What was sent could not be done; the socket stays open.
    Error {
        /// A stable code.
        error: String,
        /// What is wrong, for people.
        detail: String,
        #[serde(flatten)]
        #[schema(ignore)]
        context: Map<String, Value>,
    },
}

/// The game, and where the reader stands.
#[derive(Serialize, ToSchema)]
pub(super) struct State {
    /// `player`, `observer` or `moderator`.
    pub(super) role: &'static str,
    /// Who is there.
    pub(super) presence: PresenceView,
    /// The lines that the reader may see.
    pub(super) chat: Vec<ChatView>,
    /// Whether what was known before counts for nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) resync: bool,
    #[serde(flatten)]
    pub(super) game: GameView,
}

/// Where the reader stands after having been told what was missed.
#[derive(Serialize, ToSchema)]
pub(super) struct Sync {
    version: u32,
    /// `player`, `observer` or `moderator`.
    role: &'static str,
    /// Both clocks in milliseconds.
    clock_ms: Option<Sides<u32>>,
    /// When they showed this.
    #[schema(format = DateTime)]
    clock_at: String,
    /// Who is there.
    presence: PresenceView,
    /// Who offers what.
    offers: Offers,
    /// Who is ready to go on with a paused game.
    resume_by: Vec<&'static str>,
}

/// Who offers what: a color, or `null`.
#[derive(Serialize, ToSchema)]
pub(super) struct Offers {
    draw: Option<&'static str>,
    takeback: Option<&'static str>,
    pause: Option<&'static str>,
}

/// Who came or went.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum Here {
    /// A player.
    Player {
        /// `player`.
        role: &'static str,
        /// `white` or `black`.
        color: &'static str,
        #[serde(flatten)]
        player: PlayerHereView,
    },
    /// Those who watch.
    Audience(AudienceView),
}

/// A message of one of the games that a socket may carry.
#[derive(Serialize)]
struct Of<'a, M> {
    #[serde(flatten)]
    message: &'a M,
    game_id: String,
}

/// More than most messages take: a move is told, and answered, in less.
const MESSAGE_BYTES: usize = 512;

pub(super) fn text(message: &impl Serialize) -> Utf8Bytes {
    let mut json = Vec::with_capacity(MESSAGE_BYTES);
    crate::json::write(&mut json, message).expect("messages are plain JSON");
    Utf8Bytes::try_from(json).expect("JSON is UTF-8")
}

pub(super) fn of(id: TableId, message: &impl Serialize) -> Utf8Bytes {
    text(&Of {
        message,
        game_id: id.to_string(),
    })
}

/// This door, as news know it.
struct Native;

/// News of a game in the words of this door, made once for all who read them;
/// none of what it has no words for, `None` if they cannot be made.
pub(super) fn words(id: TableId, news: &News) -> Option<Words> {
    news.words::<Native>(0, |what| match what {
        What::Changed(change) => changed(change),
        What::Rematch(next) => vec![rematch(id, next)],
        What::Clock(clocks, at) => vec![of(id, &RoomMessage::Clock(ClocksView::new(*clocks, *at)))],
        What::Here(color, player, names) => vec![of(
            id,
            &RoomMessage::Presence(Here::Player {
                role: Role::Player.name(),
                color: color_name(*color),
                player: PlayerHereView::of(player, names),
            }),
        )],
        What::Audience(audience) => {
            let here = Here::Audience(AudienceView::of(audience));
            vec![of(id, &RoomMessage::Presence(here))]
        }
        What::Analysis { done, total } => {
            let (done, total) = (*done, *total);
            vec![of(id, &RoomMessage::Analysis { done, total })]
        }
        What::Said(Speech { line, speaker, .. }) => {
            vec![chat(id, ChatView::of(line, Some(speaker)))]
        }
        _ => Vec::new(),
    })
}

/// The same, if everybody who watches reads it like this.
pub(super) fn words_for_all(id: TableId, news: &News) -> Option<Words> {
    let is_for_all = match news.what() {
        // What a game's end brings with it is not the same for all.
        What::Changed(change) => {
            let is_reseated = matches!(change.event, Some(Event::Reseated { .. }));
            change.after.ending().is_none() && !is_reseated
        }
        What::Clock(..)
        | What::Here(..)
        | What::Audience(_)
        | What::Rematch(_)
        | What::Analysis { .. } => true,
        _ => false,
    };
    is_for_all.then(|| words(id, news)).flatten()
}

fn changed(change: &GameChange) -> Vec<Utf8Bytes> {
    let (Some(before), Some(event)) = (&change.before, &change.event) else {
        return Vec::new();
    };
    let entry = Entry {
        at: change.after.last_at(),
        event: event.clone(),
    };
    let (after, names) = (&change.after, &change.names);
    let rated = change.rated.as_ref();
    let messages = messages_of(before.board(), &entry, after, names, &change.report, rated);
    messages.map(|message| of(change.id, &message)).collect()
}

/// Every change after that version, each message with the last version of
/// which everything is told by then.
pub(super) fn missed(
    id: TableId,
    game: &Game,
    since: u32,
    names: &Names,
    rated: Option<&RatedGame>,
) -> Vec<(Utf8Bytes, u32)> {
    let messages: Vec<Message> = messages_since(game, since, names, rated);
    let next = messages.iter().skip(1).map(Message::version);
    let next = next.chain([u32::MAX]);
    messages
        .iter()
        .zip(next)
        .map(|(message, next)| (of(id, message), message.version().min(next - 1)))
        .collect()
}

/// `REMATCH`: here the game is the new one.
fn rematch(finished: TableId, next: &GameChange) -> Utf8Bytes {
    let (game, names) = (&next.after, &next.names);
    let told = RoomMessage::Rematch {
        of: finished.to_string(),
        by: names.id(game.creator()),
        by_title: names.title(game.creator()),
        accepted: game.started_at().is_some(),
    };
    of(next.id, &told)
}

/// `CHAT`.
pub(super) fn chat(id: TableId, line: ChatView) -> Utf8Bytes {
    of(id, &RoomMessage::Chat(line))
}

/// Something that could not be done.
pub(super) fn error(error: &Problem) -> Utf8Bytes {
    text(&RoomMessage::Error {
        error: error.code.to_owned(),
        detail: error.detail.clone(),
        context: error.context.clone(),
    })
}

/// `PONG`.
pub(super) fn pong(id: Option<Value>) -> Utf8Bytes {
    text(&RoomMessage::Pong { id })
}

/// `SYNC`: from here on everything comes as it happens.
pub(super) fn sync(
    id: TableId,
    game: &Game,
    role: Role,
    presence: PresenceView,
    now: Timestamp,
) -> Utf8Bytes {
    let at = game.ended_at().unwrap_or(now);
    let clocks = ClocksView::at(game, at);
    let offer = |offer| game.offer(offer).map(|by: Color| color_name(by));
    let sync = Sync {
        version: game.version(),
        role: role.name(),
        clock_ms: clocks.clock_ms,
        clock_at: rfc3339(at),
        presence,
        offers: Offers {
            draw: offer(Offer::Draw),
            takeback: offer(Offer::Takeback),
            pause: offer(Offer::Pause),
        },
        resume_by: game.resume_by().map(color_name).into_iter().collect(),
    };
    of(id, &RoomMessage::Sync(Box::new(sync)))
}
