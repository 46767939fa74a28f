//! The words and units of this door.
//!
//! Milliseconds in streams of games, seconds in challenges and exports, centiseconds in
//! lists of clocks, minutes in seeks, days in correspondence.

use chess::clock::{Speed, TimeControl};
use chess::game::{AbortReason, DeclineReason, DrawReason, Ending, Game, WinReason};
use chess::rating::Category;
use chess::rules::{Start, Variant};
use chess::{Color, Millis};
use serde_json::{Value, json};

/// What is sent for a clock that there is not: the most that fits 32 bits.
pub(super) const NO_CLOCK_MS: u64 = 2_147_483_647;

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Status {
    /// Its number.
    pub(super) id: u8,
    /// Its name.
    pub(super) name: &'static str,
}

impl Status {
    /// The game runs. What waits is no game to clients, so nothing else is said of it.
    pub(super) const STARTED: Status = Status {
        id: 20,
        name: "started",
    };

    const fn new(id: u8, name: &'static str) -> Status {
        Status { id, name }
    }

    /// Of a game.
    pub(super) fn of(game: &Game) -> Status {
        game.ending().map_or(Status::STARTED, Status::of_ending)
    }

    /// Of an end.
    pub(super) fn of_ending(ending: Ending) -> Status {
        match ending {
            Ending::Won { by, .. } => match by {
                WinReason::Checkmate => Status::new(30, "mate"),
                WinReason::Resignation => Status::new(31, "resign"),
                WinReason::Timeout => Status::new(35, "outoftime"),
                WinReason::Abandoned => Status::new(33, "timeout"),
                WinReason::VariantEnd => Status::new(60, "variantEnd"),
                WinReason::IllegalMoves => Status::new(36, "cheat"),
                WinReason::Adjudicated => Status::new(38, "unknownFinish"),
            },
            Ending::Drawn { by } => match by {
                DrawReason::Stalemate => Status::new(32, "stalemate"),
                DrawReason::TimeoutVsInsufficientMaterial => Status::new(35, "outoftime"),
                DrawReason::Abandoned => Status::new(33, "timeout"),
                DrawReason::VariantEnd => Status::new(60, "variantEnd"),
                DrawReason::Agreed
                | DrawReason::Threefold
                | DrawReason::Fivefold
                | DrawReason::FiftyMoves
                | DrawReason::SeventyFiveMoves
                | DrawReason::InsufficientMaterial
                | DrawReason::Adjudicated => Status::new(34, "draw"),
            },
            Ending::Aborted { by } => match by {
                AbortReason::NoFirstMove
                | AbortReason::Player
                | AbortReason::Cancelled
                | AbortReason::Declined(_)
                | AbortReason::Expired
                | AbortReason::Adjourned
                | AbortReason::Operator => Status::new(25, "aborted"),
            },
        }
    }

    /// `{"id", "name"}`, as events have it.
    pub(super) fn json(self) -> Value {
        json!({ "id": self.id, "name": self.name })
    }

    /// What a PGN says of how it ended.
    pub(super) fn termination(self) -> &'static str {
        match self.name {
            "mate" | "resign" | "draw" | "stalemate" | "variantEnd" => "Normal",
            "outoftime" | "timeout" => "Time forfeit",
            "aborted" | "noStart" => "Abandoned",
            "started" | "created" => "Unterminated",
            "cheat" => "Rules infraction",
            _ => "Unknown",
        }
    }
}

/// A colour.
pub(super) const fn color(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A variant as this door names it: chess from a position of its own is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// One of the variants.
    Of(Variant),
    /// Standard chess from another position.
    FromPosition,
}

impl Rules {
    /// Of a game.
    pub(super) fn of(game: &Game) -> Rules {
        let creation = game.creation();
        Rules::new(creation.terms.variant, &creation.start)
    }

    /// Of a game that begins there.
    pub(super) fn new(variant: Variant, start: &Start) -> Rules {
        match (variant, start) {
            (Variant::Standard, Start::Fen(_)) => Rules::FromPosition,
            (variant, _) => Rules::Of(variant),
        }
    }

