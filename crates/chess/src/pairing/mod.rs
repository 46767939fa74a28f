//! Who of those who wait plays whom.
//!
//! A pool holds [`Seeker`]s: tickets of the queue and open games of the lobby,
//! all of one time control and one set of rules. [`pair`] is one round: a pure
//! function of the pool, the [`Policy`], the time and chance, whatever order the
//! pool comes in.
//!
//! The rule, in the order of the round:
//!
//! 1. A ticket that has waited for [`Policy::timeout`] is out.
//! 2. Whoever has waited longest chooses first, and takes the nearest in rating
//!    who suits; of several at the same distance the one who has waited longest.
//! 3. Two suit if each lies within the other's window, which widens while one
//!    waits, and within the range that the other asked for; if neither has
//!    blocked the other; if they have not chosen the same side; if neither would
//!    get the same side a third time more than the other; and, where the policy
//!    says so, if they have not just met.
//! 4. Whoever has waited for [`Policy::patience`] goes before what is only nice:
//!    others take such a one from within [`Policy::max_gap`], however short they
//!    have waited themselves; if there is nobody else, also whom they have just
//!    met; and after twice that time, with whatever side. So nobody starves beside
//!    a crowd that is always faster. The gap, ranges, blocks
//!    and sides that were chosen hold always.
//! 5. White is for whoever chose it, else for whoever had it less often.

mod blocks;
mod colors;
mod estimate;
mod nearest;
mod policy;
mod pool;
mod round;
mod seeker;

pub use blocks::Blocks;
pub use colors::Colors;
pub use estimate::{Paired, estimate, typical};
pub use policy::{BadPolicy, Policy};
pub use pool::Pool;
pub use round::{Pair, Round, pair};
pub use seeker::{Origin, Seeker};
