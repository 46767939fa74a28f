//! The two clocks of one game.

use shakmaty::{ByColor, Color};

use super::{DelayKind, TimeControl};
use crate::Millis;

/// The state of both clocks at the moment of the game's last event.
///
/// `spent` is what the side to move has used since its turn began; it is
/// charged only when the move is made. So a pause in the middle of a move
/// loses nothing, and neither a delay nor a credit can be had twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    left: ByColor<Millis>,
    spent: Millis,
    running: bool,
}

impl Clock {
    /// Both clocks full and standing still.
    pub fn new(control: &TimeControl) -> Clock {
        let full = control.initial().unwrap_or(Millis::ZERO);
        Clock {
            left: ByColor {
                white: full,
                black: full,
            },
            spent: Millis::ZERO,
            running: false,
        }
    }

    /// Whether the clock of the side to move is running.
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// Starts or stops the clock of the side to move.
    pub fn run(&mut self, running: bool) {
        self.running = running;
    }

    /// Lets time pass.
    pub fn pass(&mut self, elapsed: Millis) {
        if self.running {
            self.spent = self.spent + elapsed;
        }
    }

    /// What both clocks show once `elapsed` more has passed.
    pub fn shown(&self, control: &TimeControl, turn: Color, elapsed: Millis) -> ByColor<Millis> {
        let mut after = *self;
        after.pass(elapsed);
        let mut shown = after.left;
        *shown.get_mut(turn) = *after.left.get(turn) - charge(control, after.spent);
        shown
    }

    /// How long until the flag of the side to move falls, if nothing
    /// happens. `None`: its clock does not run.
    pub fn until_flag(&self, control: &TimeControl, turn: Color) -> Option<Millis> {
        self.running.then(|| {
            let free = match control {
                TimeControl::Delay {
                    delay,
                    kind: DelayKind::Us,
                    ..
                } => *delay,
                _ => Millis::ZERO,
            };
            *self.left.get(turn) + free - self.spent
        })
    }

    /// Charges the move just made by `mover`, which is the `moves`th of that
    /// side, and gives what the control gives for it. A free move (a first
    /// move before the clocks start) changes nothing.
    pub fn complete_move(&mut self, control: &TimeControl, mover: Color, moves: u32, free: bool) {
        let spent = std::mem::take(&mut self.spent);
        if free {
            return;
        }
        let left = self.left.get_mut(mover);
        *left = *left - charge(control, spent);
        *left = match control {
            TimeControl::Unlimited => *left,
            TimeControl::Correspondence { days } => Millis::from_days(u32::from(*days)),
            TimeControl::Fischer { increment, .. } => *left + *increment,
            TimeControl::Delay {
                delay,
                kind: DelayKind::Bronstein,
                ..
            } => *left + spent.min(*delay),
            TimeControl::Delay {
                kind: DelayKind::Us,
                ..
            } => *left,
            TimeControl::Stages(stages) => {
                let made_in = usize::from(control.stage(moves.saturating_sub(1)));
                let now_in = usize::from(control.stage(moves));
                let next = if now_in > made_in {
                    stages[now_in].initial
                } else {
                    Millis::ZERO
                };
                *left + stages[made_in].increment + next
            }
        };
    }

    /// The clocks as they were when the turn began.
    pub fn at_start_of_turn(&self) -> Clock {
        Clock {
            spent: Millis::ZERO,
            ..*self
        }
    }

    /// Gives `color` time.
    pub fn add(&mut self, color: Color, gift: Millis) {
        let left = self.left.get_mut(color);
        *left = *left + gift;
    }

    /// What the side to move has spent on this turn so far.
    pub fn spent(&self) -> Millis {
        self.spent
    }

    /// Takes back part of what the side to move has spent in this turn: never
    /// more than was spent.
    pub fn credit(&mut self, lost: Millis) {
        self.spent = self.spent - lost;
    }

    /// Sets both clocks, as an operator may.
    pub fn set(&mut self, left: ByColor<Millis>) {
        self.left = left;
        self.spent = Millis::ZERO;
    }
}

