//! The people of a game, as stanzas name them.

use std::collections::HashMap;

use chess::Color;
use chess::game::Game;
use chess::table::{PlayerId, Table};
use store::TableId;

use crate::auth::Names;
use crate::doors::xmpp::element::Element;
use crate::doors::xmpp::{Door, GAME, identity};
use crate::play::names::people;
use crate::problem::Problem;

/// A player, as stanzas name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// Their bare JID.
    pub(super) jid: String,
    /// What their account is called.
    pub(super) name: String,
    /// `GM`, `BOT`, ...
    pub(super) title: Option<String>,
}

/// Which game it is, and who plays it.
#[derive(Clone, Debug)]
pub(super) struct Cast {
    /// The game's number in decimal.
    pub(super) number: String,
    /// Its room.
    pub(super) room: String,
    people: HashMap<PlayerId, Known>,
}

impl Cast {
    /// Nobody is known yet.
    pub(super) fn unknown(id: TableId, room: String) -> Cast {
        Cast {
            number: id.number().to_string(),
            room,
            people: HashMap::new(),
        }
    }

    /// Those of a game.
    ///
    /// # Errors
    /// The store cannot say who they are.
    pub(super) async fn of(door: &Door, id: TableId, game: &Game) -> Result<Cast, Problem> {
        let mut cast = Cast::unknown(id, door.room(id));
        let names = Names::of(&door.app, people(game)).await?;
        for player in game.players().into_iter().flatten() {
            let Some(person) = names.get(player) else {
                continue;
            };
            let known = Known {
                jid: identity::jid_of(door, player).await?.to_string(),
                name: person.name.clone(),
                title: person.title.clone(),
            };
            cast.people.insert(player, known);
        }
        Ok(cast)
    }

    /// Whether it knows everybody who plays.
    pub(super) fn knows(&self, game: &Game) -> bool {
        let mut players = game.players().into_iter().flatten();
        players.all(|player| self.people.contains_key(&player))
    }

    /// One of them.
    pub(super) fn get(&self, player: PlayerId) -> Option<&Known> {
        self.people.get(&player)
    }

    /// Whoever has that side.
    pub(super) fn side(&self, game: &Game, color: Color) -> Option<&Known> {
        game.seats().get(color).and_then(|player| self.get(player))
    }

    /// What whoever has that side is called.
    pub(super) fn name(&self, game: &Game, color: Color) -> String {
        let known = self.side(game, color).map(|known| known.name.clone());
        known.unwrap_or_else(|| side_name(color).to_owned())
    }

    /// `<game white= black= id=/>`.
    pub(super) fn game(&self, game: &Game) -> Element {
        let jid = |color| self.side(game, color).map(|known| known.jid.as_str());
        Element::new("game", GAME)
            .with_some("white", jid(Color::White))
            .with_some("black", jid(Color::Black))
            .with("id", self.number.as_str())
    }

    /// An element about whoever has that side.
    pub(super) fn by(&self, name: &str, game: &Game, color: Color) -> Element {
        let player = self.side(game, color);
        Element::new(name, GAME)
            .with_some("player", player.map(|player| player.jid.as_str()))
            .with("side", side_name(color))
    }

    /// What the room is about: who plays whom.
    pub(super) fn subject(&self, game: &Game) -> String {
        let name = |color| {
            self.side(game, color)
                .map_or("?", |known| known.name.as_str())
        };
        format!("{} - {}", name(Color::White), name(Color::Black))
    }

    /// Somebody other than that account is called so, who plays.
    pub(super) fn is_named(&self, folded: &str, other_than: PlayerId) -> bool {
        let mut others = self.people.iter().filter(|(who, _)| **who != other_than);
        others.any(|(_, known)| known.name.to_lowercase() == folded)
    }
}

#[cfg(test)]
impl Cast {
    /// The two of the first game that was ever told like this.
    pub(super) fn example() -> Cast {
        let known = |name: &str, title: Option<&str>| Known {
            jid: format!("{name}@chesspark.com"),
            name: name.to_owned(),
            title: title.map(str::to_owned),
        };
        let player = |number| PlayerId::new(number).expect("not zero");
        Cast {
            number: "1234".into(),
            room: "1234@games.chesspark.com".into(),
            people: HashMap::from([
                (player(1), known("metajack", None)),
                (player(2), known("trainer", Some("IM"))),
            ]),
        }
    }
}

/// A side on the wire.
pub(super) fn side_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// A side at the beginning of a sentence.
pub(super) fn side_title(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}
