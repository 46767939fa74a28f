//! Who asks, and by which of the two APIs of players.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use chess::Timestamp;
use store::TableId;

use super::error::Error;
use crate::auth::{Caller, Person, Scope};
use crate::http::address::base_url;
use crate::limits::rates::Rate;
use crate::play::{App, Asked};

/// The title by which a bot is known.
pub(super) const BOT: &str = "BOT";

/// Somebody with a good token.
pub(super) struct Player(pub(super) Caller);

impl FromRequestParts<App> for Player {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Player, Error> {
        let caller = <Caller as FromRequestParts<App>>::from_request_parts(parts, app);
        Ok(Player(caller.await?))
    }
}

impl Player {
    /// Insists on one of the scopes.
    pub(super) fn with(self, scopes: &[Scope]) -> Result<Caller, Error> {
        self.0.require_any(scopes)?;
        Ok(self.0)
    }
}

/// Where this server is, for the addresses it tells.
pub(super) struct Base(pub(super) String);

impl FromRequestParts<App> for Base {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Base, Error> {
        Ok(Base(
            base_url(&app.settings, &parts.headers).unwrap_or_default(),
        ))
    }
}

/// One of the two players of a game that the path names, asking by the API that is for
/// them: a bot by `/api/bot`, anybody else by `/api/board`.
pub(super) struct Seat {
    pub(super) app: App,
    pub(super) caller: Caller,
    pub(super) game: TableId,
    received: Timestamp,
}

impl FromRequestParts<App> for Seat {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Seat, Error> {
        // Noted before anything else takes time: a clock may be running.
        let received = app.now();
        let Player(caller) = Player::from_request_parts(parts, app).await?;
        if parts.uri.path().starts_with("/api/bot/") {
            caller.require(Scope::BotPlay)?;
            if !is_bot(&caller.person) {
                let why = "This endpoint can only be used with a Bot account: upgrade it first";
                return Err(Error::refused(why));
            }
        } else {
            caller.require(Scope::BoardPlay)?;
            if is_bot(&caller.person) {
                let why = "This endpoint cannot be used by bots: see /api/bot";
                return Err(Error::forbidden(why));
            }
        }
        let params = RawPathParams::from_request_parts(parts, app).await;
        let params = params.map_err(|_| Error::not_found("No such game"))?;
        let mut ids = params.iter().filter(|(name, _)| *name == "id");
        let game = game_id(ids.next().map_or("", |(_, id)| id))?;
        Ok(Seat {
            app: app.clone(),
            caller,
            game,
            received,
        })
    }
}

impl Seat {
    /// What they ask for, in every door's words. Whoever asks too often is held up, and
    /// not refused: one refusal of a move costs these clients the game.
    pub(super) async fn asked(&self, rate: Rate) -> Asked<'_> {
        pause(&self.app, &self.caller, rate).await;
        Asked {
            received: self.received,
            is_limited: false,
            ..Asked::new(&self.app, &self.caller)
        }
    }
}

/// How long somebody is held up who asks too often.
const HELD_UP: std::time::Duration = std::time::Duration::from_millis(250);

async fn pause(app: &App, caller: &Caller, rate: Rate) {
    if app.rates.check(rate, caller.number()).is_err() {
        tokio::time::sleep(HELD_UP).await;
    }
}

/// Whether it is a bot's account.
pub(super) fn is_bot(person: &Person) -> bool {
    person.title.as_deref() == Some(BOT)
}

/// The game that a client names, by its id or by a player's longer one.
pub(super) fn game_id(text: &str) -> Result<TableId, Error> {
    let short = match text.len() {
        12 => text.get(..8).unwrap_or_default(),
        _ => text,
    };
    short.parse().map_err(|_| Error::not_found("No such game"))
}
