//! Log lines: for people on a terminal, JSON otherwise. They go to standard
//! error, so that standard output holds nothing but what a command was asked for.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::EnvFilter;

use crate::settings::{LogFormat, Settings};

/// The library of the door for language models tells whole requests, with the tokens in
/// them, and of every one that it came and went: our own log has what there is to know.
const QUIET: &str = "rmcp=error";

/// What is logged of all that could be; `None`: it cannot be read.
pub fn filter(chosen: &str) -> Option<EnvFilter> {
    let filter = EnvFilter::try_new(chosen).ok()?;
    Some(filter.add_directive(QUIET.parse().ok()?))
}

/// Begins to log as the settings say. The first call in a process counts.
pub fn start(settings: &Settings) {
    // The filter was tried when the settings were read.
    let filter = filter(&settings.log).unwrap_or_else(|| EnvFilter::new("info"));
    let is_terminal = stderr().is_terminal();
    let is_json = match settings.log_format {
        LogFormat::Auto => !is_terminal,
        LogFormat::Human => false,
        LogFormat::Json => true,
    };
    // A log that nobody reads any more must not end the server.
    let lines = tracing_subscriber::fmt()
        .log_internal_errors(false)
        .with_env_filter(filter)
        .with_writer(stderr);
    let started = if is_json {
        lines
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .try_init()
    } else {
        lines.with_ansi(is_terminal).try_init()
    };
    if started.is_err() {
        tracing::debug!("logging had begun already");
    }
}
