//! The clocks, checked from outside: what one change may do to what they show.

use chess::clock::{ClockStart, DelayKind, TimeControl};
use chess::game::{Entry, Event, Game, Phase};
use chess::table::Outage;
use chess::{ByColor, Color, Millis};

/// Checks the change from `before` to `after`.
pub(crate) fn check(before: &Game, after: &Game, entry: &Entry) -> Result<(), String> {
    let (Some(was), Some(is)) = (before.clocks(entry.at), after.clocks(entry.at)) else {
        return Ok(());
    };
    for color in Color::ALL {
        let (was, is) = (*was.get(color), *is.get(color));
        let (low, high) = allowed(before, after, entry, color, was);
        if !(low..=high).contains(&is) {
            let event = &entry.event;
            return Err(format!(
                "{event:?} takes the clock of {color:?} from {was} to {is}, not to {low}..{high}"
            ));
        }
    }
    Ok(())
}

/// What the clock of `color` may show after the change if it showed `was`.
fn allowed(
    before: &Game,
    after: &Game,
    entry: &Entry,
    color: Color,
    was: Millis,
) -> (Millis, Millis) {
    let is_turn = color == before.turn();
    match &entry.event {
        Event::Moved { .. } if is_turn => after_move(before, after, color, was),
        Event::TimeAdded { to, gift } if *to == color => exactly(was + *gift),
        Event::TimeCredited { credit } if is_turn => (was, was + *credit),
        Event::ClockSet { left } => exactly(*left.get(color)),
        Event::TakenBack { given, .. } => {
            let (low, high) = rewound(before, after, color);
            (low + *given.get(color), high + *given.get(color))
        }
        _ => exactly(was),
    }
}

fn exactly(value: Millis) -> (Millis, Millis) {
    (value, value)
}

/// What a move gives to the one who made it.
fn after_move(before: &Game, after: &Game, mover: Color, was: Millis) -> (Millis, Millis) {
    let terms = before.terms();
    let is_free = terms.clock_start == ClockStart::SecondPly && before.ply() < 2;
    match &terms.control {
        TimeControl::Unlimited => exactly(was),
        TimeControl::Correspondence { days } => exactly(Millis::from_days(u32::from(*days))),
        _ if is_free => exactly(was),
        TimeControl::Fischer { increment, .. } => exactly(was + *increment),
        TimeControl::Delay { delay, kind, .. } => match kind {
            DelayKind::Us => exactly(was),
            DelayKind::Bronstein => (was, was + *delay),
        },
        TimeControl::Stages(stages) => {
            let made_in = usize::from(before.stage(mover));
            let now_in = usize::from(after.stage(mover));
            let mut given = stages[made_in].increment;
            if now_in > made_in {
                given = given + stages[now_in].initial;
            }
            exactly(was + given)
        }
    }
}

/// Where a takeback leads: to the clocks of the turn whose move is gone.
fn rewound(before: &Game, after: &Game, color: Color) -> (Millis, Millis) {
    let line = before.line();
    let kept = after.ply() as usize;
    let turn_began = match kept.checked_sub(1) {
        Some(last) => line[last].at,
        None => before.started_at().unwrap_or_default(),
    };
    let retracted = before
        .as_of(line[kept].version - 1)
        .expect("the version before a move is one");
    let shown: ByColor<Millis> = retracted
        .clocks(retracted.last_at())
        .unwrap_or_else(|| ByColor::new_with(|_| Millis::ZERO));
    let shown = *shown.get(color);
    if color == retracted.turn() {
        (shown, shown + retracted.last_at().since(turn_began))
    } else {
        exactly(shown)
    }
}

/// Checks that the server's own downtime is given back: what it cost the side
/// to move is the very next thing in the record, as one credit of exactly that,
/// or as the flag that had fallen before. And that nothing else is given back.
/// A credit is a number of 32 bits: 49 days at most are given back at once.
pub(crate) fn check_credit(before: &Game, entry: &Entry, outages: &[Outage]) -> Result<(), String> {
    let has_clock = before.terms().control != TimeControl::Unlimited;
    let is_running = before.phase() == Phase::Active && has_clock;
    let last_at = before.last_at();
    let mut lost = 0;
    let mut had_fallen = false;
    let mut counted = last_at;
    // Two may overlap: a node that dies before its first heartbeat was never there.
    let mut past: Vec<&Outage> = outages
        .iter()
        .filter(|o| is_running && o.up_at <= entry.at)
        .collect();
    past.sort_by_key(|o| (o.down_since, std::cmp::Reverse(o.up_at)));
    for outage in past {
        let from = outage.down_since.max(counted);
        if from < outage.up_at {
            had_fallen |= before
                .deadline()
                .is_some_and(|flag| flag.0 + lost <= from.0);
            lost += outage.up_at.0 - from.0;
            counted = outage.up_at;
        }
    }
    let lost = Millis(u32::try_from(lost).unwrap_or(u32::MAX));
    let is_right = match &entry.event {
        Event::TimeCredited { credit } => *credit == lost && lost > Millis::ZERO && !had_fallen,
        Event::Ended { by: None, .. } if had_fallen => true,
        _ => lost == Millis::ZERO,
    };
    if is_right {
        return Ok(());
    }
    Err(format!(
        "{:?} at {} after {}, though {lost} were lost",
        entry.event, entry.at.0, last_at.0
    ))
}

