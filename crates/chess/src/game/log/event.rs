//! An event as bytes.
//!
//! Bits 4 to 6 of a packed move's high byte are its promotion or drop, which
//! is never 7: so a first byte with these three bits set is no move but the
//! tag of another event.

use shakmaty::packed::PackedUciMove;
use shakmaty::{ByColor, Color};

use super::creation::{read_creation, write_creation};
use crate::bytes::{byte, flag, put, read_millis, read_player, read_players, take, write_players};
use crate::game::{Ending, Event, Offer};
use crate::rating::Shown;
use crate::table::PlayerId;
use crate::{Millis, Timestamp};

mod tag {
    pub(super) const CREATED: u8 = 0;
    pub(super) const JOINED: u8 = 1;
    pub(super) const INVITED: u8 = 2;
    pub(super) const MOVED: u8 = 3;
    pub(super) const ILLEGAL_ATTEMPT: u8 = 4;
    pub(super) const ENDED: u8 = 5;
    pub(super) const OFFERED: u8 = 6;
    pub(super) const OFFER_DECLINED: u8 = 7;
    pub(super) const TAKEN_BACK: u8 = 8;
    pub(super) const PAUSED: u8 = 9;
    pub(super) const RESUME_ASKED: u8 = 10;
    pub(super) const RESUMED: u8 = 11;
    pub(super) const TIME_ADDED: u8 = 12;
    pub(super) const TIME_CREDITED: u8 = 13;
    pub(super) const CLOCK_SET: u8 = 14;
    pub(super) const MOVED_WITH_LAG: u8 = 15;
    // The high bit is free as well: from here on the tags have it.
    pub(super) const ATTEMPTED: u8 = 0x80;
    pub(super) const TAKEN_BACK_BUT_GIFTS: u8 = 0x81;
    pub(super) const JOINED_RATED: u8 = 0x82;
    pub(super) const RESULT_CHANGED: u8 = 0x83;
    pub(super) const VACATION_BEGAN: u8 = 0x84;
    pub(super) const VACATION_ENDED: u8 = 0x85;
    pub(super) const RESEATED: u8 = 0x86;
}

const NOT_A_MOVE: u8 = 0x70;

pub(super) fn write_event(out: &mut Vec<u8>, event: &Event) {
    let mut tagged = |tag: u8, payload: &[u8]| {
        out.push(NOT_A_MOVE | tag);
        out.extend_from_slice(payload);
    };
    match event {
        Event::Moved {
            uci,
            offers_draw: false,
            lag: Millis::ZERO,
            ending: None,
        } => {
            let [low, high] = uci.to_bytes();
            out.extend_from_slice(&[high, low]);
        }
        Event::Moved {
            uci,
            offers_draw,
            lag,
            ending,
        } => {
            let [low, high] = uci.to_bytes();
            let payload = [high, low, u8::from(*offers_draw), maybe_ending(*ending)];
            if *lag == Millis::ZERO {
                tagged(tag::MOVED, &payload);
            } else {
                tagged(tag::MOVED_WITH_LAG, &payload);
                put(out, u64::from(lag.0));
            }
        }
        Event::Created(creation) => {
            tagged(tag::CREATED, &[]);
            write_creation(out, creation);
        }
        Event::Joined {
            player,
            color,
            ratings,
        } => write_joined(out, *player, *color, ratings),
        Event::Invited(players) => {
            tagged(tag::INVITED, &[]);
            write_players(out, players);
        }
        Event::IllegalAttempt { tried, ending } if tried.is_empty() => {
            tagged(tag::ILLEGAL_ATTEMPT, &[maybe_ending(*ending)]);
        }
        Event::IllegalAttempt { tried, ending } => {
            let length = u8::try_from(tried.len()).expect("a move is a short text");
            tagged(tag::ATTEMPTED, &[maybe_ending(*ending), length]);
            out.extend_from_slice(tried.as_bytes());
        }
        Event::Ended { ending, by } => tagged(tag::ENDED, &[ending.code(), maybe_color(*by)]),
        Event::ResultChanged { ending } => tagged(tag::RESULT_CHANGED, &[ending.code()]),
        Event::Offered { offer, by } => tagged(tag::OFFERED, &[*offer as u8, color_code(*by)]),
        Event::OfferDeclined { offer, by } => {
            tagged(tag::OFFER_DECLINED, &[*offer as u8, color_code(*by)]);
        }
        Event::TakenBack { plies, by, given } => {
            let is_plain = given.iter().all(|gift| *gift == Millis::ZERO);
            let tags = [tag::TAKEN_BACK_BUT_GIFTS, tag::TAKEN_BACK];
            tagged(tags[usize::from(is_plain)], &[color_code(*by)]);
            put(out, u64::from(*plies));
            if !is_plain {
                write_sides(out, given);
            }
        }
        event => write_clock_event(out, event),
    }
}

