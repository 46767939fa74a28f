//! What time the players agreed on.

use std::fmt;

use crate::Millis;

/// How much time each side has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// No clock.
    Unlimited,
    /// So many days for every single move.
    Correspondence {
        /// 1 to 14.
        days: u8,
    },
    /// A fixed time, and an increment after each move (zero: sudden death).
    Fischer {
        /// What the clock starts with.
        initial: Millis,
        /// What each completed move adds.
        increment: Millis,
    },
    /// A fixed time, and a part of each move that costs nothing.
    Delay {
        /// What the clock starts with.
        initial: Millis,
        /// What is free on each move.
        delay: Millis,
        /// How it is given.
        kind: DelayKind,
    },
    /// Several periods, such as 40 moves in 90 minutes, then 30 minutes.
    Stages(Box<Vec<Stage>>),
}

/// The two ways to give a delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayKind {
    /// The clock starts to run only after the delay.
    Us,
    /// The clock runs at once; what was used, up to the delay, is given back.
    Bronstein,
}

/// One period of a staged time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The moves to complete in it; zero in the last stage: all the rest.
    pub moves: u16,
    /// What the stage adds to the clock when it begins.
    pub initial: Millis,
    /// What each move completed in it adds.
    pub increment: Millis,
}

/// When the clocks begin to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockStart {
    /// White's clock runs from the moment Black joins.
    #[default]
    Join,
    /// No clock and no increment before the second half-move; a first move
    /// not made in time aborts the game.
    SecondPly,
}

/// How fast a game is, for pools, ratings and patience with the absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Speed {
    /// Under half a minute.
    UltraBullet,
    /// Under three minutes.
    Bullet,
    /// Under eight minutes.
    Blitz,
    /// Under 25 minutes.
    Rapid,
    /// Slower, with a clock.
    Classical,
    /// Days per move, or no clock at all.
    Correspondence,
}

/// Why a time control was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadTimeControl {
    /// What of it is wrong, as clients call it; empty: all of it.
    pub field: &'static str,
    /// A sentence that says why.
    pub why: &'static str,
}

impl fmt::Display for BadTimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)
    }
}

impl std::error::Error for BadTimeControl {}

/// The longest time one stage may give.
const INITIAL_MAX: Millis = Millis::from_secs(12 * 3600);
/// The longest increment or delay.
const INCREMENT_MAX: Millis = Millis::from_secs(600);
/// A clock that starts at zero lives on its increment, but never on less than this.
const INITIAL_MIN: Millis = Millis::from_secs(3);

impl TimeControl {
    /// Checks the bounds.
    ///
    /// # Errors
    /// [`BadTimeControl`] says which bound is broken.
    pub fn check(&self) -> Result<(), BadTimeControl> {
        match self {
            TimeControl::Unlimited => Ok(()),
            TimeControl::Correspondence { days } if (1..=14).contains(days) => Ok(()),
            TimeControl::Correspondence { .. } => {
                Err(bad("days_per_move", "a move has from 1 to 14 days"))
            }
            TimeControl::Fischer { initial, increment } => check_period(*initial, *increment),
            TimeControl::Delay { initial, delay, .. } if *delay == Millis::ZERO => {
                check_period(*initial, Millis::ZERO)
                    .and(Err(bad("delay_seconds", "a delay is at least a second")))
            }
            TimeControl::Delay { initial, delay, .. } => {
                check_period(*initial, *delay).map_err(|bad| match bad.field {
                    "increment_seconds" => BadTimeControl {
                        field: "delay_seconds",
                        ..bad
                    },
                    _ => bad,
                })?;
                if *initial == Millis::ZERO {
                    return Err(bad(
                        "initial_seconds",
                        "with a delay, the clock needs time to start with",
                    ));
                }
                Ok(())
            }
            TimeControl::Stages(stages) => check_stages(stages),
        }
    }

    /// What both clocks show at the start; `None` without a clock.
    pub fn initial(&self) -> Option<Millis> {
        match self {
            TimeControl::Unlimited => None,
            TimeControl::Correspondence { days } => Some(Millis::from_days(u32::from(*days))),
            TimeControl::Fischer { initial, increment } if *initial == Millis::ZERO => {
                Some((*increment).max(INITIAL_MIN))
            }
            TimeControl::Fischer { initial, .. } | TimeControl::Delay { initial, .. } => {
                Some(*initial)
            }
            TimeControl::Stages(stages) => stages.first().map(|s| s.initial),
        }
    }

