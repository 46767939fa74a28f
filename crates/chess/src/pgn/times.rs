//! How PGN writes times: the clock after a move, and the time control.

use crate::Millis;
use crate::clock::{DelayKind, Stage, TimeControl};

const MILLIS_PER_DAY: u32 = 86_400_000;

/// A clock as in `[%clk 0:04:58.250]`; thousandths only where there are any.
///
/// ```
/// use chess::{Millis, pgn};
/// assert_eq!(pgn::write_clock(Millis::from_secs(298)), "0:04:58");
/// assert_eq!(pgn::write_clock(Millis(298_250)), "0:04:58.250");
/// assert_eq!(pgn::read_clock("0:04:58.250"), Some(Millis(298_250)));
/// ```
pub fn write_clock(time: Millis) -> String {
    let secs = time.as_secs();
    let (hours, minutes, seconds) = (secs / 3600, secs / 60 % 60, secs % 60);
    match time.0 % 1000 {
        0 => format!("{hours}:{minutes:02}:{seconds:02}"),
        millis => format!("{hours}:{minutes:02}:{seconds:02}.{millis:03}"),
    }
}

/// Reads `H:MM:SS` or `MM:SS`, with or without a fraction. `None` if it is
/// no clock, or shows more than [`Millis`] holds.
pub fn read_clock(text: &str) -> Option<Millis> {
    let mut parts = text.trim().rsplit(':');
    let seconds = read_seconds(parts.next()?)?;
    let minutes: u32 = parts.next()?.parse().ok()?;
    let hours: u32 = parts.next().map_or(Some(0), |h| h.parse().ok())?;
    if parts.next().is_some() {
        return None;
    }
    let whole = hours.checked_mul(60)?.checked_add(minutes)?;
    let millis = whole.checked_mul(60_000)?.checked_add(seconds.0)?;
    Some(Millis(millis))
}

/// The `TimeControl` tag: `300+2`, `40/5400+30:1800+30`, `1/259200` for days
/// per move and `-` for no clock. PGN has no word for delays; we write
/// `300+5d` as other programs do, and `300+5b` for Bronstein's.
pub fn write_control(control: &TimeControl) -> String {
    match control {
        TimeControl::Unlimited => "-".into(),
        TimeControl::Correspondence { days } => {
            format!("1/{}", Millis::from_days(u32::from(*days)).as_secs())
        }
        TimeControl::Fischer { initial, increment } => {
            format!("{}+{}", seconds(*initial), seconds(*increment))
        }
        TimeControl::Delay {
            initial,
            delay,
            kind,
        } => {
            let sign = match kind {
                DelayKind::Us => 'd',
                DelayKind::Bronstein => 'b',
            };
            format!("{}+{}{sign}", seconds(*initial), seconds(*delay))
        }
        TimeControl::Stages(stages) => {
            let stages: Vec<String> = stages.iter().map(write_stage).collect();
            stages.join(":")
        }
    }
}

fn write_stage(stage: &Stage) -> String {
    let moves = match stage.moves {
        0 => String::new(),
        moves => format!("{moves}/"),
    };
    let increment = match stage.increment {
        Millis::ZERO => String::new(),
        increment => format!("+{}", seconds(increment)),
    };
    format!("{moves}{}{increment}", seconds(stage.initial))
}

/// Reads what [`write_control`] writes. `None` for an unknown control and
/// for one we do not play.
pub fn read_control(text: &str) -> Option<TimeControl> {
    let text = text.trim();
    let control = match text.split_once('+') {
        _ if text == "-" => TimeControl::Unlimited,
        Some((initial, delay)) if delay.ends_with(['d', 'b']) => TimeControl::Delay {
            initial: read_seconds(initial)?,
            delay: read_seconds(&delay[..delay.len() - 1])?,
            kind: if delay.ends_with('d') {
                DelayKind::Us
            } else {
                DelayKind::Bronstein
            },
        },
        _ => staged(text)?,
    };
    control.check().is_ok().then_some(control)
}

