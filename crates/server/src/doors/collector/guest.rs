//! Who is at a match. A guest's id is a secret: its bearer sees it, everyone
//! else sees a public id instead.

use std::net::IpAddr;
use std::sync::Arc;

use chess::skill::{Match, Uuid};
use chess::table::PlayerId;
use chess::tables::AnyTable;
use chess::{ByColor, Color, Timestamp};
use store::TableId;

use super::error::{Error, Wrong};
use crate::auth::{Names, Person};
use crate::play::{App, match_ids, match_presence as presence, matches};
use crate::rooms::bus::Happened;

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

    /// The guest, as they come with a name.
    pub(super) fn named(self, from: IpAddr, name: &str) -> matches::Guest<'_> {
        matches::Guest {
            door: DOOR,
            secret: self.0.to_string(),
            name,
            from,
        }
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
    let names = Names::of(app, played.seats().into_iter().flatten()).await?;
    Ok(Arc::new(guests_among(&names, played)))
}

/// The same, of people who are known.
pub(super) fn guests_among(names: &Names, played: &Match) -> Guests {
    let guest = |seat: Option<PlayerId>| Some(Guest::from(names.get(seat?)?));
    played.seats().map(guest)
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
        if !was_here && app.rooms.all().is_open(table) {
            let found = AnyTable::Skill(Arc::clone(&played));
            app.rooms.publish(table, Happened::Came(found));
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
