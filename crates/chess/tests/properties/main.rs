//! What holds for every game: random terms, commands of every kind, by anyone,
//! at any time, forwards and backwards.
//!
//! The games are those of the fuzz targets; here a fixed seed chooses them, so
//! that every run sees the same ones and a failure is shrunk and repeated.

mod histories;
#[path = "../fuzz_targets/invariants.rs"]
#[allow(dead_code, reason = "the fuzz targets use the rest")]
mod invariants;
#[path = "../fuzz_targets/random_play.rs"]
#[allow(dead_code, reason = "the fuzz targets use the rest")]
mod random_play;
#[path = "../fuzz_targets/source.rs"]
#[allow(dead_code, reason = "the fuzz targets use the rest")]
mod source;

use std::cell::RefCell;
use std::collections::BTreeSet;

use chess::clock::{DelayKind, TimeControl};
use chess::game::{
    Command, Ending, Event, Game, MoveCommand, MoveReport, Offer, Phase, Refusal, WinReason,
};
use chess::rules::Variant;
use chess::table::{Actor, Verdict};
use chess::{ByColor, Color, Millis, Timestamp};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use random_play::Step;

/// How many games each property is tried in.
const GAMES: u32 = 1500;

/// One change of a random game.
struct Moment {
    before: Game,
    who: Actor,
    command: Command,
    at: Timestamp,
    event: Event,
    after: Game,
}

