//! A guest's stream of their match, as WebSocket and as server-sent events.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use chess::ByColor;
use chess::skill::Match;
use chess::tables::AnyTable;
use store::TableId;
use tokio::sync::broadcast::error::RecvError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::{Error, ErrorView};
use super::event::{OnlineMatchEvent, What};
use super::guest::{Guests, Seated, guests_among, guests_of};
use super::play::{AsGuest, Asking};
use crate::auth::Caller;
use crate::http::ClientAddress;
use crate::play::App;
use crate::play::match_presence as presence;
use crate::problem::Problem;
use crate::rooms::bus::Happened;
use crate::rooms::crowd::Got;
use crate::rooms::news::MatchNews;
use crate::rooms::{self, News, Visit};
use crate::stream::socket::Upgrade;
use crate::stream::{Out, Position, Source, events};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(live))
        .routes(routes!(follow))
}

/// Follow a match
///
/// A WebSocket for its guests: `snapshot` first, then `actionAccepted`,
/// `presenceChanged` and `finished` in the order of the revisions.
#[utoipa::path(
    get,
    path = "/v1/matches/{matchID}/live",
    params(("matchID" = String, Path, description = "The match's UUID"), AsGuest),
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
    let place = app.rooms.place(Some(seated.player), address.0)?;
    Ok(upgrade.serve(Subscriber::open(app, seated).await?, place))
}

/// Follow a match without WebSocket
///
/// The same events as server-sent events.
#[utoipa::path(
    get,
    path = "/v1/matches/{matchID}/events",
    params(("matchID" = String, Path, description = "The match's UUID"), AsGuest),
    responses(
        (status = 200, description = "Events without end", content_type = "text/event-stream", body = String),
        (status = 400, description = "`missingGuestId`", body = ErrorView),
        (status = 403, description = "`seatOwnership`", body = ErrorView),
        (status = 404, description = "`matchNotFound`", body = ErrorView),
        (status = 429, description = "`tooManyStreams`", body = ErrorView),
    ),
)]
async fn follow(
    State(app): State<App>,
    address: ClientAddress,
    Asking { id, guest }: Asking,
) -> Result<Response, Error> {
    let (seated, _) = Seated::find(&app, &id, guest).await?;
    let place = app.rooms.place(Some(seated.player), address.0)?;
    Ok(events::serve(Subscriber::open(app, seated).await?, place))
}

/// This door, as news know it.
struct Collector;

/// One stream of one guest. Every event has the whole match, so whoever has
/// missed some is told the newest and has lost nothing.
struct Subscriber {
    app: App,
    seated: Seated,
    visit: Visit,
    /// The newest that was told.
    played: Arc<Match>,
    guests: Arc<Guests>,
    here: ByColor<bool>,
    pending: VecDeque<Out>,
    /// Whether something was lost: being interrupted must not lose this.
    is_behind: bool,
}

impl Subscriber {
    /// Comes to the match first and reads it then, so that nothing falls between.
    async fn open(app: App, seated: Seated) -> Result<Subscriber, Error> {
        let Seated { table, player, .. } = seated;
        let visit = app
            .rooms
            .enter(&app.games, table, Some(player), Some(player));
        let played = app.matches.read(table, Some(player)).await?;
        let guests = guests_of(&app, &played).await?;
        let here = presence::of(&app, table, &played);
        let found = AnyTable::Skill(Arc::clone(&played));
        app.rooms.publish(table, Happened::Came(found));
        let mut subscriber = Subscriber {
            app,
            seated,
            visit,
            played,
            guests,
            here,
            pending: VecDeque::new(),
            is_behind: false,
        };
        subscriber.say(What::Snapshot);
        Ok(subscriber)
    }

    fn say(&mut self, what: What) {
        let Subscriber {
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

    fn take(&mut self, news: &News) {
        match news.what() {
            rooms::What::Match(told) => self.take_match(told, news),
            rooms::What::Lost => self.is_behind = true,
            rooms::What::Farewell => self.pending.push_back(Out::BYE),
            _ => {}
        }
    }

    fn take_match(&mut self, told: &MatchNews, news: &News) {
        let (known, version) = (self.played.version(), told.played.version());
        let is_presence = told.here != self.here;
        if version <= known && !is_presence {
            return;
        }
        self.here = told.here;
        if version > known {
            self.played = Arc::clone(&told.played);
            self.guests = Arc::new(guests_among(&told.names, &told.played));
        }
        let what = match told.is_change {
            // What is told to everybody in this seat is made once.
            true if version == known + 1 => return self.pass_on(news),
            false if version == known => return self.pass_on(news),
            _ if version > known => What::Snapshot,
            _ => What::Presence,
        };
        self.say(what);
    }

    /// A guest's own id is part of what they are told and known to their
    /// streams alone: the first of them makes the message for all.
    fn pass_on(&mut self, news: &News) {
        let Subscriber { seated, guests, .. } = self;
        let words = news.words::<Collector>(seated.color as u8, |what| match what {
            rooms::What::Match(told) => {
                let what = match told.is_change {
                    true => What::Changed(told.action),
                    false => What::Presence,
                };
                let event = OnlineMatchEvent::of(what, &told.played, guests, told.here, seated);
                vec![event.text()]
            }
            _ => Vec::new(),
        });
        let Some(words) = words else {
            self.is_behind = true;
            return;
        };
        let position = Position::at(self.played.version());
        let texts = words.iter().cloned();
        self.pending
            .extend(texts.map(|text| Out::Text(text, position)));
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

impl Source for Subscriber {
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

    async fn next(&mut self) -> Out {
        loop {
            if let Some(out) = self.pending.pop_front() {
                return out;
            }
            if self.is_behind {
                match Box::pin(self.catch_up()).await {
                    Ok(()) => self.say(What::Snapshot),
                    Err(_) => self.pending.push_back(Out::close(1013, "try again later")),
                }
                self.is_behind = false;
                continue;
            }
            match self.visit.recv(0).await {
                Ok(Got::News(news)) => self.take(&news),
                Ok(Got::Begun) => return Out::Flush,
                Ok(Got::Removed) => return Out::close(1000, "you left the match"),
                Err(RecvError::Lagged(_)) => {
                    self.app.rooms.note_resync();
                    self.is_behind = true;
                }
                Err(RecvError::Closed) => return Out::close(1012, "the room is closed"),
            }
        }
    }
}
