//! Which games of a player are wanted.

use chess::game::Game;
use chess::rating::Category;
use chess::table::PlayerId;
use chess::{Color, Timestamp};
use store::{Cursor, TableId};

use super::is_game;
use crate::doors::lichess::body::Fields;
use crate::doors::lichess::error::Error;
use crate::doors::lichess::vocab;
use crate::play::App;
use crate::play::names::find;

/// They.
pub(super) struct Filter {
    /// Whose games.
    pub(super) name: String,
    player: PlayerId,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    /// At most so many.
    pub(super) max: u64,
    versus: Option<PlayerId>,
    rated: Option<bool>,
    /// Only those that count for one of these; none: all.
    perfs: Vec<Category>,
    color: Option<Color>,
    /// Whether a computer has looked at them.
    pub(super) analysed: Option<bool>,
    pub(super) ongoing: bool,
    pub(super) finished: bool,
    pub(super) oldest_first: bool,
}

impl Filter {
    /// What a query asks for.
    ///
    /// # Errors
    /// 404 if nobody has one of the names; 400 for what cannot be read.
    pub(super) async fn read(app: &App, name: String, asked: &Fields) -> Result<Filter, Error> {
        let whose = |name: &str| {
            let names = [name.to_owned()];
            async move { find(app, "name", &names).await }
        };
        let player = whose(&name).await?.pop();
        let player = player.ok_or_else(|| Error::not_found("No such player"))?;
        let versus = match asked.text("vs") {
            Some(name) => whose(name).await?.pop(),
            None => None,
        };
        let moment = |field| Ok::<_, Error>(asked.number(field)?.map(Timestamp));
        let told = |field| asked.text(field).map(|_| asked.flag(field));
        let perfs = asked.list("perfType").into_iter();
        Ok(Filter {
            name,
            player: player.number,
            since: moment("since")?,
            until: moment("until")?,
            max: asked.number("max")?.unwrap_or(u64::MAX),
            versus: versus.map(|person| person.number),
            rated: told("rated"),
            perfs: perfs.map(category).collect::<Result<_, _>>()?,
            color: asked.text("color").map(color).transpose()?,
            analysed: told("analysed"),
            ongoing: asked.flag("ongoing"),
            finished: asked.flag_or("finished", true),
            oldest_first: asked.text("sort") == Some("dateAsc"),
        })
    }

    /// Where to begin, so that nothing is looked at for nothing.
    pub(super) fn begin(&self) -> Option<Cursor> {
        match self.oldest_first {
            false => self.until.map(|until| Cursor {
                created_at: Timestamp(until.0.saturating_add(1)),
                table: TableId::from_random(0),
            }),
            true => self.since.map(|since| Cursor {
                created_at: Timestamp(since.0.saturating_sub(1)),
                table: TableId::from_random(u64::MAX),
            }),
        }
    }

    /// Whether nothing wanted comes after a game.
    pub(super) fn ends_before(&self, game: &Game) -> bool {
        let at = game.created_at();
        match self.oldest_first {
            false => self.since.is_some_and(|since| at < since),
            true => self.until.is_some_and(|until| at > until),
        }
    }

    /// Whether a game is wanted, as far as it says so itself.
    pub(super) fn takes(&self, game: &Game) -> bool {
        let at = game.created_at();
        let seat = game.seat_of(self.player);
        let is_over = game.ending().is_some();
        let opponent = seat.and_then(|color| *game.seats().get(!color));
        is_game(game)
            && seat.is_some()
            && self.since.is_none_or(|since| at >= since)
            && self.until.is_none_or(|until| at <= until)
            && self.versus.is_none_or(|versus| opponent == Some(versus))
            && self.rated.is_none_or(|rated| rated == game.terms().rated)
            && (self.perfs.is_empty() || self.perfs.contains(&vocab::category(game)))
            && self.color.is_none_or(|color| seat == Some(color))
            && if is_over { self.finished } else { self.ongoing }
    }
}

fn category(key: &str) -> Result<Category, Error> {
    let mut all = Category::ALL.into_iter();
    all.find(|category| vocab::perf(*category) == key)
        .ok_or_else(|| Error::form("perfType", "Invalid value"))
}

fn color(name: &str) -> Result<Color, Error> {
    let mut all = Color::ALL.into_iter();
    all.find(|color| vocab::color(*color) == name)
        .ok_or_else(|| Error::form("color", "Invalid value"))
}