/// Plays random games, shows each with all its changes, and fails with the
/// shortest that breaks the property.
fn in_every_game(property: impl Fn(&[Moment], &Game)) {
    let config = Config {
        cases: GAMES,
        rng_seed: RngSeed::Fixed(64),
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&vec(any::<u8>(), 0..1500), |bytes| {
        let mut moments = Vec::new();
        let end = random_play::game(&mut source::Source::new(&bytes), |step| {
            moments.push(Moment {
                before: step.before.clone(),
                who: step.who,
                command: step.command.clone(),
                at: step.at,
                event: step.event.clone(),
                after: step.after.clone(),
            });
        });
        if let Some(end) = end {
            property(&moments, &end);
        }
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

impl Moment {
    fn step(&self) -> Step<'_> {
        Step {
            before: &self.before,
            who: self.who,
            command: &self.command,
            at: self.at,
            event: &self.event,
            after: &self.after,
        }
    }

    fn is_move(&self) -> bool {
        matches!(self.event, Event::Moved { .. })
    }
}

fn seated(game: &Game, color: Color) -> Actor {
    Actor::Player(game.seats().get(color).expect("a game that has begun"))
}

/// The games are worth playing: they reach every variant, event and ending.
#[test]
fn the_random_games_see_everything() {
    let seen: RefCell<BTreeSet<String>> = RefCell::default();
    in_every_game(|moments, end| {
        let mut seen = seen.borrow_mut();
        seen.insert(end.terms().variant.name().to_owned());
        for moment in moments {
            let event = format!("{:?}", moment.event);
            let kind = event.split([' ', '(']).next().unwrap_or_default();
            seen.insert(kind.to_owned());
        }
        if let Some(ending) = end.ending() {
            seen.insert(format!("{ending:?}"));
        }
    });
    let seen = seen.into_inner();
    let events = "Joined Invited Moved IllegalAttempt Ended Offered OfferDeclined TakenBack Paused \
                  ResumeAsked Resumed TimeAdded TimeCredited ClockSet VacationBegan VacationEnded";
    let variants = Variant::ALL.iter().map(|variant| variant.name());
    for wanted in events.split_whitespace().chain(variants) {
        assert!(seen.contains(wanted), "{wanted}");
    }
    let endings = seen.iter().filter(|s| s.contains(" by: ")).count();
    assert!(endings >= 20, "only {endings} endings");
}

#[test]
fn every_change_is_the_next_version_and_time_never_runs_backwards() {
    in_every_game(|moments, end| {
        for (version, moment) in (1..).zip(moments) {
            let begun = moments[0].before.version() - 1;
            assert_eq!(moment.before.version(), version + begun);
            assert_eq!(moment.after.version(), version + begun + 1);
            assert!(moment.after.last_at() >= moment.before.last_at());
        }
        assert_eq!(end.entries().count(), end.version() as usize);
        assert!(end.entries().is_sorted_by_key(|entry| entry.at));
    });
}

#[test]
fn a_draw_is_not_offered_again_within_twenty_half_moves() {
    let refused = RefCell::new(0);
    in_every_game(|moments, _| {
        let mut last = ByColor::<Option<u32>>::default();
        for Moment { event, after, .. } in moments {
            let by = match event {
                Event::Offered { offer, by } if *offer == Offer::Draw => Some(*by),
                Event::Moved { offers_draw, .. } if *offers_draw => Some(!after.turn()),
                _ => None,
            };
            if let Some(by) = by {
                *last.get_mut(by) = Some(after.ply());
            }
            // Who is invited may be noted after the flag fell.
            let has_time = after.deadline().is_none_or(|at| at > after.last_at());
            let is_active = after.phase() == Phase::Active && has_time;
            let is_open = is_active && after.offer(Offer::Draw).is_none();
            for color in Color::ALL
                .into_iter()
                .filter(|_| is_open && after.ply() >= 2)
            {
                let offer = Command::Offer(Offer::Draw);
                let verdict = after.decide(after.last_at(), seated(after, color), &offer);
                let is_soon = last.get(color).is_some_and(|ply| after.ply() < ply + 20);
                let is_refused = matches!(verdict, Verdict::Refused(Refusal::TooSoon(_)));
                assert_eq!(is_refused, is_soon, "{verdict:?}");
                *refused.borrow_mut() += u32::from(is_refused);
            }
        }
    });
    assert!(refused.into_inner() > 100, "hardly any offer was too soon");
}

/// Acknowledged again byte for byte, however much later and whatever happened.
#[test]
fn every_move_is_reported_for_ever_as_it_was_the_first_time() {
    in_every_game(|moments, end| {
        for moment in moments {
            let Event::Moved { uci, .. } = moment.event else {
                assert_eq!(end.report(moment.after.version()), None);
                continue;
            };
            let before = moment.before.board();
            let live = MoveReport::new(before, before.recorded(uci), &moment.after);
            assert_eq!(end.report(live.version), Some(live));
        }
    });
}

#[test]
fn nothing_changes_a_game_that_is_over() {
    in_every_game(|moments, end| {
        let mut over = end.clone();
        let draw = Command::Adjudicate(Ending::Won {
            winner: Color::White,
            by: WinReason::Adjudicated,
        });
        let now = end.last_at();
        if let Verdict::Change(event) = end.decide(now, Actor::Operator, &draw) {
            over.evolve(now, &event);
        }
        if over.ending().is_none() {
            return assert_eq!(over.phase(), Phase::Waiting, "only these cannot be decided");
        }
        assert_eq!(over.next_deadline(now), None);
        for moment in moments {
            for now in [moment.at, over.last_at() + Millis::from_days(40)] {
                for who in [moment.who, Actor::Operator, Actor::Server] {
                    let verdict = over.decide(now, who, &moment.command);
                    let still = matches!(verdict, Verdict::Already(_) | Verdict::Refused(_));
                    assert!(still, "{:?} led to {verdict:?}", moment.command);
                }
            }
        }
    });
}

#[test]
fn a_deadline_is_sharp_to_the_millisecond() {
    in_every_game(|moments, _| {
        for moment in moments {
            invariants::assert_deadline_is_sharp(&moment.after);
        }
    });
}

#[test]
fn a_clock_falls_with_time_and_rises_by_a_rule_only() {
    in_every_game(|moments, _| {
        let mut turns = Turns::default();
        for moment in moments {
            invariants::assert_no_time_from_nowhere(&moment.step());
            turns.follow(moment);
            let after = &moment.after;
            let times = [0, 1, 5, 1_000, 3_600_000].map(|ms| after.last_at() + Millis(ms));
            let shown = times.map(|now| after.clocks(now));
            for color in Color::ALL {
                let shown = shown.map(|clocks| clocks.map(|c| *c.get(color)));
                assert!(shown.is_sorted_by(|earlier, later| earlier >= later));
            }
            // Before the last change nothing is known of the clocks but that change.
            assert_eq!(after.clocks(Timestamp(0)), after.clocks(after.last_at()));
        }
    });
}

#[test]
fn taking_a_move_back_is_as_if_it_had_not_been_played() {
    let undone = RefCell::new(0);
    in_every_game(|moments, _| {
        let mut turns = Turns::default();
        for moment in moments {
            turns.follow(moment);
            if !moment.is_move() {
                continue;
            }
            // By the one who has just moved, and by the one who would have to move.
            for by in Color::ALL {
                if let Some(back) = taken_back(&moment.after, by) {
                    turns.assert_gifts_are_kept(&back);
                    turns.assert_back(&back);
                    *undone.borrow_mut() += 1;
                }
            }
        }
    });
    assert!(
        undone.into_inner() > 1000,
        "the games are too short to tell"
    );
}

/// The game after `by` has asked for a takeback and got it.
fn taken_back(game: &Game, by: Color) -> Option<Game> {
    if game.phase() != Phase::Active {
        return None;
    }
    let mut back = game.clone();
    let now = game.last_at();
    let offer = Command::Offer(Offer::Takeback);
    random_play::apply(&mut back, now, seated(game, by), &offer)?;
    let accept = Command::Accept(Offer::Takeback);
    random_play::apply(&mut back, now, seated(game, !by), &accept).expect("an offer to accept");
    Some(back)
}

/// The core undoes any number of half-moves, even where players may ask for two.
#[test]
fn a_game_can_be_taken_back_to_any_of_its_positions() {
    in_every_game(|moments, end| {
        let mut turns = Turns::default();
        moments.iter().for_each(|moment| turns.follow(moment));
        if end.phase() != Phase::Active {
            return;
        }
        for plies in (1..=end.ply()).filter_map(|plies| u16::try_from(plies).ok()) {
            let mut back = end.clone();
            let by = end.turn();
            let given = ByColor::default();
            back.evolve(end.last_at(), &Event::TakenBack { plies, by, given });
            turns.assert_back(&back);
        }
    });
}

/// What the clocks and the game must be when the turn at each ply begins,
/// kept apart from the game and by adding only.
#[derive(Default)]
struct Turns {
    begun: Vec<Begun>,
}

#[derive(Default)]
struct Begun {
    clocks: Option<ByColor<Millis>>,
    /// What was given after the move that ended the turn.
    given_later: ByColor<Millis>,
    /// Before that move.
    game: Option<Game>,
}

impl Turns {
    fn follow(&mut self, moment: &Moment) {
        let Moment { before, event, .. } = moment;
        let (after, at) = (&moment.after, moment.at);
        if self.begun.is_empty() {
            let full = before.terms().control.initial();
            self.begun.push(Begun {
                clocks: full.map(|full| ByColor::new_with(|_| full)),
                ..Begun::default()
            });
        }
        let turn = before.turn();
        let (now, earlier) = self.begun.split_last_mut().expect("a turn is on");
        match event {
            Event::Moved { .. } => {
                now.game = Some(before.clone());
                let left = |c: ByColor<Millis>| left_after_move(moment, *c.get(turn));
                let clocks = now.clocks.map(|c| with(c, turn, left(c)));
                self.begun.push(Begun {
                    clocks,
                    ..Begun::default()
                });
            }
            Event::TakenBack { plies, .. } => {
                self.begun.truncate(self.begun.len() - usize::from(*plies));
                let now = self.begun.last_mut().expect("a turn is on");
                now.game = None;
                let given = std::mem::take(&mut now.given_later);
                now.clocks = now.clocks.map(|c| sum(c, given));
            }
            Event::TimeAdded { to, gift } => {
                let gift = with(ByColor::default(), *to, *gift);
                now.clocks = now.clocks.map(|c| sum(c, gift));
                for turn in earlier {
                    turn.given_later = sum(turn.given_later, gift);
                }
            }
            Event::ClockSet { left } => now.clocks = Some(*left),
            Event::TimeCredited { credit } => {
                assert!(*credit <= at.since(before.last_at()), "more than was lost");
            }
            _ => {}
        }
        let Begun { clocks: begun, .. } = self.begun.last().expect("a turn is on");
        let shown = after.clocks(at);
        if let Event::Moved { .. } | Event::TakenBack { .. } | Event::ClockSet { .. } = event {
            assert_eq!(shown, *begun, "{event:?}");
            return;
        }
        // Anything else leaves the turn as it is, at most the gift or the credit better off.
        let (Some(shown), Some(begun)) = (shown, begun) else {
            return;
        };
        let turn = after.turn();
        assert_eq!(shown.get(!turn), begun.get(!turn), "{event:?}");
        assert!(shown.get(turn) <= begun.get(turn), "{event:?}");
    }

    /// A takeback that was agreed on keeps what the players gave each other.
    fn assert_gifts_are_kept(&self, back: &Game) {
        let turn = &self.begun[back.ply() as usize];
        assert_eq!(kept_by(back), turn.given_later);
    }

    /// The game is back where the turn it is in began, with the same future.
    fn assert_back(&self, back: &Game) {
        let Begun { clocks, game, .. } = &self.begun[back.ply() as usize];
        let then = game.as_ref().expect("a move was made in that turn");
        let clocks = clocks.map(|c| sum(c, kept_by(back)));
        assert_eq!(back.clocks(back.last_at()), clocks);
        assert_eq!(back.board().fen(), then.board().fen());
        assert_eq!(back.line(), then.line());
        assert_eq!(back.phase(), Phase::Active);
        assert!(Offer::ALL.iter().all(|offer| back.offer(*offer).is_none()));
        assert_eq!(
            Color::ALL.map(|c| back.stage(c)),
            Color::ALL.map(|c| then.stage(c))
        );
        assert_eq!(future(back), future(then));
    }
}

/// What the takeback that has just happened says was given.
fn kept_by(back: &Game) -> ByColor<Millis> {
    match back.entries().last().map(|entry| entry.event) {
        Some(Event::TakenBack { given, .. }) => given,
        other => panic!("expected a takeback, found {other:?}"),
    }
}

fn sum(one: ByColor<Millis>, other: ByColor<Millis>) -> ByColor<Millis> {
    ByColor::new_with(|color| *one.get(color) + *other.get(color))
}

fn with(clocks: ByColor<Millis>, color: Color, left: Millis) -> ByColor<Millis> {
    let mut clocks = clocks;
    *clocks.get_mut(color) = left;
    clocks
}

/// What the mover has left, from what the clock showed: the rules once more, in
/// the words of the contract.
fn left_after_move(moment: &Moment, at_start: Millis) -> Millis {
    let Moment { before, after, .. } = moment;
    let mover = before.turn();
    if !before.is_clock_running() {
        return at_start;
    }
    // What the network took does not count, so it is as if the move had come earlier.
    let lag = match moment.event {
        Event::Moved { lag, .. } => u64::from(lag.0),
        _ => 0,
    };
    let shown = before
        .clocks(Timestamp(moment.at.0 - lag))
        .map_or(at_start, |c| *c.get(mover));
    match &before.terms().control {
        TimeControl::Unlimited => shown,
        TimeControl::Correspondence { days } => Millis::from_days(u32::from(*days)),
        TimeControl::Fischer { increment, .. } => shown + *increment,
        TimeControl::Delay {
            kind: DelayKind::Us,
            ..
        } => shown,
        TimeControl::Delay { delay, .. } => shown + (at_start - shown).min(*delay),
        TimeControl::Stages(stages) => {
            let (was, is) = (before.stage(mover), after.stage(mover));
            let next = stages[usize::from(is)].initial;
            let next = if is > was { next } else { Millis::ZERO };
            shown + stages[usize::from(was)].increment + next
        }
    }
}

/// What each legal move and a claim would lead to: this shows the counts of
/// positions, which nothing else does.
fn future(game: &Game) -> Vec<Verdict<Event, chess::game::Refusal>> {
    let claim = Command::ClaimDraw {
        opponent_seen: None,
    };
    let legal = game.board().legal_moves();
    let moves = legal.iter().map(|m| {
        let text = game.board().uci(*m).to_string();
        Command::Move(MoveCommand::new(&text))
    });
    moves
        .chain([claim])
        .map(|command| game.decide(game.last_at(), seated(game, game.turn()), &command))
        .collect()
}
