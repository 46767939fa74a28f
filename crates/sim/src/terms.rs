//! Games to be made: every kind of clock, mostly short ones, and every variant.

use chess::Millis;
use chess::clock::{ClockStart, DelayKind, Stage, TimeControl};
use chess::game::{ChatRule, ColorChoice, Creation, DrawRule, RoomTerms, Terms};
use chess::rules::{Start, Variant};
use chess::table::PlayerId;

use crate::rng::Rng;

/// How many players there are.
pub(crate) const PLAYERS: u64 = 6;

pub(crate) fn random_player(rng: &mut Rng) -> PlayerId {
    player(rng.within(1, PLAYERS))
}

pub(crate) fn player(number: u64) -> PlayerId {
    PlayerId::new(number as u32).expect("players are numbered from 1")
}

/// Positions from which a game is soon over, one way or the other.
const ENDGAMES: [&str; 6] = [
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",
    "k7/8/1K6/8/8/8/8/7R w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 90 60",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
];

/// Terms that are usually allowed.
pub(crate) fn random_creation(rng: &mut Rng) -> Creation {
    let creator = random_player(rng);
    let mut creation = Creation::open(creator, random_terms(rng));
    creation.color = rng.pick(&[ColorChoice::White, ColorChoice::Black, ColorChoice::Random]);
    creation.opponent = rng.percent(25).then(|| random_player(rng));
    creation.start = match creation.terms.variant {
        Variant::Chess960 => Start::Chess960(rng.below(960) as u16),
        Variant::Standard if rng.percent(30) => Start::Fen(rng.pick(&ENDGAMES).into()),
        _ => Start::Usual,
    };
    if rng.percent(20) {
        creation.invited = (0..rng.below(3)).map(|_| random_player(rng)).collect();
    }
    creation.rematch_of = rng.percent(10).then(|| rng.below(1_000));
    creation
}

fn random_terms(rng: &mut Rng) -> Terms {
    let variant = if rng.percent(70) {
        Variant::Standard
    } else {
        rng.pick(&Variant::ALL)
    };
    Terms {
        variant,
        draw_rule: rng.pick(&[DrawRule::Automatic, DrawRule::Claim]),
        clock_start: rng.pick(&[ClockStart::Join, ClockStart::Join, ClockStart::SecondPly]),
        rated: rng.percent(15),
        takebacks: rng.percent(85),
        private: rng.percent(15),
        forfeit_after: rng.pick(&[0, 0, 0, 1, 2, 3]),
        spectator_delay: rng.pick(&[0, 0, 30]),
        room: RoomTerms {
            chat: rng.pick(&ChatRule::ALL),
            members_only: rng.percent(10),
        },
        ..Terms::casual(random_control(rng))
    }
}

fn random_control(rng: &mut Rng) -> TimeControl {
    let initial = Millis(rng.pick(&[100, 1_000, 3_000, 10_000, 60_000, 600_000]));
    let extra = Millis(rng.pick(&[20, 500, 1_000, 3_000]));
    match rng.below(20) {
        0..8 => TimeControl::Fischer {
            initial: rng.pick(&[initial, initial, Millis::ZERO]),
            increment: rng.pick(&[extra, Millis::ZERO]),
        },
        8..14 => TimeControl::Delay {
            initial,
            delay: extra,
            kind: rng.pick(&[DelayKind::Us, DelayKind::Bronstein]),
        },
        14..17 => TimeControl::Stages(Box::new(vec![
            Stage {
                moves: rng.within(1, 5) as u16,
                initial,
                increment: rng.pick(&[extra, Millis::ZERO]),
            },
            Stage {
                moves: 0,
                initial: extra,
                increment: rng.pick(&[extra, Millis::ZERO]),
            },
        ])),
        17..19 => TimeControl::Correspondence {
            days: rng.within(1, 14) as u8,
        },
        _ => TimeControl::Unlimited,
    }
}