    /// Its key.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Rules::FromPosition => "fromPosition",
            Rules::Of(variant) => match variant {
                Variant::Standard => "standard",
                Variant::Chess960 => "chess960",
                Variant::Crazyhouse => "crazyhouse",
                Variant::Antichess => "antichess",
                Variant::Atomic => "atomic",
                Variant::Horde => "horde",
                Variant::KingOfTheHill => "kingOfTheHill",
                Variant::RacingKings => "racingKings",
                Variant::ThreeCheck => "threeCheck",
            },
        }
    }

    /// The variant of that key.
    pub(super) fn from_key(key: &str) -> Option<Rules> {
        let all = Variant::ALL.into_iter().map(Rules::Of);
        let mut all = all.chain([Rules::FromPosition]);
        all.find(|rules| rules.key().eq_ignore_ascii_case(key))
    }

    /// Its name: python-chess finds its rules by it, so the spelling counts.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Rules::FromPosition => "From Position",
            Rules::Of(variant) => variant.title(),
        }
    }

    /// Its short name.
    pub(super) const fn short(self) -> &'static str {
        match self {
            Rules::FromPosition => "FEN",
            Rules::Of(variant) => match variant {
                Variant::Standard => "Std",
                Variant::Chess960 => "960",
                Variant::Crazyhouse => "Crazy",
                Variant::Antichess => "Anti",
                Variant::Atomic => "Atom",
                Variant::Horde => "Horde",
                Variant::KingOfTheHill => "KotH",
                Variant::RacingKings => "Racing",
                Variant::ThreeCheck => "3check",
            },
        }
    }

    /// `{"key", "name", "short"}`.
    pub(super) fn json(self) -> Value {
        json!({ "key": self.key(), "name": self.name(), "short": self.short() })
    }

    /// The rules it is played by.
    pub(super) const fn variant(self) -> Variant {
        match self {
            Rules::FromPosition => Variant::Standard,
            Rules::Of(variant) => variant,
        }
    }

    /// Whether castling is written as king takes rook: everywhere but in standard
    /// chess from its own position.
    pub(super) fn king_takes_rook(self) -> bool {
        self != Rules::Of(Variant::Standard)
    }
}

/// A speed.
pub(super) const fn speed(speed: Speed) -> &'static str {
    match speed {
        Speed::UltraBullet => "ultraBullet",
        Speed::Bullet => "bullet",
        Speed::Blitz => "blitz",
        Speed::Rapid => "rapid",
        Speed::Classical => "classical",
        Speed::Correspondence => "correspondence",
    }
}

/// What a rating is for: its key.
pub(super) const fn perf(category: Category) -> &'static str {
    match category {
        Category::UltraBullet => speed(Speed::UltraBullet),
        Category::Bullet => speed(Speed::Bullet),
        Category::Blitz => speed(Speed::Blitz),
        Category::Rapid => speed(Speed::Rapid),
        Category::Classical => speed(Speed::Classical),
        Category::Correspondence => speed(Speed::Correspondence),
        Category::Chess960 => Rules::Of(Variant::Chess960).key(),
        Category::Crazyhouse => Rules::Of(Variant::Crazyhouse).key(),
        Category::Antichess => Rules::Of(Variant::Antichess).key(),
        Category::Atomic => Rules::Of(Variant::Atomic).key(),
        Category::Horde => Rules::Of(Variant::Horde).key(),
        Category::KingOfTheHill => Rules::Of(Variant::KingOfTheHill).key(),
        Category::RacingKings => Rules::Of(Variant::RacingKings).key(),
        Category::ThreeCheck => Rules::Of(Variant::ThreeCheck).key(),
    }
}

/// What a rating is for: its name. Without case and spaces it is the key, by which
/// clients filter.
pub(super) const fn perf_name(category: Category) -> &'static str {
    match category {
        Category::UltraBullet => "UltraBullet",
        Category::Bullet => "Bullet",
        Category::Blitz => "Blitz",
        Category::Rapid => "Rapid",
        Category::Classical => "Classical",
        Category::Correspondence => "Correspondence",
        Category::Chess960 => "Chess960",
        Category::Crazyhouse => "Crazyhouse",
        Category::Antichess => "Antichess",
        Category::Atomic => "Atomic",
        Category::Horde => "Horde",
        Category::KingOfTheHill => "King of the Hill",
        Category::RacingKings => "Racing Kings",
        Category::ThreeCheck => "Three-check",
    }
}

/// What a game counts for, whether it is rated or not.
pub(super) fn category(game: &Game) -> Category {
    Category::of(game.terms())
}

