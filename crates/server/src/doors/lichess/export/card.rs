//! What is written of a game besides its record: who plays, what it did to their
//! ratings, where it is.

use chess::game::Game;
use chess::pgn::Eval;
use chess::rating::Shown;
use chess::{ByColor, Color};
use serde_json::{Map, Value, json};
use store::{RatedGame, TableId};

use crate::auth::{Names, Person};
use crate::doors::lichess::caller::Base;
use crate::doors::lichess::words::source;
use crate::play::App;

/// It.
#[derive(Clone, Debug)]
pub(in crate::doors::lichess) struct Card {
    pub(in crate::doors::lichess) id: String,
    /// The game's address.
    pub(super) site: String,
    /// How the game came about.
    pub(super) source: &'static str,
    pub(in crate::doors::lichess) players: ByColor<Side>,
    /// How the position after each half-move stands, if that is known and wanted.
    pub(super) evals: Vec<Option<Eval>>,
}

/// One of the players.
#[derive(Clone, Debug, Default)]
pub(in crate::doors::lichess) struct Side {
    pub(in crate::doors::lichess) user: Option<User>,
    pub(in crate::doors::lichess) rating: Option<Shown>,
    pub(super) diff: Option<i32>,
}

/// Who that is.
#[derive(Clone, Debug)]
pub(in crate::doors::lichess) struct User {
    pub(in crate::doors::lichess) id: String,
    pub(in crate::doors::lichess) name: String,
    pub(in crate::doors::lichess) title: Option<String>,
}

impl User {
    pub(in crate::doors::lichess) fn of(person: &Person) -> User {
        User {
            id: person.id.clone(),
            name: person.name.clone(),
            title: person.title.clone(),
        }
    }

    /// `{"id", "name", "title"?}`.
    pub(in crate::doors::lichess) fn json(&self) -> Value {
        let mut user = json!({ "id": self.id, "name": self.name });
        if let Some(title) = &self.title {
            user["title"] = json!(title);
        }
        user
    }
}

impl Side {
    /// `{"user", "rating", "ratingDiff"?, "provisional"?}`.
    pub(in crate::doors::lichess) fn json(&self) -> Value {
        let mut side = Map::new();
        if let Some(user) = &self.user {
            side.insert("user".into(), user.json());
        }
        if let Some(rating) = &self.rating {
            side.insert("rating".into(), json!(rating.points));
            if rating.provisional {
                side.insert("provisional".into(), json!(true));
            }
        }
        if let Some(diff) = self.diff {
            side.insert("ratingDiff".into(), json!(diff));
        }
        side.into()
    }
}

impl Card {
    /// Of a game; `names` has its players, `rated` what it did to their ratings.
    pub(in crate::doors::lichess) fn new(
        app: &App,
        base: &Base,
        id: TableId,
        game: &Game,
        names: &Names,
        rated: Option<&RatedGame>,
    ) -> Card {
        let ratings = game.start_ratings();
        let side = |color: Color| {
            let person = game.seats().get(color).and_then(|player| names.get(player));
            Side {
                user: person.map(User::of),
                rating: *ratings.get(color),
                diff: rated.map(|rated| rated.changes.get(color).points()),
            }
        };
        Card {
            site: format!("{}/{id}", base.0),
            id: id.to_string(),
            source: source(app, game),
            players: ByColor {
                white: side(Color::White),
                black: side(Color::Black),
            },
            evals: Vec::new(),
        }
    }

    /// `{"white", "black"}`.
    pub(in crate::doors::lichess) fn json(&self) -> Value {
        json!({ "white": self.players.white.json(), "black": self.players.black.json() })
    }
}
