//! How much anybody may ask for: how often, how many at once, and how much
//! work waits.

pub mod connections;
pub mod places;
pub(crate) mod queue;
pub mod rates;
