//! What subscribers are told: what happened, and not yet in anybody's words.
//!
//! A door puts news into its own words. The first of its readers has that done
//! for all who read the same.

use std::any::TypeId;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock};

use axum::extract::ws::Utf8Bytes;
use chess::game::{Event, Game, MoveReport};
use chess::skill::{Match, Uuid};
use chess::table::PlayerId;
use chess::{ByColor, Color, Millis, Timestamp};
use live::room;
use store::{RatedGame, TableId};

use super::here::{Audience, PlayerHere};
use super::line::Speech;
use crate::auth::Names;
use crate::lock::lock;

/// One piece of news on its way to everyone who listens. Cheap to clone.
#[derive(Clone, Debug)]
pub struct News(Arc<Piece>);

#[derive(Debug)]
struct Piece {
    what: What,
    /// In the words of each door that was asked; none if it could not say.
    words: Mutex<Vec<(Reader, Option<Words>)>>,
}

/// Who reads: by which door, and as which of its audiences.
type Reader = (TypeId, u8);

/// The messages that say it: a move and the end it brought about are two.
pub type Words = Arc<[Utf8Bytes]>;

/// What happened.
#[derive(Debug)]
pub enum What {
    /// A game changed, or is new.
    Changed(GameChange),
    /// The rematch of this game is offered, or begins.
    Rematch(GameChange),
    /// The clocks show this.
    Clock(Option<ByColor<Millis>>, Timestamp),
    /// A player came or went.
    Here(Color, PlayerHere, Arc<Names>),
    /// Others did.
    Audience(Audience),
    /// So many half-moves of the finished game were looked at.
    Analysis {
        /// How many.
        done: u32,
        /// Of how many.
        total: u32,
    },
    /// Somebody spoke.
    Said(Speech),
    /// A game waits for whoever comes.
    Open(OpenGame),
    /// Somebody whom the account follows has begun to play there.
    FollowedStarted(TableId, PlayerId),
    /// Something about a match of skill chess.
    Match(MatchNews),
    /// Somebody must leave.
    Removed(PlayerId),
    /// News were lost: look at the game itself.
    Lost,
    /// The same, for those who follow an account of that game: if they were not told of
    /// that version, where one is named.
    Look(TableId, Option<u32>),
    /// Time to measure the round trip to a player.
    Ping,
    /// The server is stopping.
    Farewell,
}

/// A change of a game.
#[derive(Clone, Debug)]
pub struct GameChange {
    /// Which.
    pub id: TableId,
    /// The game before; none before its creation.
    pub before: Option<Arc<Game>>,
    /// The game after.
    pub after: Arc<Game>,
    /// What happened, unless it was its creation.
    pub event: Option<Event>,
    /// The report of a move, made once for the mover's answer and all who are told.
    pub report: Arc<OnceLock<MoveReport>>,
    /// Everybody who has to do with it.
    pub names: Arc<Names>,
    /// What it did to ratings, if it ended and counts.
    pub rated: Option<RatedGame>,
}

/// A game that waits for whoever comes.
#[derive(Clone, Debug)]
pub struct OpenGame {
    /// Which.
    pub id: TableId,
    /// The game.
    pub game: Arc<Game>,
    /// Everybody who has to do with it.
    pub names: Arc<Names>,
}

/// How a match stands.
#[derive(Clone, Debug)]
pub struct MatchNews {
    /// The match.
    pub played: Arc<Match>,
    /// Whether it changed, or only who is there.
    pub is_change: bool,
    /// By which action.
    pub action: Option<Uuid>,
    /// Its guests.
    pub names: Arc<Names>,
    /// Who of them is there.
    pub here: ByColor<bool>,
}

impl News {
    /// That happened.
    pub fn of(what: What) -> News {
        let words = Mutex::default();
        News(Arc::new(Piece { what, words }))
    }

    /// What happened.
    pub fn what(&self) -> &What {
        &self.0.what
    }

    /// In the words of the door `D`, made once for all of the same audience;
    /// `None` if whoever makes them fails, which costs this piece of news and
    /// nobody's stream.
    pub fn words<D: 'static>(
        &self,
        audience: u8,
        make: impl FnOnce(&What) -> Vec<Utf8Bytes>,
    ) -> Option<Words> {
        let reader = (TypeId::of::<D>(), audience);
        let mut known = lock(&self.0.words);
        if let Some((_, words)) = known.iter().find(|(of, _)| *of == reader) {
            return words.clone();
        }
        let made = catch_unwind(AssertUnwindSafe(|| make(&self.0.what)));
        let words = made.ok().map(Words::from);
        if words.is_none() {
            tracing::error!(news = ?self.0.what, "cannot be put into words");
        }
        known.push((reader, words.clone()));
        words
    }
}

impl room::News for News {
    fn lost() -> News {
        News::of(What::Lost)
    }

    fn is_lost(&self) -> bool {
        matches!(self.what(), What::Lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain;

    #[test]
    fn words_are_made_once_for_all_of_an_audience() {
        let news = News::of(What::Ping);
        let mut made = 0;
        for audience in [0, 1, 0, 1] {
            let words = news.words::<Plain>(audience, |_| {
                made += 1;
                vec!["ping".into()]
            });
            assert_eq!(words.unwrap().len(), 1);
        }
        assert_eq!(made, 2);
    }

    #[test]
    fn who_cannot_say_it_is_not_asked_again() {
        let news = News::of(What::Ping);
        // Unlike a panic it is not printed.
        let fail = |_: &What| std::panic::resume_unwind(Box::new("no words"));
        assert!(news.words::<Plain>(0, fail).is_none());
        assert!(news.words::<Plain>(0, |_| unreachable!()).is_none());
    }
}
