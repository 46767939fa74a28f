//! What somebody wants, out of the one element in `<game/>`.

use chess::Millis;
use chess::clock::{ClockStart, TimeControl};
use chess::game::{ChatRule, ColorChoice, Offer, RoomTerms, Terms};
use chess::pairing::Pool;
use chess::rules::{Start, Variant};
use jid::BareJid;
use store::TableId;

use super::super::element::Element;
use super::super::{GAME, game_of};
use crate::play::terms::{NewGame, Players};
use crate::problem::Problem;

/// What `<addtime/>` gives if it says nothing.
const SECONDS_GIVEN: u32 = 15;
/// More than any clock may have, and what can be counted in milliseconds.
const SECONDS_MAX: u32 = 1_000_000;

/// A command.
pub(super) enum Wish {
    Move { text: String, ply: Option<u32> },
    Resign,
    Abort,
    AddTime(u32),
    Offer(Offer),
    DeclineOffer(Offer),
    Resume,
    Rematch,
    DeclineRematch,
    ClaimWin,
    ClaimDraw,
    Create(Box<NewGame>),
    Challenge { to: BareJid, game: Box<NewGame> },
    DeclineChallenge,
    Accept,
    AcceptCode(String),
    Seek(Pool),
    CancelSeek,
    Link(String),
}

/// The game that is named, if one is, and what is wanted of it.
///
/// # Errors
/// `bad_request` with what is wrong; `game_not_found` for a number that is none.
pub(super) fn read(game: &Element) -> Result<(Option<TableId>, Wish), Problem> {
    let id = game.attr("id").map(number).transpose()?;
    let mut elements = game.elements();
    let (Some(element), None) = (elements.next(), elements.next()) else {
        return Err(Problem::bad_request(
            "game: one element says what is wanted",
        ));
    };
    if element.ns() != GAME {
        return Err(Problem::bad_request(format!("the namespace is {GAME}")));
    }
    let declines = flag(element, "decline")?.unwrap_or(false);
    let offer = |offer| match declines {
        true => Wish::DeclineOffer(offer),
        false => Wish::Offer(offer),
    };
    let wish = match element.name() {
        "move" => Wish::Move {
            text: element.words().trim().to_owned(),
            ply: whole(element, "ply")?,
        },
        "resign" => Wish::Resign,
        "abort" => Wish::Abort,
        "addtime" => Wish::AddTime(whole(element, "seconds")?.unwrap_or(SECONDS_GIVEN)),
        "draw" => offer(Offer::Draw),
        "takeback" => offer(Offer::Takeback),
        "pause" => offer(Offer::Pause),
        "resume" => Wish::Resume,
        "rematch" if declines => Wish::DeclineRematch,
        "rematch" => Wish::Rematch,
        "claim" if flag(element, "draw")?.unwrap_or(false) => Wish::ClaimDraw,
        "claim" => Wish::ClaimWin,
        "create" => Wish::Create(Box::new(new_game(element)?)),
        "challenge" if declines => Wish::DeclineChallenge,
        "challenge" => Wish::Challenge {
            to: whom(element)?,
            game: Box::new(new_game(element)?),
        },
        "accept" => match element.attr("code") {
            Some(code) => Wish::AcceptCode(code.trim().to_ascii_uppercase()),
            None => Wish::Accept,
        },
        "seek" if flag(element, "cancel")?.unwrap_or(false) => Wish::CancelSeek,
        "seek" => Wish::Seek(pool(element)?),
        "link" => match element.attr("code") {
            Some(code) => Wish::Link(code.trim().to_owned()),
            None => return Err(bad("code", "link: the code that you asked for")),
        },
        other => {
            return Err(Problem::bad_request(format!(
                "{other}: there is no such command"
            )));
        }
    };
    Ok((id, wish))
}

fn number(text: &str) -> Result<TableId, Problem> {
    game_of(text.trim()).ok_or_else(Problem::game_not_found)
}

fn bad(field: &str, detail: impl Into<String>) -> Problem {
    Problem::bad_request(detail).with("field", field)
}

