//! Printing what a command was asked for.

use std::fmt::Arguments;
use std::io::{Write, stdout};

/// Prints a line. If nobody reads any more (`arbiter ... | head`) there is
/// nobody to tell, and a server goes on: unlike `println!`, this never panics.
pub(super) fn line(text: Arguments<'_>) {
    drop(writeln!(stdout().lock(), "{text}"));
}

/// `println!`, as [`line`] does it.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::say::line(format_args!($($text)*)) };
}

pub(super) use say;
