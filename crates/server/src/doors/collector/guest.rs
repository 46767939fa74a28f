//! Who is at a match. A guest's id is a secret: its bearer sees it, everyone
//! else sees a public id instead.

use std::net::IpAddr;
use std::sync::Arc;

use chess::skill::{Match, Uuid};
use chess::table::PlayerId;
use chess::{ByColor, Color, Timestamp};
use serde_json::json;
use store::TableId;

use super::error::{Error, Wrong};
use super::presence;
use crate::auth::Person;
use crate::fanout::Item;
use crate::play::App;
use crate::play::match_ids;

/// Where these guests are known.
const DOOR: &str = "collector";
/// The longest name.
const NAME_MAX: usize = 24;

/// The secret by which somebody is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GuestId(Uuid);

impl GuestId {
    pub(super) fn read(text: Option<&str>) -> Result<GuestId, Wrong> {
        let id = text.and_then(match_ids::uuid).ok_or(Wrong::MissingGuest)?;
        Ok(GuestId(id))
    }

    pub(super) fn uuid(self) -> Uuid {
        self.0
    }

    /// Who that is, if they have been here.
    pub(super) async fn find(self, app: &App) -> Result<Option<PlayerId>, Error> {
        let account = app.auth.guest(DOOR, &self.0.to_string()).await?;
        Ok(account.map(|account| account.number))
    }

    /// Who that is, from now on under this name.
    pub(super) async fn welcome(
        self,
        app: &App,
        from: IpAddr,
        name: &str,
    ) -> Result<PlayerId, Error> {
        let preferences = json!({ "displayName": name }).to_string();
        let secret = self.0.to_string();
        let welcome = app
            .auth
            .welcome_guest(&app.rates, from, DOOR, &secret, preferences);
        Ok(welcome.await?.number)
    }
}

/// A name as it may be shown.
pub(super) fn read_name(text: Option<&str>) -> Result<&str, Wrong> {
    let name = text.unwrap_or_default().trim();
    let is_name =
        (1..=NAME_MAX).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    is_name.then_some(name).ok_or(Wrong::DisplayName)
}

/// A guest as others see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guest {
    pub(super) public_id: Uuid,
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) since: Timestamp,
}

impl From<&Person> for Guest {
    fn from(person: &Person) -> Guest {
        let name = person.display_name.as_ref();
        Guest {
            public_id: Uuid(person.uuid),
            name: name.unwrap_or(&person.name).clone(),
            title: person.title.clone(),
            since: person.since,
        }
    }
}

/// Both guests of a match.
pub(crate) type Guests = ByColor<Option<Guest>>;

/// Who they are.
pub(crate) async fn guests_of(app: &App, played: &Match) -> Result<Arc<Guests>, store::Error> {
    let seats = played.seats();
    let players: Vec<PlayerId> = seats.into_iter().flatten().collect();
    let people = app.auth.people(&players).await?;
    let guest = |seat: Option<PlayerId>| Some(Guest::from(&**people.get(&seat?)?));
    Ok(Arc::new(seats.map(guest)))
}

/// A guest in their seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seated {
    pub(super) table: TableId,
    pub(super) guest: GuestId,
    pub(super) player: PlayerId,
    pub(crate) color: Color,
}

impl Seated {
    /// The guest's seat at the match, and the match. Reading it, they have been seen.
    pub(super) async fn find(
        app: &App,
        id: &str,
        guest: GuestId,
    ) -> Result<(Seated, Arc<Match>), Error> {
        let table = match_ids::table_of(id).ok_or(Wrong::MatchNotFound)?;
        let player = guest.find(app).await?;
        let was_here = player.is_some_and(|player| presence::is_here(app, table, player));
        let played = app.matches.read(table, player).await?;
        let seat = player.and_then(|player| Some((player, played.seat_of(player)?)));
        let (player, color) = seat.ok_or(Wrong::SeatOwnership)?;
        if !was_here && app.rooms.hub().is_open(table) {
            let came = Item::CameToMatch(table, Arc::clone(&played));
            app.rooms.push(came);
        }
        let seated = Seated {
            table,
            guest,
            player,
            color,
        };
        Ok((seated, played))
    }
}
