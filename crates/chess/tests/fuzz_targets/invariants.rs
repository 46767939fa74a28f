//! What holds for every game.

use chess::clock::{DelayKind, TimeControl};
use chess::game::{Command, Event, Game, MoveCommand, Offer};
use chess::table::{Actor, Verdict};
use chess::{Color, Millis, Timestamp};

use super::random_play::Step;

/// Two games look the same from outside and will answer the same.
pub(crate) fn assert_same(one: &Game, other: &Game) {
    assert_eq!(looks(one), looks(other));
    let now = one.last_at();
    for command in [
        Command::ClaimDraw {
            opponent_seen: Some(Timestamp(0)),
        },
        Command::Offer(Offer::Draw),
        Command::Accept(Offer::Takeback),
        Command::Move(MoveCommand {
            version: Some(one.version() - 1),
            ..first_move(one)
        }),
    ] {
        for who in one.seats().iter().flatten() {
            let ask = |game: &Game| game.decide(now, Actor::Player(*who), &command);
            assert_eq!(ask(one), ask(other));
        }
    }
}

fn first_move(game: &Game) -> MoveCommand {
    let moves = game.board().legal_moves();
    let text = moves.first().map(|m| game.board().uci_text(*m));
    MoveCommand::new(&text.unwrap_or_default())
}

fn looks(game: &Game) -> impl PartialEq + std::fmt::Debug {
    let now = game.last_at();
    (
        (game.version(), now, game.created_at(), game.creation()),
        (game.phase(), game.ply(), game.turn(), game.board().fen()),
        (*game.seats(), game.creator(), game.opponent()),
        (game.invited().to_vec(), Offer::ALL.map(|o| game.offer(o))),
        (game.clocks(now), game.clocks(now + Millis::from_secs(1))),
        (game.is_clock_running(), Color::ALL.map(|c| game.stage(c))),
        game.next_deadline(now),
    )
}

/// No clock shows more after a change than before it, but for what a rule gives.
pub(crate) fn assert_no_time_from_nowhere(step: &Step<'_>) {
    let (Some(before), Some(after)) = (step.before.clocks(step.at), step.after.clocks(step.at))
    else {
        return;
    };
    for color in Color::ALL {
        let rise = *after.get(color) - *before.get(color);
        let rule = given(step, color);
        assert!(
            rise <= rule,
            "{color}: {rise}, not {rule}, by {:?}",
            step.event
        );
    }
    let later = step.after.clocks(step.at + Millis::from_secs(5));
    for (color, later) in later.iter().flat_map(|clocks| clocks.zip_color()) {
        assert!(later <= *after.get(color), "a clock ran backwards");
    }
}

/// The most that a rule gives `color` by this change.
fn given(step: &Step<'_>, color: Color) -> Millis {
    match step.event {
        // The clocks go back to what they were.
        Event::TakenBack { .. } | Event::ClockSet { .. } => Millis(u32::MAX),
        Event::TimeAdded { to, gift } if *to == color => *gift,
        Event::TimeCredited { credit } if step.before.turn() == color => *credit,
        Event::Moved { lag, .. } if step.before.turn() == color => {
            let control = &step.after.terms().control;
            *lag + match control {
                TimeControl::Unlimited => Millis::ZERO,
                TimeControl::Correspondence { days } => Millis::from_days(u32::from(*days)),
                TimeControl::Fischer { increment, .. } => *increment,
                TimeControl::Delay {
                    kind: DelayKind::Us,
                    ..
                } => Millis::ZERO,
                TimeControl::Delay { delay, .. } => *delay,
                TimeControl::Stages(stages) => {
                    let (was, is) = (step.before.stage(color), step.after.stage(color));
                    let next = stages[usize::from(is)].initial;
                    let next = if is > was { next } else { Millis::ZERO };
                    stages[usize::from(was)].increment + next
                }
            }
        }
        _ => Millis::ZERO,
    }
}

/// At its deadline the game ends by itself, and not a millisecond earlier.
pub(crate) fn assert_deadline_is_sharp(game: &Game) {
    let seen = game.last_at();
    let tick = Command::Tick { host_seen: seen };
    let look = |at| game.decide(at, Actor::Server, &tick);
    let Some(deadline) = game.next_deadline(seen) else {
        return assert_eq!(look(Timestamp(u64::MAX)), Verdict::Already(game.version()));
    };
    assert!(matches!(
        look(deadline),
        Verdict::Change(Event::Ended { .. })
    ));
    if deadline > game.last_at() {
        let just_before = look(Timestamp(deadline.0 - 1));
        assert_eq!(just_before, Verdict::Already(game.version()));
    }
}

/// A move sent again is answered as the first time, whatever it brought about.
pub(crate) fn assert_retry_is_harmless(step: &Step<'_>) {
    let (Event::Moved { .. }, Command::Move(sent)) = (step.event, step.command) else {
        return;
    };
    let retry = Command::Move(MoveCommand {
        ply: Some(step.after.ply()),
        ..sent.clone()
    });
    let answer = step.after.decide(step.at, step.who, &retry);
    assert_eq!(answer, Verdict::Already(step.after.version()));
}