/// What stops the clocks, lets them go on, or sets them; and who sits there.
fn write_clock_event(out: &mut Vec<u8>, event: &Event) {
    let mut tagged = |tag: u8, payload: &[u8]| {
        out.push(NOT_A_MOVE | tag);
        out.extend_from_slice(payload);
    };
    match event {
        Event::Paused { by } => tagged(tag::PAUSED, &[maybe_color(*by)]),
        Event::ResumeAsked { by } => tagged(tag::RESUME_ASKED, &[color_code(*by)]),
        Event::Resumed { by } => tagged(tag::RESUMED, &[maybe_color(*by)]),
        Event::TimeAdded { to, gift } => {
            tagged(tag::TIME_ADDED, &[color_code(*to)]);
            put(out, u64::from(gift.0));
        }
        Event::TimeCredited { credit } => {
            tagged(tag::TIME_CREDITED, &[]);
            put(out, u64::from(credit.0));
        }
        Event::ClockSet { left } => {
            tagged(tag::CLOCK_SET, &[]);
            write_sides(out, left);
        }
        Event::VacationBegan { by, until } => {
            tagged(tag::VACATION_BEGAN, &[color_code(*by)]);
            put(out, until.0);
        }
        Event::VacationEnded { by } => tagged(tag::VACATION_ENDED, &[color_code(*by)]),
        Event::Reseated { from, to } => {
            tagged(tag::RESEATED, &[]);
            put(out, u64::from(from.number()));
            put(out, u64::from(to.number()));
        }
        _ => unreachable!("written by those who call"),
    }
}

pub(super) fn read_event(rest: &mut &[u8]) -> Option<Event> {
    let first = byte(rest)?;
    if first & NOT_A_MOVE != NOT_A_MOVE {
        let uci = PackedUciMove::from_bytes([byte(rest)?, first]);
        return Some(Event::Moved {
            uci,
            offers_draw: false,
            lag: Millis::ZERO,
            ending: None,
        });
    }
    Some(match first & !NOT_A_MOVE {
        tag::MOVED => read_move(rest, |_| Some(Millis::ZERO))?,
        tag::MOVED_WITH_LAG => read_move(rest, read_millis)?,
        tag::CREATED => Event::Created(Box::new(read_creation(rest)?)),
        tag::JOINED => read_joined(rest, |_| Some(ByColor::default()))?,
        tag::JOINED_RATED => read_joined(rest, read_ratings)?,
        tag::RESULT_CHANGED => Event::ResultChanged {
            ending: Ending::from_code(byte(rest)?)?,
        },
        tag::INVITED => Event::Invited(read_players(rest)?),
        tag::ILLEGAL_ATTEMPT => Event::IllegalAttempt {
            tried: "".into(),
            ending: read_maybe_ending(rest)?,
        },
        tag::ATTEMPTED => read_attempt(rest)?,
        tag::ENDED => Event::Ended {
            ending: Ending::from_code(byte(rest)?)?,
            by: read_maybe_color(rest)?,
        },
        tag::OFFERED => Event::Offered {
            offer: read_offer(rest)?,
            by: read_color(rest)?,
        },
        tag::OFFER_DECLINED => Event::OfferDeclined {
            offer: read_offer(rest)?,
            by: read_color(rest)?,
        },
        tag::TAKEN_BACK => read_takeback(rest, |_| Some(ByColor::default()))?,
        tag::TAKEN_BACK_BUT_GIFTS => read_takeback(rest, read_sides)?,
        tag::PAUSED => Event::Paused {
            by: read_maybe_color(rest)?,
        },
        tag::RESUME_ASKED => Event::ResumeAsked {
            by: read_color(rest)?,
        },
        tag::RESUMED => Event::Resumed {
            by: read_maybe_color(rest)?,
        },
        tag::TIME_ADDED => Event::TimeAdded {
            to: read_color(rest)?,
            gift: read_millis(rest)?,
        },
        tag::TIME_CREDITED => Event::TimeCredited {
            credit: read_millis(rest)?,
        },
        tag::CLOCK_SET => Event::ClockSet {
            left: read_sides(rest)?,
        },
        tag::VACATION_BEGAN => Event::VacationBegan {
            by: read_color(rest)?,
            until: Timestamp(take(rest)?),
        },
        tag::VACATION_ENDED => Event::VacationEnded {
            by: read_color(rest)?,
        },
        tag::RESEATED => read_reseated(rest)?,
        _ => return None,
    })
}

