//! The game that a client asks for, out of the fields it sends.

use chess::clock::{ClockStart, TimeControl};
use chess::game::{ColorChoice, Terms};
use chess::rules::{Board, Start, Variant};
use chess::{Color, Millis};
use rand::RngExt;

use super::body::Fields;
use super::error::Error;
use super::vocab::Rules;
use crate::play::terms::{NewGame, Players};

/// The game that is asked for, with whom it is to be played.
pub(super) fn new_game(fields: &Fields, opponent: Option<String>) -> Result<NewGame, Error> {
    let rules = rules(fields)?;
    let rated = fields.flag("rated");
    let start = start(fields, rules)?;
    let color = match (color(fields)?, &opponent) {
        // Whoever comes to a game for anybody may say which side they take.
        (ColorChoice::Tossed(_), None) => ColorChoice::Random,
        (color, _) => color,
    };
    Ok(NewGame {
        players: Players::Own { color, opponent },
        start,
        terms: Terms {
            variant: rules.variant(),
            clock_start: ClockStart::SecondPly,
            rated,
            takebacks: !rated,
            ..Terms::casual(control(fields)?)
        },
        invited: Vec::new(),
    })
}

fn rules(fields: &Fields) -> Result<Rules, Error> {
    let key = fields.text("variant").unwrap_or("standard");
    Rules::from_key(key).ok_or_else(|| Error::form("variant", "Invalid variant"))
}

/// What the two are asked to refrain from. Clients are told again what they asked for;
/// nobody here is held to it.
pub(super) fn house_rules(fields: &Fields) -> Vec<&str> {
    let known = [
        "noAbort",
        "noRematch",
        "noGiveTime",
        "noClaimWin",
        "noEarlyDraw",
    ];
    let asked = fields.list("rules").into_iter();
    asked.filter(|rule| known.contains(rule)).collect()
}

/// Seconds, or days for a move, or no clock at all.
fn control(fields: &Fields) -> Result<TimeControl, Error> {
    let limit: Option<u32> = fields.number("clock.limit")?;
    let increment: Option<u32> = fields.number("clock.increment")?;
    if limit.is_some() || increment.is_some() {
        let bounded = |seconds: Option<u32>| Millis::from_secs(seconds.unwrap_or(0).min(86_400));
        return Ok(TimeControl::Fischer {
            initial: bounded(limit),
            increment: bounded(increment),
        });
    }
    Ok(match fields.number("days")? {
        Some(days) => TimeControl::Correspondence { days },
        None => TimeControl::Unlimited,
    })
}

/// Chance is tossed at once: both are told which side it will be before they agree.
fn color(fields: &Fields) -> Result<ColorChoice, Error> {
    let tossed = || match rand::rng().random() {
        true => Color::White,
        false => Color::Black,
    };
    Ok(match side(fields)? {
        Some(Color::White) => ColorChoice::White,
        Some(Color::Black) => ColorChoice::Black,
        None => ColorChoice::Tossed(tossed()),
    })
}

/// The side that somebody wants, if not whichever it will be.
pub(super) fn side(fields: &Fields) -> Result<Option<Color>, Error> {
    match fields.text("color") {
        Some("white") => Ok(Some(Color::White)),
        Some("black") => Ok(Some(Color::Black)),
        None | Some("random") => Ok(None),
        Some(_) => Err(Error::form("color", "Invalid color")),
    }
}

/// A position to begin from, unless it is the usual one.
fn start(fields: &Fields, rules: Rules) -> Result<Option<Start>, Error> {
    let Some(fen) = fields.text("fen") else {
        return Ok(None);
    };
    let variant = rules.variant();
    if !matches!(variant, Variant::Standard | Variant::Chess960) {
        return Err(Error::form(
            "fen",
            "This variant begins from its own position",
        ));
    }
    let board = Board::from_fen(variant, fen);
    let board = board.map_err(|why| Error::form("fen", &why.to_string()))?;
    let usual = Board::start(Variant::Standard, &Start::Usual);
    let is_usual =
        variant == Variant::Standard && usual.is_ok_and(|usual| usual.fen() == board.fen());
    Ok((!is_usual).then(|| Start::Fen(fen.into())))
}