/// `1` or `true`, `0` or `false`.
fn flag(element: &Element, name: &str) -> Result<Option<bool>, Problem> {
    match element.attr(name) {
        None => Ok(None),
        Some("1" | "true") => Ok(Some(true)),
        Some("0" | "false") => Ok(Some(false)),
        Some(_) => Err(bad(name, format!("{name} must be 1 or 0"))),
    }
}

fn whole(element: &Element, name: &str) -> Result<Option<u32>, Problem> {
    let Some(text) = element.attr(name) else {
        return Ok(None);
    };
    let wrong = || bad(name, format!("{name} must be a whole number"));
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse().map(Some).map_err(|_| wrong()),
        false => Err(wrong()),
    }
}

fn whom(element: &Element) -> Result<BareJid, Problem> {
    let to = element.attr("to").and_then(|to| BareJid::new(to).ok());
    to.ok_or_else(|| bad("to", "to must be a bare JID"))
}

fn variant(element: &Element) -> Result<Variant, Problem> {
    let Some(name) = element.attr("variant") else {
        return Ok(Variant::Standard);
    };
    Variant::from_name(name).ok_or_else(|| {
        let all: Vec<&str> = Variant::ALL.iter().map(|v| v.name()).collect();
        let detail = format!("variant must be one of {}", all.join(", "));
        bad("variant", detail)
    })
}

/// `time` and `increment` in seconds, or `days` per move, or no clock.
fn control(element: &Element) -> Result<TimeControl, Problem> {
    let seconds = |seconds: u32| Millis::from_secs(seconds.min(SECONDS_MAX));
    let increment = whole(element, "increment")?;
    match (whole(element, "time")?, whole(element, "days")?) {
        (Some(_), Some(_)) => Err(bad("days", "either time or days")),
        (Some(time), None) => Ok(TimeControl::Fischer {
            initial: seconds(time),
            increment: seconds(increment.unwrap_or(0)),
        }),
        (None, _) if increment.is_some() => Err(bad("increment", "increment goes with time")),
        (None, Some(days)) => Ok(TimeControl::Correspondence {
            days: u8::try_from(days).unwrap_or(u8::MAX),
        }),
        (None, None) => Ok(TimeControl::Unlimited),
    }
}

fn pool(element: &Element) -> Result<Pool, Problem> {
    Ok(Pool {
        control: control(element)?,
        variant: variant(element)?,
        rated: flag(element, "rated")?.unwrap_or(false),
    })
}

