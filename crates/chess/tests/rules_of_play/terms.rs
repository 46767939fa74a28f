//! The first part of a script: what the players agreed on.

use chess::Millis;
use chess::clock::{ClockStart, DelayKind, Stage, TimeControl};
use chess::game::{ColorChoice, Creation, DrawRule, Terms};
use chess::rules::{Start, Variant};

use crate::command::Who;
use crate::script::decimal;

/// Reads terms such as `5+3 bronstein, rated, claim`. The clock comes first:
/// `M+S` (minutes and increment), `M+S us delay`, `M+S bronstein`,
/// `40/90+30 then 30+30`, `3 days`, `no clock`. Then any of the words below, a
/// variant's name, or `from FEN`. Also says whether the game begins at once.
pub(crate) fn read(text: &str) -> (Creation, bool) {
    let mut words = text.split(',').map(str::trim);
    let clock = words.next().expect("terms begin with the clock");
    let mut creation = Creation::open(Who::White.player(), Terms::casual(control(clock)));
    let mut begins = true;
    for word in words {
        let terms = &mut creation.terms;
        match word {
            "rated" => terms.rated = true,
            "claim" => terms.draw_rule = DrawRule::Claim,
            "second ply" => terms.clock_start = ClockStart::SecondPly,
            "no takebacks" => terms.takebacks = false,
            "private" => terms.private = true,
            "waiting" => begins = false,
            "for b" => creation.opponent = Some(Who::Black.player()),
            "any colour" => creation.color = ColorChoice::Random,
            "by black" => {
                creation.creator = Who::Black.player();
                creation.color = ColorChoice::Black;
            }
            _ => {
                if let Some(fen) = word.strip_prefix("from ") {
                    creation.start = Start::Fen(fen.into());
                } else if let Some(n) = word.strip_prefix("forfeit after ") {
                    terms.forfeit_after = number(n);
                } else {
                    terms.variant = Variant::from_name(word)
                        .unwrap_or_else(|| panic!("no term is called `{word}`"));
                }
            }
        }
    }
    (creation, begins)
}

fn control(text: &str) -> TimeControl {
    if text == "no clock" {
        return TimeControl::Unlimited;
    }
    if let Some(days) = text.strip_suffix(" days") {
        return TimeControl::Correspondence { days: number(days) };
    }
    if text.contains('/') {
        return TimeControl::Stages(Box::new(text.split(" then ").map(stage).collect()));
    }
    let (times, kind) = text.split_once(' ').unwrap_or((text, ""));
    let (initial, extra) = minutes_and_seconds(times);
    let kind = match kind {
        "us delay" => DelayKind::Us,
        "bronstein" => DelayKind::Bronstein,
        _ => {
            return TimeControl::Fischer {
                initial,
                increment: extra,
            };
        }
    };
    TimeControl::Delay {
        initial,
        delay: extra,
        kind,
    }
}

fn stage(text: &str) -> Stage {
    let (moves, times) = text.split_once('/').unwrap_or(("0", text));
    let (initial, increment) = minutes_and_seconds(times);
    Stage {
        moves: number(moves),
        initial,
        increment,
    }
}

fn minutes_and_seconds(text: &str) -> (Millis, Millis) {
    let (minutes, seconds) = text.split_once('+').expect("minutes+seconds");
    (
        decimal(minutes, 60_000).expect("a number of minutes"),
        Millis::from_secs(number(seconds)),
    )
}

fn number<N: std::str::FromStr>(text: &str) -> N {
    text.parse()
        .unwrap_or_else(|_| panic!("`{text}` is no such number"))
}
