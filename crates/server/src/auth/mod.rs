//! Who is calling, and what they may do.

pub mod accounts;
pub mod aliases;
pub mod bars;
mod cache;
pub mod caller;
pub mod email;
pub mod guests;
mod heard;
pub mod jwt;
mod links;
pub mod names;
pub mod operating;
pub mod own;
pub mod passwords;
pub mod people;
pub mod person;
pub mod personal;
pub mod scopes;
pub mod secrets;
pub mod service;
pub mod sign_in;
#[cfg(test)]
mod tests;
pub mod tokens;
mod vouched;

pub use caller::Caller;
pub use people::Names;
pub use person::Person;
pub use scopes::{Scope, Scopes};
pub use service::Auth;
