//! What the tags say about the rules and the start of a game.

use super::Why;
use crate::rules::{BadFen, Board, Start, Variant, chess960_fen};

/// The first tag of that name, in whatever case it is written.
pub(super) fn find<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter()
        .find(|(tag, _)| tag.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
}

/// [`find`], but an unknown value is no value.
pub(super) fn known<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let value = find(tags, name)?.trim();
    (!matches!(value, "" | "?" | "-")).then_some(value)
}

/// Sets up the board as the tags tell.
pub(super) fn set_up(tags: &[(String, String)]) -> Result<(Variant, Start, Board), Why> {
    let variant = match known(tags, "Variant") {
        None => Variant::Standard,
        Some(name) => variant_named(name)
            .ok_or_else(|| Why::UnknownVariant(name.chars().take(40).collect()))?,
    };
    let start = match known(tags, "FEN") {
        None if known(tags, "SetUp") == Some("1") => return Err(Why::NoFen),
        None => Start::Usual,
        Some(fen) => start_from(variant, fen).map_err(Why::BadFen)?,
    };
    let board = Board::start(variant, &start).map_err(Why::BadFen)?;
    Ok((variant, start, board))
}

/// The variant that a `Variant` tag means; programs write many names.
///
/// ```
/// use chess::{pgn::variant_named, rules::Variant};
/// assert_eq!(variant_named("Fischerandom"), Some(Variant::Chess960));
/// assert_eq!(variant_named("From Position"), Some(Variant::Standard));
/// assert_eq!(variant_named("Bughouse"), None);
/// ```
pub fn variant_named(name: &str) -> Option<Variant> {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    Some(match plain.as_str() {
        "standard" | "chess" | "normal" | "regular" | "classical" | "orthodox" | "fromposition" => {
            Variant::Standard
        }
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc"
        | "freestyle" | "freestylechess" | "wildfr" => Variant::Chess960,
        "crazyhouse" | "zh" => Variant::Crazyhouse,
        "antichess" | "anti" | "giveaway" | "giveawaychess" => Variant::Antichess,
        "atomic" | "atomicchess" => Variant::Atomic,
        "horde" | "hordechess" => Variant::Horde,
        "kingofthehill" | "koth" => Variant::KingOfTheHill,
        "racingkings" | "racing" => Variant::RacingKings,
        "threecheck" | "threechecks" | "threecheckchess" | "3check" | "3checks" => {
            Variant::ThreeCheck
        }
        _ => return None,
    })
}

/// A FEN as a start, the simplest way to say it: many files spell out even
/// the position in which every game begins.
fn start_from(variant: Variant, fen: &str) -> Result<Start, BadFen> {
    let canonical = Board::from_fen(variant, fen)?.fen();
    let is_same =
        |start: &Start| Board::start(variant, start).is_ok_and(|board| board.fen() == canonical);
    let simple = match variant {
        Variant::Chess960 => numbered(&canonical).map(Start::Chess960),
        _ => Some(Start::Usual),
    };
    Ok(simple
        .filter(is_same)
        .unwrap_or_else(|| Start::Fen(canonical.into())))
}

/// The number of the Chess960 start with these pieces.
fn numbered(fen: &str) -> Option<u16> {
    let (pieces, _) = fen.split_once(' ')?;
    if !pieces.contains("/pppppppp/8/8/8/8/PPPPPPPP/") {
        return None;
    }
    (0..960).find(|n| chess960_fen(*n).is_some_and(|start| start.starts_with(pieces)))
}
