//! What an operator may choose.
//!
//! The fields of [`Settings`] name every setting once. Flags, environment, file,
//! `--help` and `docs/settings.md` all come from them.

mod check;
mod kubernetes;
mod load;
mod network;
mod page;
mod setting;
mod shown;
mod table;
#[cfg(test)]
mod tests;
mod values;

pub use load::{SettingError, Sources};
pub use network::Network;
pub use page::page;
pub use setting::Setting;
pub use shown::without_password;
pub use table::Settings;
pub use values::{LogFormat, Member, Registration, Secret};
