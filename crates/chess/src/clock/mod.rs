//! Time controls and the arithmetic of the two clocks.
//!
//! All of it is whole milliseconds on the server's own time. A clock rises
//! only where a rule says so: increment, Bronstein's give-back, the next
//! stage, a new correspondence move, or a recorded gift.

mod control;
mod face;

pub use control::{BadTimeControl, ClockStart, DelayKind, Speed, Stage, TimeControl};
pub use face::Clock;