fn new_game(element: &Element) -> Result<NewGame, Problem> {
    let color = match element.attr("side") {
        None | Some("white") => ColorChoice::White,
        Some("black") => ColorChoice::Black,
        Some("random") => ColorChoice::Random,
        Some(_) => return Err(bad("side", "side must be white, black or random")),
    };
    let chat = match element.attr("chat") {
        None | Some("all") => ChatRule::All,
        Some("players") => ChatRule::Players,
        Some("off") => ChatRule::Off,
        Some(_) => return Err(bad("chat", "chat must be all, players or off")),
    };
    let rated = flag(element, "rated")?.unwrap_or(false);
    let control = control(element)?;
    // A first move shows the whole time on both clocks, as it did at Chesspark.
    let clock_start = match control {
        TimeControl::Fischer { .. } => ClockStart::SecondPly,
        _ => ClockStart::Join,
    };
    Ok(NewGame {
        players: Players::Own {
            color,
            opponent: None,
        },
        start: element.attr("fen").map(|fen| Start::Fen(fen.into())),
        terms: Terms {
            variant: variant(element)?,
            clock_start,
            rated,
            takebacks: !rated && flag(element, "takebacks")?.unwrap_or(true),
            private: flag(element, "private")?.unwrap_or(false),
            room: RoomTerms {
                chat,
                members_only: false,
            },
            ..Terms::casual(control)
        },
        invited: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(element: Element) -> Result<Wish, Problem> {
        read(&Element::new("game", GAME).child(element)).map(|(_, wish)| wish)
    }

    fn named(name: &str) -> Element {
        Element::new(name, GAME)
    }

    #[test]
    fn a_move_is_text_with_whatever_space_around_it() {
        let game = Element::new("game", GAME)
            .with("id", "1234")
            .text("\n  ")
            .child(named("move").with("ply", "3").text("\n  e2e4 "));
        let (id, wish) = read(&game).unwrap();
        assert_eq!(id.map(TableId::number), Some(1234));
        assert!(matches!(wish, Wish::Move { text, ply: Some(3) } if text == "e2e4"));
    }

    #[test]
    fn every_command_is_known_by_its_name() {
        let plain = |name| wish(named(name)).unwrap();
        assert!(matches!(plain("resign"), Wish::Resign));
        assert!(matches!(plain("abort"), Wish::Abort));
        assert!(matches!(plain("addtime"), Wish::AddTime(15)));
        assert!(matches!(plain("draw"), Wish::Offer(Offer::Draw)));
        assert!(matches!(plain("takeback"), Wish::Offer(Offer::Takeback)));
        assert!(matches!(plain("pause"), Wish::Offer(Offer::Pause)));
        assert!(matches!(plain("resume"), Wish::Resume));
        assert!(matches!(plain("rematch"), Wish::Rematch));
        assert!(matches!(plain("claim"), Wish::ClaimWin));
        assert!(matches!(plain("accept"), Wish::Accept));
        let declined = |name| wish(named(name).with("decline", "1")).unwrap();
        assert!(matches!(declined("draw"), Wish::DeclineOffer(Offer::Draw)));
        assert!(matches!(declined("rematch"), Wish::DeclineRematch));
        assert!(matches!(declined("challenge"), Wish::DeclineChallenge));
        let claim = wish(named("claim").with("draw", "true")).unwrap();
        assert!(matches!(claim, Wish::ClaimDraw));
        let code = wish(named("accept").with("code", " k7m2qx")).unwrap();
        assert!(matches!(code, Wish::AcceptCode(code) if code == "K7M2QX"));
        let cancel = wish(named("seek").with("cancel", "1")).unwrap();
        assert!(matches!(cancel, Wish::CancelSeek));
    }

    #[test]
    fn a_game_is_made_by_its_attributes() {
        let create = named("create")
            .with("time", "1800")
            .with("side", "black")
            .with("variant", "chess960")
            .with("chat", "players");
        let Wish::Create(new) = wish(create).unwrap() else {
            panic!("no game");
        };
        let expected = TimeControl::Fischer {
            initial: Millis::from_secs(1800),
            increment: Millis::from_secs(0),
        };
        assert_eq!(new.terms.control, expected);
        assert_eq!(new.terms.clock_start, ClockStart::SecondPly);
        assert_eq!(new.terms.variant, Variant::Chess960);
        assert_eq!(new.terms.room.chat, ChatRule::Players);
        let color = match new.players {
            Players::Own { color, .. } => color,
            Players::Named { .. } => panic!("nobody is named"),
        };
        assert_eq!(color, ColorChoice::Black);
    }

    #[test]
    fn what_nobody_knows_is_a_bad_request() {
        let cases = [
            named("dance"),
            Element::new("move", "urn:other"),
            named("move").with("ply", "-1"),
            named("move").with("ply", "99999999999"),
            named("draw").with("decline", "perhaps"),
            named("create").with("time", "long"),
            named("create").with("time", "60").with("days", "1"),
            named("create").with("increment", "5"),
            named("create").with("side", "left"),
            named("create").with("variant", "checkers"),
            named("challenge").with("to", "@"),
            named("link"),
        ];
        for case in cases {
            let shown = case.write();
            let problem = wish(case).err().map(|problem| problem.code);
            assert_eq!(problem, Some("bad_request"), "{shown}");
        }
        let none = read(&Element::new("game", GAME)).err();
        assert_eq!(none.map(|problem| problem.code), Some("bad_request"));
        let two = Element::new("game", GAME)
            .child(named("resign"))
            .child(named("draw"));
        assert!(read(&two).is_err());
        let other = Element::new("game", GAME)
            .with("id", "Ab3fK9xQ")
            .child(named("resign"));
        assert_eq!(read(&other).err().map(|p| p.code), Some("game_not_found"));
    }
}
