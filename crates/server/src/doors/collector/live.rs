//! A guest's stream of their match, as WebSocket and as server-sent events.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use chess::ByColor;
use chess::skill::Match;
use store::TableId;
use tokio::sync::broadcast::error::RecvError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::{Error, ErrorView};
use super::event::{OnlineMatchEvent, What};
use super::guest::{Guests, Seated, guests_of};
use super::play::{AsGuest, Asking};
use super::presence;
use crate::auth::Caller;
use crate::doors::native::stream::events;
use crate::doors::native::stream::session::{Out, Position};
use crate::doors::native::stream::socket::{Source, Upgrade};
use crate::fanout::crowd::Heard;
use crate::fanout::told::{MatchNews, Told};
use crate::fanout::{Item, Stay};
use crate::http::ClientAddress;
use crate::play::App;
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(live))
        .routes(routes!(events))
}

/// Follow a match
///
/// A WebSocket for its guests: `snapshot` first, then `actionAccepted`,
/// `presenceChanged` and `finished` in the order of the revisions.
#[utoipa::path(
    get,
    path = "/v1/matches/{matchID}/live",
    tag = "matches",
    params(("matchID" = String, Path, description = "The match's UUID"), AsGuest),
    security(()),
    responses(
        (status = 101, description = "A WebSocket"),
        (status = 400, description = "`missingGuestId`", body = ErrorView),
        (status = 403, description = "`seatOwnership`", body = ErrorView),
        (status = 404, description = "`matchNotFound`", body = ErrorView),
        (status = 426, description = "`upgradeRequired`: this is a WebSocket", body = ErrorView),
        (status = 429, description = "`tooManyStreams`", body = ErrorView),
    ),
)]
async fn live(
    State(app): State<App>,
    address: ClientAddress,
    Asking { id, guest }: Asking,
    upgrade: Result<Upgrade, Problem>,
) -> Result<Response, Error> {
    let (seated, _) = Seated::find(&app, &id, guest).await?;
    let upgrade = upgrade?;
    let place = app
        .rooms
        .places()
        .take(Some(seated.player), Some(address.0))?;
    Ok(upgrade.serve(Session::open(app, seated).await?, place))
}

/// Follow a match without WebSocket
///
/// The same events as server-sent events.
#[utoipa::path(
    get,
    path = "/v1/matches/{matchID}/events",
    tag = "matches",
    params(("matchID" = String, Path, description = "The match's UUID"), AsGuest),
    security(()),
    responses(
        (status = 200, description = "Events without end", content_type = "text/event-stream", body = String),
        (status = 400, description = "`missingGuestId`", body = ErrorView),
        (status = 403, description = "`seatOwnership`", body = ErrorView),
        (status = 404, description = "`matchNotFound`", body = ErrorView),
        (status = 429, description = "`tooManyStreams`", body = ErrorView),
    ),
)]
async fn events(
    State(app): State<App>,
    address: ClientAddress,
    Asking { id, guest }: Asking,
) -> Result<Response, Error> {
    let (seated, _) = Seated::find(&app, &id, guest).await?;
    let place = app
        .rooms
        .places()
        .take(Some(seated.player), Some(address.0))?;
    Ok(events::serve(Session::open(app, seated).await?, place))
}

/// One stream of one guest. Every event has the whole match, so whoever has
/// missed some is told the newest and has lost nothing.
struct Session {
    app: App,
    seated: Seated,
    stay: Stay,
    /// The newest that was told.
    played: Arc<Match>,
    guests: Arc<Guests>,
    here: ByColor<bool>,
    pending: VecDeque<Out>,
    /// Whether something was lost: being interrupted must not lose this.
    is_behind: bool,
}