fn staged(text: &str) -> Option<TimeControl> {
    let stages: Vec<Stage> = text.split(':').map(read_stage).collect::<Option<_>>()?;
    Some(match stages[..] {
        [
            Stage {
                moves: 1,
                initial,
                increment: Millis::ZERO,
            },
        ] if initial.0.is_multiple_of(MILLIS_PER_DAY) => {
            let days = u8::try_from(initial.0 / MILLIS_PER_DAY).ok()?;
            TimeControl::Correspondence { days }
        }
        [
            Stage {
                moves: 0,
                initial,
                increment,
            },
        ] => TimeControl::Fischer { initial, increment },
        _ => TimeControl::Stages(Box::new(stages)),
    })
}

fn read_stage(text: &str) -> Option<Stage> {
    let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (moves, initial) = time.split_once('/').unwrap_or(("0", time));
    Some(Stage {
        moves: moves.parse().ok()?,
        initial: read_seconds(initial)?,
        increment: read_seconds(increment)?,
    })
}

/// Seconds, with a fraction only where there is one.
fn seconds(time: Millis) -> String {
    match time.0 % 1000 {
        0 => time.as_secs().to_string(),
        millis => format!("{}.{millis:03}", time.as_secs()),
    }
}

/// Seconds with up to three decimals that count.
fn read_seconds(text: &str) -> Option<Millis> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let mut millis = whole.parse::<u32>().ok()?.checked_mul(1000)?;
    for (digit, worth) in fraction.bytes().zip([100, 10, 1]) {
        millis = millis.checked_add(u32::from(digit - b'0') * worth)?;
    }
    Some(Millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(s: u32) -> Millis {
        Millis::from_secs(s)
    }

    #[test]
    fn clocks_are_read_as_they_are_found() {
        assert_eq!(read_clock("1:02:03"), Some(secs(3723)));
        assert_eq!(read_clock("01:02:03.4"), Some(Millis(3_723_400)));
        assert_eq!(read_clock("336:00:00"), Some(Millis::from_days(14)));
        assert_eq!(read_clock("2:03"), Some(secs(123)));
        assert_eq!(read_clock("0:00:00.123456"), Some(Millis(123)));
        for none in [
            "",
            "5",
            "1:2:3:4",
            "-0:00:01",
            "a:b:c",
            "9999999:00:00",
            "0:00:",
        ] {
            assert_eq!(read_clock(none), None, "{none}");
        }
        for ms in [0, 1, 999, 1000, 59_999, 3_600_000, u32::MAX] {
            assert_eq!(read_clock(&write_clock(Millis(ms))), Some(Millis(ms)));
        }
    }

    #[test]
    fn every_kind_of_control_is_written_and_read_back() {
        let stage = |moves, initial, increment| Stage {
            moves,
            initial: secs(initial),
            increment: secs(increment),
        };
        let delay = |kind| TimeControl::Delay {
            initial: secs(300),
            delay: secs(5),
            kind,
        };
        let fischer = |initial, increment| TimeControl::Fischer { initial, increment };
        let cases = [
            (TimeControl::Unlimited, "-"),
            (TimeControl::Correspondence { days: 3 }, "1/259200"),
            (fischer(secs(300), secs(2)), "300+2"),
            (fischer(secs(60), Millis::ZERO), "60+0"),
            (fischer(Millis(500), Millis(100)), "0.500+0.100"),
            (delay(DelayKind::Us), "300+5d"),
            (delay(DelayKind::Bronstein), "300+5b"),
            (
                TimeControl::Stages(Box::new(vec![stage(40, 5400, 30), stage(0, 1800, 30)])),
                "40/5400+30:1800+30",
            ),
            (
                TimeControl::Stages(Box::new(vec![stage(40, 7200, 0), stage(0, 900, 0)])),
                "40/7200:900",
            ),
        ];
        for (control, text) in cases {
            assert_eq!(write_control(&control), text);
            assert_eq!(read_control(text), Some(control), "{text}");
        }
        assert_eq!(read_control("600"), Some(fischer(secs(600), Millis::ZERO)));
    }

    #[test]
    fn a_control_we_do_not_play_is_none() {
        for none in [
            "", "?", "*180", "40/7200", "0+0", "99999999", "1/100", "+", "d", "5+d",
        ] {
            assert_eq!(read_control(none), None, "{none}");
        }
    }
}
