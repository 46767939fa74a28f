//! What every door shares: errors, bodies, limits, headers.

pub mod address;
pub mod arriving;
mod caching;
pub mod connection;
pub mod cors;
pub mod error;
pub(crate) mod etag;
pub mod extract;
pub(crate) mod html;
pub mod limits;
pub mod pace;
pub mod paced;
pub mod request_id;
pub mod seen;
pub mod shell;
mod taken;
pub mod time;
pub mod wire;

pub use address::ClientAddress;
pub use error::ApiError;
pub use extract::{Body, Path, Query};
pub use seen::SeenVersion;