impl Session {
    /// Comes to the match first and reads it then, so that nothing falls between.
    async fn open(app: App, seated: Seated) -> Result<Session, Error> {
        let Seated { table, player, .. } = seated;
        let stay = app.rooms.join(&app.games, table, Some(player));
        let played = app.matches.read(table, Some(player)).await?;
        let guests = guests_of(&app, &played).await?;
        let here = presence::of(&app, table, &played);
        app.rooms
            .push(Item::CameToMatch(table, Arc::clone(&played)));
        let mut session = Session {
            app,
            seated,
            stay,
            played,
            guests,
            here,
            pending: VecDeque::new(),
            is_behind: false,
        };
        session.say(What::Snapshot);
        Ok(session)
    }

    fn say(&mut self, what: What) {
        let Session {
            seated,
            played,
            guests,
            here,
            ..
        } = self;
        let event = OnlineMatchEvent::of(what, played, guests, *here, seated);
        let position = Position::at(played.version());
        self.pending.push_back(Out::Text(event.text(), position));
    }

    fn hear(&mut self, news: &Told) {
        match news {
            Told::Match(news) => self.hear_of_match(news),
            Told::Removed(who) if *who == self.seated.player => {
                let end = Out::Close(1000, "you left the match");
                self.pending.push_back(end);
            }
            Told::Lost => self.is_behind = true,
            Told::Farewell => {
                let end = Out::Close(1012, "the server restarts");
                self.pending.push_back(end);
            }
            Told::Removed(_)
            | Told::Change { .. }
            | Told::Chat { .. }
            | Told::Notice(_)
            | Told::Ping => {}
        }
    }

    fn hear_of_match(&mut self, news: &MatchNews) {
        let (told, version) = (self.played.version(), news.played.version());
        let is_presence = news.here != self.here;
        if version <= told && !is_presence {
            return;
        }
        self.here = news.here;
        if version > told {
            self.played = Arc::clone(&news.played);
            self.guests = Arc::clone(&news.guests);
        }
        match news.what {
            // What is told to everybody in this seat is made once.
            What::Changed(_) if version == told + 1 => self.pass_on(news),
            What::Presence if version == told => self.pass_on(news),
            _ if version > told => self.say(What::Snapshot),
            _ => self.say(What::Presence),
        }
    }

    fn pass_on(&mut self, news: &MatchNews) {
        let position = Position::at(news.played.version());
        let text = news.text(&self.seated);
        self.pending.push_back(Out::Text(text, position));
    }

    /// Reads the match itself.
    async fn catch_up(&mut self) -> Result<(), Error> {
        let Seated { table, .. } = self.seated;
        let played = self.app.matches.read(table, None).await?;
        let guests = guests_of(&self.app, &played).await?;
        self.here = presence::of(&self.app, table, &played);
        (self.played, self.guests) = (played, guests);
        Ok(())
    }
}

impl Source for Session {
    fn app(&self) -> &App {
        &self.app
    }

    /// A guest's secret neither expires nor can it be taken back.
    fn caller(&self) -> Option<&Caller> {
        None
    }

    fn table(&self) -> Option<TableId> {
        Some(self.seated.table)
    }

    fn is_player(&self) -> bool {
        true
    }

    fn listens(&self) -> bool {
        false
    }

    async fn next(&mut self) -> Out {
        loop {
            if let Some(out) = self.pending.pop_front() {
                return out;
            }
            if self.is_behind {
                match Box::pin(self.catch_up()).await {
                    Ok(()) => self.say(What::Snapshot),
                    Err(_) => self.pending.push_back(Out::Close(1013, "try again later")),
                }
                self.is_behind = false;
                continue;
            }
            match self.stay.lane.recv(0).await {
                Ok(Heard::News(news)) => self.hear(&news),
                Ok(Heard::Begun) => return Out::Flush,
                Err(RecvError::Lagged(_)) => {
                    self.app.rooms.note_resync();
                    self.is_behind = true;
                }
                Err(RecvError::Closed) => return Out::Close(1012, "the room is closed"),
            }
        }
    }
}
