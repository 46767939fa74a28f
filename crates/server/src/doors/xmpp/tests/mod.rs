//! What is asked of the whole door.

pub mod anything;
#[cfg(test)]
mod short;
mod stanzas;