/// What a clock starts with and what a move adds, in milliseconds; none by days or
/// without a clock. A delay is said as an increment, which is how it is felt.
pub(super) fn clock(control: &TimeControl) -> Option<(Millis, Millis)> {
    match control {
        TimeControl::Unlimited | TimeControl::Correspondence { .. } => None,
        TimeControl::Fischer { initial, increment } => Some((*initial, *increment)),
        TimeControl::Delay { initial, delay, .. } => Some((*initial, *delay)),
        TimeControl::Stages(stages) => {
            let first = stages.first()?;
            Some((first.initial, first.increment))
        }
    }
}

/// Days for a move, in games by days.
pub(super) fn days(control: &TimeControl) -> Option<u8> {
    match control {
        TimeControl::Correspondence { days } => Some(*days),
        _ => None,
    }
}

/// `5+2`: minutes and seconds, as people say it.
pub(super) fn shown(initial: Millis, increment: Millis) -> String {
    let minutes = match initial.as_secs() {
        15 => "¼".to_owned(),
        30 => "½".to_owned(),
        45 => "¾".to_owned(),
        90 => "1.5".to_owned(),
        seconds if seconds % 60 == 0 => (seconds / 60).to_string(),
        seconds => format!("{:.2}", f64::from(seconds) / 60.0),
    };
    format!("{minutes}+{}", increment.as_secs())
}

/// Why somebody does not play: key and sentence, of which clients expect both.
pub(super) const fn declined(why: DeclineReason) -> (&'static str, &'static str) {
    match why {
        DeclineReason::Generic => ("generic", "I'm not accepting challenges at the moment."),
        DeclineReason::Later => (
            "later",
            "This is not the right time for me, please ask again later.",
        ),
        DeclineReason::TooFast => (
            "toofast",
            "This time control is too fast for me, please challenge again with a slower game.",
        ),
        DeclineReason::TooSlow => (
            "tooslow",
            "This time control is too slow for me, please challenge again with a faster game.",
        ),
        DeclineReason::TimeControl => (
            "timecontrol",
            "I'm not accepting challenges with this time control.",
        ),
        DeclineReason::Rated => ("rated", "Please send me a rated challenge instead."),
        DeclineReason::Casual => ("casual", "Please send me a casual challenge instead."),
        DeclineReason::Standard => (
            "standard",
            "I'm not accepting variant challenges right now.",
        ),
        DeclineReason::Variant => ("variant", "I'm not willing to play this variant right now."),
        DeclineReason::NoBot => ("nobot", "I'm not accepting challenges from bots."),
        DeclineReason::OnlyBot => ("onlybot", "I'm only accepting challenges from bots."),
    }
}

/// The reason that is meant, in whatever case; an unknown one is none in particular.
pub(super) fn decline_reason(text: Option<&str>) -> DeclineReason {
    let text = text.unwrap_or_default();
    let mut all = DeclineReason::ALL.into_iter();
    all.find(|why| why.name().eq_ignore_ascii_case(text))
        .unwrap_or(DeclineReason::Generic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s3_every_end_has_a_status_of_theirs() {
        for ending in Ending::all() {
            let status = Status::of_ending(ending);
            assert!((25..=60).contains(&status.id), "{ending:?}");
            assert_ne!(status.termination(), "Unterminated", "{ending:?}");
        }
    }

    #[test]
    fn s3_variants_are_spelled_as_python_chess_reads_them() {
        for (key, name) in [
            ("standard", "Standard"),
            ("chess960", "Chess960"),
            ("kingOfTheHill", "King of the Hill"),
            ("racingKings", "Racing Kings"),
            ("threeCheck", "Three-check"),
            ("fromPosition", "From Position"),
        ] {
            assert_eq!(Rules::from_key(key).unwrap().name(), name);
        }
        assert_eq!(Rules::from_key("shogi"), None);
    }

    #[test]
    fn s5_reasons_come_in_any_case_and_go_in_lower_case() {
        for (sent, key) in [
            ("tooFast", "toofast"),
            ("NOBOT", "nobot"),
            ("what", "generic"),
        ] {
            assert_eq!(declined(decline_reason(Some(sent))).0, key);
        }
        assert_eq!(declined(decline_reason(None)).0, "generic");
    }

    #[test]
    fn s6_a_clock_is_shown_in_minutes() {
        let secs = Millis::from_secs;
        for (initial, increment, text) in [(300, 2, "5+2"), (15, 0, "¼+0"), (90, 1, "1.5+1")] {
            assert_eq!(shown(secs(initial), secs(increment)), text);
        }
    }
}
