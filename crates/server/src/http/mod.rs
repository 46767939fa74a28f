//! What every door that speaks HTTP shares: who calls, bodies, errors, headers.

pub mod address;
pub mod arriving;
pub(crate) mod caching;
pub mod caller;
pub mod connection;
pub mod cors;
pub(crate) mod described;
pub mod error;
pub(crate) mod etag;
pub mod extract;
pub(crate) mod handover;
pub mod pace;
pub mod paced;
pub mod request_id;
pub mod seen;
mod taken;

pub(crate) use crate::html;
pub use address::ClientAddress;
pub use caller::MaybeCaller;
pub use extract::{Body, Path, Query};
pub use seen::SeenVersion;