/// What `spent` on one move costs under this control.
fn charge(control: &TimeControl, spent: Millis) -> Millis {
    match control {
        TimeControl::Unlimited => Millis::ZERO,
        TimeControl::Delay {
            delay,
            kind: DelayKind::Us,
            ..
        } => spent - *delay,
        _ => spent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Stage;

    const fn secs(s: u32) -> Millis {
        Millis::from_secs(s)
    }

    /// White's clock after moves that took so many milliseconds each.
    fn after(control: &TimeControl, times: &[u32]) -> Vec<u32> {
        let mut clock = Clock::new(control);
        clock.run(true);
        (1..)
            .zip(times)
            .map(|(moves, ms)| {
                clock.pass(Millis(*ms));
                clock.complete_move(control, Color::White, moves, false);
                clock.shown(control, Color::Black, Millis::ZERO).white.0
            })
            .collect()
    }

    #[test]
    fn sudden_death_only_ever_falls() {
        let control = TimeControl::Fischer {
            initial: secs(60),
            increment: Millis::ZERO,
        };
        assert_eq!(after(&control, &[1_500, 0, 58_499]), [58_500, 58_500, 1]);
    }

    #[test]
    fn fischer_adds_the_increment_after_the_move() {
        let control = TimeControl::Fischer {
            initial: secs(60),
            increment: secs(2),
        };
        assert_eq!(after(&control, &[500, 10_000]), [61_500, 53_500]);
    }

    #[test]
    fn us_delay_is_free_but_never_saved_up() {
        let control = TimeControl::Delay {
            initial: secs(60),
            delay: secs(5),
            kind: DelayKind::Us,
        };
        assert_eq!(
            after(&control, &[4_000, 5_000, 8_000]),
            [60_000, 60_000, 57_000]
        );
    }

    #[test]
    fn us_delay_lets_the_flag_fall_later() {
        let control = TimeControl::Delay {
            initial: secs(60),
            delay: secs(5),
            kind: DelayKind::Us,
        };
        let mut clock = Clock::new(&control);
        clock.run(true);
        assert_eq!(clock.until_flag(&control, Color::White), Some(secs(65)));
        clock.pass(secs(3));
        assert_eq!(clock.until_flag(&control, Color::White), Some(secs(62)));
        assert_eq!(
            clock.shown(&control, Color::White, Millis::ZERO).white,
            secs(60)
        );
    }

    #[test]
    fn bronstein_gives_back_what_was_used_up_to_the_delay() {
        let control = TimeControl::Delay {
            initial: secs(60),
            delay: secs(5),
            kind: DelayKind::Bronstein,
        };
        assert_eq!(
            after(&control, &[4_000, 5_000, 8_000]),
            [60_000, 60_000, 57_000]
        );
        let mut clock = Clock::new(&control);
        clock.run(true);
        assert_eq!(clock.until_flag(&control, Color::White), Some(secs(60)));
    }

    #[test]
    fn a_new_stage_adds_its_time_with_the_move_that_reaches_it() {
        let stage = |moves, initial, increment| Stage {
            moves,
            initial: secs(initial),
            increment: secs(increment),
        };
        let control = TimeControl::Stages(Box::new(vec![stage(2, 100, 0), stage(0, 50, 3)]));
        assert_eq!(
            after(&control, &[10_000, 20_000, 5_000]),
            [90_000, 120_000, 118_000]
        );
    }

    #[test]
    fn a_correspondence_clock_starts_anew_with_each_move() {
        let control = TimeControl::Correspondence { days: 3 };
        let full = Millis::from_days(3).0;
        assert_eq!(after(&control, &[80_000_000, 1]), [full, full]);
    }

    #[test]
    fn a_pause_in_the_middle_of_a_move_neither_costs_nor_gives() {
        let control = TimeControl::Delay {
            initial: secs(60),
            delay: secs(5),
            kind: DelayKind::Us,
        };
        let mut clock = Clock::new(&control);
        clock.run(true);
        clock.pass(secs(4));
        clock.run(false);
        clock.pass(secs(1_000));
        clock.run(true);
        clock.pass(secs(4));
        clock.complete_move(&control, Color::White, 1, false);
        assert_eq!(
            clock.shown(&control, Color::Black, Millis::ZERO).white,
            secs(57)
        );
    }

    #[test]
    fn a_credit_never_exceeds_what_was_spent() {
        let control = TimeControl::Fischer {
            initial: secs(60),
            increment: Millis::ZERO,
        };
        let mut clock = Clock::new(&control);
        clock.run(true);
        clock.pass(secs(10));
        clock.credit(secs(25));
        assert_eq!(
            clock.shown(&control, Color::White, Millis::ZERO).white,
            secs(60)
        );
    }

    #[test]
    fn bounds_are_checked() {
        let fischer = |i, n| {
            TimeControl::Fischer {
                initial: secs(i),
                increment: secs(n),
            }
            .check()
        };
        assert!(fischer(300, 0).is_ok());
        assert!(fischer(0, 1).is_ok());
        assert!(fischer(0, 0).is_err());
        assert!(fischer(43_201, 0).is_err());
        assert!(fischer(60, 601).is_err());
        assert!(TimeControl::Correspondence { days: 0 }.check().is_err());
        assert!(TimeControl::Correspondence { days: 15 }.check().is_err());
        assert!(TimeControl::Stages(Box::default()).check().is_err());
    }

    #[test]
    fn a_clock_that_starts_at_zero_has_its_increment_or_three_seconds() {
        let start = |n| {
            TimeControl::Fischer {
                initial: Millis::ZERO,
                increment: secs(n),
            }
            .initial()
        };
        assert_eq!(start(1), Some(secs(3)));
        assert_eq!(start(10), Some(secs(10)));
    }
}