/// The outage that has not been given back to a game whose clock runs.
pub(crate) fn owed(game: &Game, outages: &[Outage]) -> Option<Outage> {
    let is_running = game.phase() == Phase::Active && game.deadline().is_some();
    let last_at = game.last_at();
    let is_open = |o: &&Outage| is_running && last_at < o.up_at && o.down_since < o.up_at;
    outages.iter().find(is_open).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Timestamp;
    use chess::game::{Creation, Terms};
    use chess::rules::{PackedUciMove, UciMove};
    use chess::table::PlayerId;

    const SECOND: Millis = Millis::from_secs(1);

    fn at(ms: u64, event: Event) -> Entry {
        Entry {
            at: Timestamp(ms),
            event,
        }
    }

    /// A minute with two seconds of increment, running since 1000.
    fn running() -> Game {
        let control = TimeControl::Fischer {
            initial: Millis::from_secs(60),
            increment: Millis::from_secs(2),
        };
        let creator = PlayerId::new(1).unwrap();
        let creation = Creation::open(creator, Terms::casual(control));
        let mut game = Game::create(Timestamp(0), creation).unwrap();
        let player = PlayerId::new(2).unwrap();
        let color = Color::Black;
        game.evolve(
            Timestamp(1_000),
            &Event::Joined {
                player,
                color,
                ratings: ByColor::default(),
            },
        );
        game
    }

    fn e4() -> Event {
        let uci: UciMove = "e2e4".parse().unwrap();
        Event::Moved {
            uci: PackedUciMove::pack(uci),
            offers_draw: false,
            lag: Millis::ZERO,
            ending: None,
        }
    }

    /// What the check says if the record claims `claimed` but `real` happened.
    fn claimed(claimed: Event, real: Event) -> Result<(), String> {
        let before = running();
        let mut after = before.clone();
        after.evolve(Timestamp(5_000), &real);
        check(&before, &after, &at(5_000, claimed))
    }

    #[test]
    fn clocks_that_rise_by_rule_pass() {
        let to = Color::Black;
        let gift = SECOND;
        let credit = SECOND;
        for event in [
            e4(),
            Event::TimeAdded { to, gift },
            Event::TimeCredited { credit },
            Event::Paused { by: None },
        ] {
            assert_eq!(claimed(event.clone(), event), Ok(()));
        }
    }

    #[test]
    fn clocks_that_rise_otherwise_are_noticed() {
        let to = Color::White;
        let gift = SECOND;
        let offered = Event::Offered {
            offer: chess::game::Offer::Draw,
            by: to,
        };
        assert!(claimed(offered, Event::TimeAdded { to, gift }).is_err());
        let more = Event::TimeAdded {
            to,
            gift: SECOND + Millis(1),
        };
        assert!(claimed(Event::TimeAdded { to, gift }, more).is_err());
        let credit = SECOND;
        let more = Event::TimeCredited {
            credit: SECOND + SECOND,
        };
        assert!(claimed(Event::TimeCredited { credit }, more).is_err());
        let left = ByColor {
            white: SECOND,
            black: SECOND,
        };
        assert!(claimed(e4(), Event::ClockSet { left }).is_err());
    }

    #[test]
    fn downtime_is_given_back_once_and_in_full() {
        let outage = |down, up| Outage {
            down_since: Timestamp(down),
            up_at: Timestamp(up),
        };
        let credit = |ms| Event::TimeCredited { credit: Millis(ms) };
        let game = running();
        let check = |event, outages: &[Outage]| check_credit(&game, &at(50_000, event), outages);
        let once = [outage(500, 3_000)];
        assert_eq!(check(credit(2_000), &once), Ok(()));
        assert!(check(credit(2_500), &once).is_err());
        assert!(check(credit(1_999), &once).is_err());
        assert!(check(e4(), &once).is_err());
        // A start that came to nothing, and another outage later on.
        let many = [
            outage(2_000, 3_000),
            outage(2_000, 4_000),
            outage(20_000, 20_500),
        ];
        assert_eq!(check(credit(2_500), &many), Ok(()));
        assert!(check(credit(3_500), &many).is_err());
        assert_eq!(check(e4(), &[outage(60_000, 70_000)]), Ok(()));
        assert!(check(credit(1), &[]).is_err());
    }

    #[test]
    fn a_flag_that_fell_before_the_outage_has_fallen() {
        let outage = Outage {
            down_since: Timestamp(61_000),
            up_at: Timestamp(90_000),
        };
        let game = running();
        let fallen = Event::Ended {
            ending: chess::game::Ending::Won {
                winner: Color::Black,
                by: chess::game::WinReason::Timeout,
            },
            by: None,
        };
        let credit = Event::TimeCredited {
            credit: Millis(29_000),
        };
        assert_eq!(check_credit(&game, &at(90_000, fallen), &[outage]), Ok(()));
        assert!(check_credit(&game, &at(90_000, credit), &[outage]).is_err());
    }
}
