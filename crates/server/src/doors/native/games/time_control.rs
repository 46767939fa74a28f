//! The clock of a game on the wire.

use chess::Millis;
use chess::clock::{DelayKind, Stage, TimeControl};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::extract::without_types;
use crate::play::terms::bad_time_control;
use crate::problem::{Kind, Problem};

/// A time control: one of four forms, and no field of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum TimeControlJson {
    /// Several periods.
    Stages(StagesJson),
    /// Correspondence.
    Days(DaysJson),
    /// A delay instead of an increment.
    Delay(DelayJson),
    /// The usual.
    Clock(ClockJson),
}

/// A time on the clock, and an increment after each move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockJson {
    /// What the clock starts with. A clock that would start at 0 starts with the
    /// increment, and with 3 seconds if that is less; both cannot be 0.
    #[schema(maximum = 43200)]
    pub initial_seconds: u32,
    /// What each move adds, after it was made.
    #[serde(default)]
    #[schema(maximum = 600, default = 0)]
    pub increment_seconds: u32,
}

/// A delay instead of an increment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DelayJson {
    /// What the clock starts with.
    #[schema(minimum = 1, maximum = 43200)]
    pub initial_seconds: u32,
    /// What is free on each move.
    #[schema(minimum = 1, maximum = 600)]
    pub delay_seconds: u32,
    /// How it is free.
    pub delay: DelayName,
}

/// Correspondence: so many days for every single move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DaysJson {
    /// The days.
    #[schema(minimum = 1, maximum = 14)]
    pub days_per_move: u8,
}

/// Several periods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StagesJson {
    /// One to four. The last has no `moves`: it holds the rest.
    #[schema(min_items = 1, max_items = 4)]
    pub stages: Vec<StageJson>,
}

/// One period of a time control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StageJson {
    /// The moves to complete in it; what is left of the time is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 200)]
    pub moves: Option<u16>,
    /// What it adds to the clock.
    #[schema(minimum = 1, maximum = 43200)]
    pub initial_seconds: u32,
    /// What each move in it adds.
    #[serde(default)]
    #[schema(maximum = 600, default = 0)]
    pub increment_seconds: u32,
}

/// How a delay is given: `us`, the clock starts to run only after it, or
/// `bronstein`, what was used of it is given back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DelayName {
    /// The clock waits.
    Us,
    /// The time is given back.
    Bronstein,
}

impl TimeControlJson {
    /// The control as JSON; `None`: no clock.
    pub(crate) fn of(control: &TimeControl) -> Option<TimeControlJson> {
        Some(match control {
            TimeControl::Unlimited => return None,
            TimeControl::Correspondence { days } => TimeControlJson::Days(DaysJson {
                days_per_move: *days,
            }),
            TimeControl::Fischer { initial, increment } => TimeControlJson::Clock(ClockJson {
                initial_seconds: initial.as_secs(),
                increment_seconds: increment.as_secs(),
            }),
            TimeControl::Delay {
                initial,
                delay,
                kind,
            } => TimeControlJson::Delay(DelayJson {
                initial_seconds: initial.as_secs(),
                delay_seconds: delay.as_secs(),
                delay: match kind {
                    DelayKind::Us => DelayName::Us,
                    DelayKind::Bronstein => DelayName::Bronstein,
                },
            }),
            TimeControl::Stages(stages) => TimeControlJson::Stages(StagesJson {
                stages: stages
                    .iter()
                    .map(|s| StageJson {
                        moves: (s.moves > 0).then_some(s.moves),
                        initial_seconds: s.initial.as_secs(),
                        increment_seconds: s.increment.as_secs(),
                    })
                    .collect(),
            }),
        })
    }

    fn control(self) -> TimeControl {
        match self {
            TimeControlJson::Days(days) => TimeControl::Correspondence {
                days: days.days_per_move,
            },
            TimeControlJson::Clock(clock) => TimeControl::Fischer {
                initial: Millis::from_secs(clock.initial_seconds),
                increment: Millis::from_secs(clock.increment_seconds),
            },
            TimeControlJson::Delay(clock) => TimeControl::Delay {
                initial: Millis::from_secs(clock.initial_seconds),
                delay: Millis::from_secs(clock.delay_seconds),
                kind: match clock.delay {
                    DelayName::Us => DelayKind::Us,
                    DelayName::Bronstein => DelayKind::Bronstein,
                },
            },
            TimeControlJson::Stages(StagesJson { stages }) => {
                let stage = |s: StageJson| Stage {
                    moves: s.moves.unwrap_or(0),
                    initial: Millis::from_secs(s.initial_seconds),
                    increment: Millis::from_secs(s.increment_seconds),
                };
                TimeControl::Stages(Box::new(stages.into_iter().map(stage).collect()))
            }
        }
    }
}

/// Reads a time control out of a request.
///
/// # Errors
/// 400 if it is not there, 422 `bad_time_control` if it cannot be played with.
pub(crate) fn time_control(field: Option<Option<Value>>) -> Result<TimeControl, Problem> {
    let Some(value) = field else {
        let detail = "time_control is required; null means no clock";
        return Err(Problem::bad_request(detail).with("field", "time_control"));
    };
    let Some(value) = value else {
        return Ok(TimeControl::Unlimited);
    };
    let control = read(value)?.control();
    control.check().map_err(|bad| bad_time_control(&bad))?;
    Ok(control)
}

/// Reads the one form that is meant: the fields say which. What does not belong
/// to it is a slip, and not to be passed over: it would be another clock.
fn read(value: Value) -> Result<TimeControlJson, Problem> {
    let Some(fields) = value.as_object() else {
        return Err(wrong("time_control", "is an object, or null for no clock"));
    };
    let has = |field: &str| fields.contains_key(field);
    Ok(if has("stages") {
        let stages = fields["stages"].as_array().into_iter().flatten();
        if stages.into_iter().any(|stage| !stage.is_object()) {
            return Err(wrong("time_control.stages", "is a list of objects"));
        }
        TimeControlJson::Stages(form(value)?)
    } else if has("days_per_move") {
        TimeControlJson::Days(form(value)?)
    } else if has("delay") || has("delay_seconds") {
        TimeControlJson::Delay(form(value)?)
    } else {
        TimeControlJson::Clock(form(value)?)
    })
}

/// Reads a form; its mistakes are told with the name of the field.
fn form<V: DeserializeOwned>(value: Value) -> Result<V, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let why = without_types(&error.inner().to_string());
        let mut field = "time_control".to_owned();
        match error.path().to_string().as_str() {
            "." => {}
            path => field += &format!(".{path}"),
        }
        // What is missing is nowhere that the reader stood.
        let missing = why.strip_prefix("missing field `");
        if let Some((name, _)) = missing.and_then(|rest| rest.split_once('`')) {
            field += &format!(".{name}");
        }
        wrong(&field, &why)
    })
}

fn wrong(field: &str, why: &str) -> Problem {
    let detail = format!("{field}: {why}");
    Problem::new(Kind::Impossible, "bad_time_control", detail).with("field", field)
}
