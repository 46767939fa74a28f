//! Moves and commands over a socket: the same as by `POST`, without a request for each.

use std::pin::Pin;
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use chess::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::TableId;
use utoipa::ToSchema;

use super::words;
use crate::auth::Caller;
use crate::doors::native::games::GameView;
use crate::doors::native::games::answer::{shown_as, table_id};
use crate::doors::native::games::deeds::Deed;
use crate::doors::native::games::idempotency::checked;
use crate::doors::native::games::moves::{MoveAnswer, MoveRequest};
use crate::guard::{self, Broken};
use crate::play::{App, Asked};
use crate::problem::{Kind, Problem};
use crate::stream::{Reply, Source};

/// How many of one socket may wait for their answers.
const IN_HAND_MAX: usize = 64;

/// Something that is asked for over a socket.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Asking<W> {
    /// Anything; the answer has it, too.
    id: Option<Value>,
    /// Which game; that of the stream, if it is one game's.
    game_id: Option<String>,
    /// As `Idempotency-Key` of the `POST`.
    key: Option<String>,
    #[serde(flatten)]
    what: W,
}

/// What is answered.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Answered {
    /// A `MOVE` or a `COMMAND` was accepted and is durable.
    Ack(Box<Ack>),
    /// It was not. Nothing was changed by it, and the socket stays open.
    Refused(Refused),
}

/// What was accepted.
#[derive(Serialize, ToSchema)]
pub(super) struct Ack {
    /// Whatever was sent along.
    id: Option<Value>,
    /// Which game it was about.
    game_id: String,
    #[serde(flatten)]
    done: Done,
}

/// What came of it.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Done {
    /// Of a move, the answer of its `POST`.
    Moved(MoveAnswer),
    /// Of a command, the game; in a field, for a game has an `id` as well.
    Did {
        /// The answer of its `POST`.
        game: Box<GameView>,
    },
}

/// Why something was not done.
#[derive(Serialize, ToSchema)]
pub(super) struct Refused {
    /// Whatever was sent along.
    id: Option<Value>,
    /// Which game it was about, if that was understood.
    game_id: Option<String>,
    /// As the status of the `POST`.
    status: u16,
    /// A stable code.
    error: String,
    /// What is wrong, for people.
    detail: String,
    #[serde(flatten)]
    #[schema(ignore)]
    context: Map<String, Value>,
}

/// When something was heard: by the time of the games, and to measure how long its answer
/// takes.
#[derive(Clone, Copy)]
pub(super) struct Heard {
    pub(super) received: Timestamp,
    pub(super) at: Instant,
}

/// What can be asked for.
pub(crate) trait Ask: Send + Sync + 'static {
    /// Whether it is a move, of which it is counted how they are answered.
    const IS_MOVE: bool;

    /// All that makes two of them under one key the same: the address and the body.
    fn same(&self, id: TableId) -> (String, String);

    /// Does it.
    fn carry_out(
        &self,
        asked: &Asked<'_>,
        id: TableId,
    ) -> impl Future<Output = Result<Done, Problem>> + Send;
}

impl Ask for MoveRequest {
    const IS_MOVE: bool = true;

    fn same(&self, id: TableId) -> (String, String) {
        (format!("/v1/games/{id}/moves"), self.what())
    }

    async fn carry_out(&self, asked: &Asked<'_>, id: TableId) -> Result<Done, Problem> {
        Ok(Done::Moved(self.make(asked, id).await?))
    }
}

impl Ask for Deed {
    const IS_MOVE: bool = false;

    fn same(&self, id: TableId) -> (String, String) {
        (format!("/v1/games/{id}/{}", self.name), self.what())
    }

    async fn carry_out(&self, asked: &Asked<'_>, id: TableId) -> Result<Done, Problem> {
        let sight = Deed::carry_out(self, asked, id).await?;
        let game = Box::new(shown_as(asked.app, sight).view().await?);
        Ok(Done::Did { game })
    }
}

/// What all messages that ask for something have.
#[derive(Deserialize)]
pub(super) struct Head<'a> {
    pub(super) r#type: &'a str,
    id: Option<Value>,
    game_id: Option<String>,
    key: Option<String>,
}

impl<W: DeserializeOwned> Asking<W> {
    /// Reads one that has no mistake, of which all but what is asked for was read.
    pub(super) fn read(head: Head<'_>, text: &str) -> Option<Asking<W>> {
        Some(Asking {
            id: head.id,
            game_id: head.game_id,
            key: head.key,
            what: serde_json::from_str(text).ok()?,
        })
    }
}

