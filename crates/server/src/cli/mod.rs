//! The command line.

mod admin;
mod archive;
mod backup;
mod bars;
mod bot;
mod check;
mod copy;
mod flags;
mod matches;
mod mcp;
mod pgn;
mod progress;
mod prompt;
mod reach;
mod reset_clock;
mod say;
mod serve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::flags::Flags;
use crate::operate::{logs, process};
use crate::settings::{self, Settings};

/// A chess server: it owns every board, clock and result.
///
/// Without a command it serves, on http://127.0.0.1:7878, keeping everything in
/// ./arbiter.db. Every setting below can also be a variable of the environment or a
/// line of arbiter.toml; `arbiter settings` prints the whole table.
#[derive(Parser)]
#[command(name = "arbiter", version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    flags: Flags,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server (what `arbiter` alone does)
    Serve,
    /// Operate the server: accounts, tokens, games; audited
    ///
    /// Speaks to the running server, or to the database itself if none runs or if it is in PostgreSQL.
    #[command(subcommand)]
    Admin(admin::Command),
    /// Make accounts for bots that play by the API
    #[command(subcommand)]
    Bot(bot::Command),
    Match(matches::Arguments),
    /// Be the built-in engine, as a UCI program on standard input and output
    Uci,
    /// Look for damage: the file, every game replayed, everything that refers to something else;
    /// exit 1 if there is any
    Check(check::Arguments),
    /// Write everything to one new file, also while the server runs (PostgreSQL has pg_dump)
    Backup(backup::BackupArguments),
    /// Make the database out of a backup; the server must not run
    Restore(backup::RestoreArguments),
    /// Copy everything to another store that is empty, such as from a file to PostgreSQL, and compare it
    ///
    /// No server may use either meanwhile. A copy that was interrupted goes on when it is started again.
    /// The time it takes is given back to the clocks of running games when the server starts on the copy.
    Copy(copy::Arguments),
    /// Move finished games out of the way of those that are played, by the month of their end; also while
    /// servers run (only PostgreSQL)
    Archive(archive::Arguments),
    /// Take in the games of a PGN file; a game that is there already is left alone
    Import(pgn::ImportArguments),
    /// Write finished games as PGN, the newest first
    Export(pgn::ExportArguments),
    /// Let a language model play: the Model Context Protocol over standard input and output
    ///
    /// For MCP clients that start their servers themselves. Passes every message on to a running server, whose
    /// address is /mcp there; opens no database. To add it to a client, put this into its list of servers:
    ///
    ///   "arbiter": { "command": "arbiter", "args": ["mcp", "--url", "http://127.0.0.1:7878"],
    ///                "env": { "ARBITER_TOKEN": "..." } }
    #[command(verbatim_doc_comment)]
    Mcp(mcp::Arguments),
    /// Print the table of settings, as in docs/settings.md
    Settings,
}

/// What a command says when it fails.
type Outcome = Result<ExitCode, String>;

/// Runs the command that the command line names.
pub fn main() -> ExitCode {
    let Arguments { command, flags } = Arguments::parse();
    if matches!(command, Some(Command::Settings)) {
        say::line(format_args!("{}", settings::page().trim_end()));
        return ExitCode::SUCCESS;
    }
    if matches!(command, Some(Command::Uci)) {
        return bot::uci();
    }
    let (settings, ignored) = match flags.load() {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("arbiter: {error}");
            return ExitCode::from(2);
        }
    };
    let command = command.unwrap_or(Command::Serve);
    match run(command, settings, &ignored) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("arbiter: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, settings: Settings, ignored: &[String]) -> Outcome {
    let quiet = Settings {
        log: "error".into(),
        ..settings.clone()
    };
    logs::start(if matches!(command, Command::Serve) {
        &settings
    } else {
        &quiet
    });
    if !ignored.is_empty() {
        let variables = ignored.join(", ");
        tracing::warn!(
            variables,
            "variables of Kubernetes services are ignored: they are no settings"
        );
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("no threads could be started: {error}"))?;
    let outcome = runtime.block_on(async {
        process::outlive_file_size_limit()
            .map_err(|error| format!("signals cannot be received: {error}"))?;
        match command {
            Command::Serve => serve::run(settings).await,
            Command::Admin(command) => admin::run(settings, command).await,
            Command::Bot(command) => bot::run(settings, command).await,
            Command::Match(arguments) => matches::run(arguments).await,
            Command::Check(arguments) => check::run(settings, arguments).await,
            Command::Backup(arguments) => backup::backup(settings, arguments).await,
            Command::Restore(arguments) => backup::restore(settings, arguments).await,
            Command::Copy(arguments) => copy::run(settings, arguments).await,
            Command::Archive(arguments) => archive::run(settings, arguments).await,
            Command::Import(arguments) => pgn::import(settings, arguments).await,
            Command::Export(arguments) => pgn::export(settings, arguments).await,
            Command::Mcp(arguments) => mcp::run(settings, arguments).await,
            Command::Settings | Command::Uci => Ok(ExitCode::SUCCESS),
        }
    });
    // Whatever still runs in the background has nothing left to tell.
    runtime.shutdown_background();
    outcome
}
