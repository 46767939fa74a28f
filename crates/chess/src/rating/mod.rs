//! How strong players are: Glicko-2, one game at a time.
//!
//! A [`Rating`] is a number of points, how unsure it is (the deviation) and how
//! steady its owner plays (the volatility), for each [`Category`] of games. A
//! finished game's [`Outcome`] says what it means for ratings, [`rate`] what
//! becomes of the two. A player's [`Standing`] is what is kept between games:
//! the deviation of somebody who has not played for long grows when it is read.
//!
//! What is kept is whole numbers (see [`Stored`]), so a rating is the same on
//! every machine that reads it, can be compared, and is never rounded twice.

mod category;
mod glicko;
mod outcome;
mod standing;
mod value;

pub use category::Category;
pub use glicko::{Change, corrected, rate};
pub use outcome::{Effect, Outcome, Score};
pub use standing::Standing;
pub use value::{Rating, Shown, Stored};

pub(crate) use outcome::why_casual;