impl<W: Ask> Asking<W> {
    /// To be done in its turn; or refused at once.
    pub(super) fn take<S: Source>(self, source: &S, heard: Heard, in_hand: usize) -> Reply {
        let ready = self.ready(source, in_hand);
        let (caller, table) = match ready {
            Ok((caller, table)) => (caller.clone(), table),
            Err(problem) => {
                count::<W>(source.app(), heard, Some(&problem));
                return Reply::Answer(refused(self.id, self.game_id, problem));
            }
        };
        let app = source.app().clone();
        let task = async move {
            let game_id = table.to_string();
            let done = Box::pin(self.carry_out(&app, &caller, table, heard.received));
            let done = guarded(&app, table, done).await;
            count::<W>(&app, heard, done.as_ref().err());
            match done {
                Ok(done) => words::text(&Answered::Ack(Box::new(Ack {
                    id: self.id,
                    game_id,
                    done,
                }))),
                Err(problem) => refused(self.id, Some(game_id), problem),
            }
        };
        Reply::Task(table, Box::pin(task))
    }

    fn ready<'a, S: Source>(
        &self,
        source: &'a S,
        in_hand: usize,
    ) -> Result<(&'a Caller, TableId), Problem> {
        if in_hand >= IN_HAND_MAX {
            let detail = format!("{IN_HAND_MAX} are not answered yet: wait for an answer");
            return Err(Problem::new(Kind::TooMuch, "too_many_in_flight", detail).after(1));
        }
        let nobody = || Problem::unauthorized("this needs a token");
        let caller = source.caller().ok_or_else(nobody)?;
        let table = match &self.game_id {
            Some(id) => table_id(id)?,
            None => source.table().ok_or_else(|| {
                Problem::bad_request("game_id says which game").with("field", "game_id")
            })?,
        };
        Ok((caller, table))
    }

    /// As a `POST` with the same token would, which may have died since the socket was
    /// opened.
    async fn carry_out(
        &self,
        app: &App,
        caller: &Caller,
        table: TableId,
        received: Timestamp,
    ) -> Result<Done, Problem> {
        if !app.auth.is_still_good(caller).await? {
            return Err(Problem::unauthorized("the token is no longer good"));
        }
        app.auth.confirm(caller).await?;
        let key = self.key.as_deref().map(|key| {
            let (address, body) = self.what.same(table);
            checked(key, &[&address, &body], "key")
        });
        let asked = Asked {
            app,
            caller,
            received,
            key: key.transpose()?,
            is_limited: true,
        };
        self.what.carry_out(&asked, table).await
    }
}

/// What came of it, as the `POST` would say it: within the time that a request may take,
/// and also if the server makes a mistake, which must not cost the socket.
async fn guarded(
    app: &App,
    table: TableId,
    done: Pin<Box<impl Future<Output = Result<Done, Problem>>>>,
) -> Result<Done, Problem> {
    match guard::within(&app.settings, done).await {
        Ok(done) => done,
        Err(Broken::Late) => Err(Problem::unavailable()),
        Err(Broken::Panicked(panic)) => {
            let panic = guard::said(&*panic);
            tracing::error!(%table, panic, "what a socket asked for made the server panic");
            Err(Problem::panicked())
        }
    }
}

/// Counts how a move is answered, if it is one.
fn count<W: Ask>(app: &App, heard: Heard, refusal: Option<&Problem>) {
    if W::IS_MOVE {
        let code = refusal.map(|problem| problem.code);
        app.move_counts.answered(code, heard.at.elapsed());
    }
}

fn refused(id: Option<Value>, game_id: Option<String>, problem: Problem) -> Utf8Bytes {
    words::text(&Answered::Refused(Refused {
        id,
        game_id,
        status: problem.status().as_u16(),
        error: problem.code.to_owned(),
        detail: problem.detail,
        context: problem.context,
    }))
}

/// A message that is not understood and was to be a move or a command, which never cost
/// the socket; nothing, if it was to be something else.
pub(super) fn not_understood(
    app: &App,
    text: &str,
    heard: Heard,
    error: &serde_json::Error,
) -> Option<Utf8Bytes> {
    #[derive(Deserialize)]
    struct Meant {
        r#type: String,
        id: Option<Value>,
    }
    let meant: Meant = serde_json::from_str(text).ok()?;
    let problem = Problem::bad_request(format!("this is not understood: {error}"));
    match &*meant.r#type {
        "MOVE" => count::<MoveRequest>(app, heard, Some(&problem)),
        "COMMAND" => {}
        _ => return None,
    }
    Some(refused(meant.id, None, problem))
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;
    use crate::operate::open;
    use crate::settings::Settings;

    #[tokio::test]
    async fn what_panics_or_takes_too_long_is_answered_as_by_post() {
        let settings = Settings {
            store: "memory:".into(),
            request_seconds: 1,
            ..Settings::default()
        };
        let app = open(settings).await.unwrap();
        let table = TableId::from_random(7);
        let panics = async { panic!("the secret reason") as Result<Done, Problem> };
        let refused = guarded(&app, table, Box::pin(panics)).await.err().unwrap();
        assert_eq!((refused.status().as_u16(), refused.code), (500, "internal"));
        assert!(!refused.detail.contains("secret"), "{}", refused.detail);
        let refused = guarded(&app, table, Box::pin(pending()))
            .await
            .err()
            .unwrap();
        let told = (refused.status().as_u16(), refused.code);
        assert_eq!(told, (503, "unavailable"));
    }
}
