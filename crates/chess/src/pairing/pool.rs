//! What those who wait together want to play.

use std::fmt;
use std::str::FromStr;

use crate::Millis;
use crate::clock::{ClockStart, DelayKind, Stage, TimeControl};
use crate::game::Terms;
use crate::rating::Category;
use crate::rules::Variant;

/// Games of one time control, one variant, rated or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// How much time each side has.
    pub control: TimeControl,
    /// By which rules.
    pub variant: Variant,
    /// Whether it counts.
    pub rated: bool,
}

impl Pool {
    /// The terms of the games that are made of this pool. Where both have to be there
    /// no clock runs before each has shown that they are: one who is not ends the game
    /// by the limit of the first move, and nobody loses by it.
    pub fn terms(&self) -> Terms {
        let clock_start = match self.control.is_real_time() {
            true => ClockStart::SecondPly,
            false => ClockStart::Join,
        };
        Terms {
            variant: self.variant,
            rated: self.rated,
            takebacks: !self.rated,
            clock_start,
            ..Terms::casual(self.control.clone())
        }
    }

    /// The pool where somebody would look who also wants a game with these terms, or
    /// `None` if they are too much of one's own. When the clock starts makes no difference.
    pub fn of(terms: &Terms) -> Option<Pool> {
        let pool = Pool {
            control: terms.control.clone(),
            variant: terms.variant,
            rated: terms.rated,
        };
        let usual = Terms {
            clock_start: terms.clock_start,
            ..pool.terms()
        };
        (usual == *terms).then_some(pool)
    }

    /// Which rating counts in it.
    pub fn category(&self) -> Category {
        Category::of(&self.terms())
    }
}

/// Text that [`Pool::from_str`] reads; times in milliseconds. It is how pools are
/// told apart where tickets are kept, and on no wire.
impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.control {
            TimeControl::Unlimited => f.write_str("none")?,
            TimeControl::Correspondence { days } => write!(f, "days:{days}")?,
            TimeControl::Fischer { initial, increment } => {
                write!(f, "fischer:{}+{}", initial.0, increment.0)?;
            }
            TimeControl::Delay {
                initial,
                delay,
                kind,
            } => {
                let kind = match kind {
                    DelayKind::Us => "us",
                    DelayKind::Bronstein => "bronstein",
                };
                write!(f, "{kind}:{}+{}", initial.0, delay.0)?;
            }
            TimeControl::Stages(stages) => {
                f.write_str("stages")?;
                for stage in stages.iter() {
                    let (initial, increment) = (stage.initial.0, stage.increment.0);
                    write!(f, ":{}/{initial}+{increment}", stage.moves)?;
                }
            }
        }
        let rated = if self.rated { "rated" } else { "casual" };
        write!(f, " {} {rated}", self.variant.name())
    }
}

/// Text that names no pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPool;

impl FromStr for Pool {
    type Err = NoPool;

    fn from_str(text: &str) -> Result<Pool, NoPool> {
        let mut words = text.split(' ');
        let mut word = || words.next().ok_or(NoPool);
        let control = control(word()?).ok_or(NoPool)?;
        let variant = Variant::from_name(word()?).ok_or(NoPool)?;
        let rated = match word()? {
            "rated" => true,
            "casual" => false,
            _ => return Err(NoPool),
        };
        let is_all = words.next().is_none();
        let pool = Pool {
            control,
            variant,
            rated,
        };
        (is_all && pool.control.check().is_ok())
            .then_some(pool)
            .ok_or(NoPool)
    }
}

fn control(text: &str) -> Option<TimeControl> {
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    Some(match kind {
        "none" if rest.is_empty() => TimeControl::Unlimited,
        "days" => TimeControl::Correspondence {
            days: rest.parse().ok()?,
        },
        "fischer" => {
            let (initial, increment) = times(rest)?;
            TimeControl::Fischer { initial, increment }
        }
        "us" | "bronstein" => {
            let (initial, delay) = times(rest)?;
            let kind = match kind {
                "us" => DelayKind::Us,
                _ => DelayKind::Bronstein,
            };
            TimeControl::Delay {
                initial,
                delay,
                kind,
            }
        }
        "stages" => {
            let stages: Option<Vec<Stage>> = rest.split(':').map(stage).collect();
            TimeControl::Stages(Box::new(stages?))
        }
        _ => return None,
    })
}

fn stage(text: &str) -> Option<Stage> {
    let (moves, rest) = text.split_once('/')?;
    let (initial, increment) = times(rest)?;
    Some(Stage {
        moves: moves.parse().ok()?,
        initial,
        increment,
    })
}

fn times(text: &str) -> Option<(Millis, Millis)> {
    let (first, second) = text.split_once('+')?;
    Some((Millis(first.parse().ok()?), Millis(second.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controls() -> [TimeControl; 6] {
        let (initial, increment) = (Millis::from_secs(300), Millis::from_secs(3));
        let delay = |kind| TimeControl::Delay {
            initial,
            delay: increment,
            kind,
        };
        let stage = |moves| Stage {
            moves,
            initial,
            increment,
        };
        [
            TimeControl::Unlimited,
            TimeControl::Correspondence { days: 3 },
            TimeControl::Fischer { initial, increment },
            delay(DelayKind::Us),
            delay(DelayKind::Bronstein),
            TimeControl::Stages(Box::new(vec![stage(40), stage(0)])),
        ]
    }

    #[test]
    fn every_pool_is_read_as_it_is_written() {
        for control in controls() {
            for variant in Variant::ALL {
                for rated in [false, true] {
                    let pool = Pool {
                        control: control.clone(),
                        variant,
                        rated,
                    };
                    assert_eq!(pool.to_string().parse(), Ok(pool.clone()), "{pool}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_pool_is_not_read() {
        for text in [
            "",
            "none standard",
            "none standard rated twice",
            "fischer:300000+3000 checkers rated",
            "fischer:300000 standard rated",
            "days:15 standard rated",
            "stages: standard casual",
        ] {
            assert_eq!(text.parse::<Pool>(), Err(NoPool), "{text}");
        }
    }

    #[test]
    fn terms_of_ones_own_belong_to_no_pool() {
        let [_, _, control, ..] = controls();
        let pool = Pool {
            control,
            variant: Variant::Atomic,
            rated: true,
        };
        assert_eq!(Pool::of(&pool.terms()), Some(pool.clone()));
        let late = Terms {
            spectator_delay: 60,
            ..pool.terms()
        };
        assert_eq!(Pool::of(&late), None);
        let at_once = Terms {
            clock_start: ClockStart::Join,
            ..pool.terms()
        };
        assert_eq!(Pool::of(&at_once), Some(pool));
    }
}