fn read_reseated(rest: &mut &[u8]) -> Option<Event> {
    Some(Event::Reseated {
        from: read_player(rest)?,
        to: read_player(rest)?,
    })
}

fn read_joined(
    rest: &mut &[u8],
    read_ratings: impl Fn(&mut &[u8]) -> Option<ByColor<Option<Shown>>>,
) -> Option<Event> {
    Some(Event::Joined {
        color: read_color(rest)?,
        player: read_player(rest)?,
        ratings: read_ratings(rest)?,
    })
}

fn write_joined(
    out: &mut Vec<u8>,
    player: PlayerId,
    color: Color,
    ratings: &ByColor<Option<Shown>>,
) {
    let is_plain = ratings.iter().all(Option::is_none);
    let tags = [tag::JOINED_RATED, tag::JOINED];
    let tag = tags[usize::from(is_plain)];
    out.extend_from_slice(&[NOT_A_MOVE | tag, color_code(color)]);
    put(out, u64::from(player.number()));
    if !is_plain {
        ratings.iter().for_each(|rating| write_rating(out, *rating));
    }
}

/// Zero for none; else one more than twice the points, and one more if provisional.
fn write_rating(out: &mut Vec<u8>, rating: Option<Shown>) {
    let number = rating.map_or(0, |rating| {
        1 + 2 * u64::from(rating.points) + u64::from(rating.provisional)
    });
    put(out, number);
}

fn read_rating(rest: &mut &[u8]) -> Option<Option<Shown>> {
    let Some(number) = take(rest)?.checked_sub(1) else {
        return Some(None);
    };
    Some(Some(Shown {
        points: u16::try_from(number / 2).ok()?,
        provisional: number % 2 == 1,
    }))
}

fn read_ratings(rest: &mut &[u8]) -> Option<ByColor<Option<Shown>>> {
    Some(ByColor {
        white: read_rating(rest)?,
        black: read_rating(rest)?,
    })
}

fn read_move(rest: &mut &[u8], read_lag: impl Fn(&mut &[u8]) -> Option<Millis>) -> Option<Event> {
    let (high, low) = (byte(rest)?, byte(rest)?);
    let (offers_draw, ending) = (flag(rest)?, read_maybe_ending(rest)?);
    Some(Event::Moved {
        uci: PackedUciMove::from_bytes([low, high]),
        offers_draw,
        lag: read_lag(rest)?,
        ending,
    })
}

fn read_takeback(
    rest: &mut &[u8],
    read_gifts: impl Fn(&mut &[u8]) -> Option<ByColor<Millis>>,
) -> Option<Event> {
    let by = read_color(rest)?;
    Some(Event::TakenBack {
        plies: u16::try_from(take(rest)?).ok()?,
        by,
        given: read_gifts(rest)?,
    })
}

fn write_sides(out: &mut Vec<u8>, sides: &ByColor<Millis>) {
    put(out, u64::from(sides.white.0));
    put(out, u64::from(sides.black.0));
}

fn read_sides(rest: &mut &[u8]) -> Option<ByColor<Millis>> {
    Some(ByColor {
        white: read_millis(rest)?,
        black: read_millis(rest)?,
    })
}

fn read_attempt(rest: &mut &[u8]) -> Option<Event> {
    let ending = read_maybe_ending(rest)?;
    let length = usize::from(byte(rest)?);
    let (tried, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(Event::IllegalAttempt {
        tried: std::str::from_utf8(tried).ok()?.into(),
        ending,
    })
}

fn color_code(color: Color) -> u8 {
    color.fold_wb(0, 1)
}

fn maybe_color(color: Option<Color>) -> u8 {
    color.map_or(2, color_code)
}

fn maybe_ending(ending: Option<Ending>) -> u8 {
    ending.map_or(u8::MAX, Ending::code)
}

fn read_color(rest: &mut &[u8]) -> Option<Color> {
    read_maybe_color(rest)?
}

fn read_maybe_color(rest: &mut &[u8]) -> Option<Option<Color>> {
    match byte(rest)? {
        0 => Some(Some(Color::White)),
        1 => Some(Some(Color::Black)),
        2 => Some(None),
        _ => None,
    }
}

fn read_maybe_ending(rest: &mut &[u8]) -> Option<Option<Ending>> {
    match byte(rest)? {
        u8::MAX => Some(None),
        code => Ending::from_code(code).map(Some),
    }
}

fn read_offer(rest: &mut &[u8]) -> Option<Offer> {
    Offer::ALL.get(usize::from(byte(rest)?)).copied()
}