    /// Whether seconds count: neither days per move nor no clock at all.
    pub fn is_real_time(&self) -> bool {
        !matches!(
            self,
            TimeControl::Unlimited | TimeControl::Correspondence { .. }
        )
    }

    /// Whether each move has its days.
    pub fn is_by_days(&self) -> bool {
        matches!(self, TimeControl::Correspondence { .. })
    }

    /// The speed, from the time a game of 40 moves would take.
    pub fn speed(&self) -> Speed {
        let (initial, per_move) = match self {
            TimeControl::Unlimited | TimeControl::Correspondence { .. } => {
                return Speed::Correspondence;
            }
            TimeControl::Fischer { initial, increment } => (*initial, *increment),
            TimeControl::Delay { initial, delay, .. } => (*initial, *delay),
            TimeControl::Stages(stages) => {
                let total = stages.iter().fold(Millis::ZERO, |sum, s| sum + s.initial);
                (total, stages.first().map_or(Millis::ZERO, |s| s.increment))
            }
        };
        match initial.as_secs() + 40 * per_move.as_secs() {
            0..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            _ => Speed::Classical,
        }
    }

    /// The stage in which a player is who has completed `moves` moves, from 0.
    pub fn stage(&self, moves: u32) -> u8 {
        let TimeControl::Stages(stages) = self else {
            return 0;
        };
        let mut left = moves;
        for (index, stage) in (0..).zip(stages.iter()) {
            if stage.moves == 0 || left < u32::from(stage.moves) {
                return index;
            }
            left -= u32::from(stage.moves);
        }
        unreachable!("the last stage holds all the rest")
    }
}

fn bad(field: &'static str, why: &'static str) -> BadTimeControl {
    BadTimeControl { field, why }
}

fn check_period(initial: Millis, increment: Millis) -> Result<(), BadTimeControl> {
    if initial > INITIAL_MAX {
        return Err(bad(
            "initial_seconds",
            "a clock starts with at most 12 hours",
        ));
    }
    if increment > INCREMENT_MAX {
        return Err(bad(
            "increment_seconds",
            "an increment or a delay is at most 10 minutes",
        ));
    }
    if initial + increment == Millis::ZERO {
        return Err(bad(
            "initial_seconds",
            "a clock needs time, or an increment",
        ));
    }
    Ok(())
}

fn check_stages(stages: &[Stage]) -> Result<(), BadTimeControl> {
    let Some((last, earlier)) = stages.split_last() else {
        return Err(bad("stages", "there must be a stage"));
    };
    if stages.len() > 4 {
        return Err(bad("stages", "at most 4 stages"));
    }
    if last.moves != 0 {
        return Err(bad(
            "stages",
            "the last stage has no number of moves: it holds the rest",
        ));
    }
    if earlier.iter().any(|s| s.moves == 0 || s.moves > 200) {
        return Err(bad(
            "stages",
            "every stage but the last needs moves, from 1 to 200",
        ));
    }
    for stage in stages {
        let period = check_period(stage.initial, stage.increment);
        period.map_err(|why| bad("stages", why.why))?;
        if stage.initial == Millis::ZERO {
            return Err(bad("stages", "every stage needs time to start with"));
        }
    }
    Ok(())
}

impl Speed {
    /// How long the first move may take when clocks start with the second
    /// half-move; `None` where nobody is hurried.
    pub fn first_move_limit(self) -> Option<Millis> {
        Some(Millis::from_secs(match self {
            Speed::UltraBullet => 15,
            Speed::Bullet => 20,
            Speed::Blitz => 25,
            Speed::Rapid => 30,
            Speed::Classical => 35,
            Speed::Correspondence => return None,
        }))
    }

    /// How long a player may be out of sight before the opponent may claim
    /// the game; `None`: nobody is ever gone.
    pub fn grace(self) -> Option<Millis> {
        Some(Millis::from_secs(match self {
            Speed::UltraBullet | Speed::Bullet => 10,
            Speed::Blitz => 30,
            Speed::Rapid => 60,
            Speed::Classical => 120,
            Speed::Correspondence => return None,
        }))
    }

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Speed::UltraBullet => "ultra_bullet",
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }
}
