//! How far long work is, on a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of so many steps; invisible where nobody looks.
pub(super) fn bar(total: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} [{bar:40}] {percent}%  {elapsed}");
    let bar = ProgressBar::new(total).with_message(what);
    match style {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

/// A bar that says how many of how many there are, how long it will take, and what is said beside it.
pub(super) fn counted(total: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("[{bar:40}] {pos}/{len}  {msg}  {elapsed}, {eta} left");
    let bar = ProgressBar::new(total);
    match style {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

/// Something that turns while the end is not in sight.
pub(super) fn spinner(what: &'static str) -> ProgressBar {
    ProgressBar::new_spinner().with_message(what)
}
