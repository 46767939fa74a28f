//! `arbiter admin`: what an operator does, through the operator's door.

use std::process::ExitCode;

use axum::http::Method;
use clap::{Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::reach::{Reach, database, reach};
use super::say::say;
use super::{Outcome, bars, prompt, reset_clock};
use crate::settings::Settings;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Make an administrator; asks for a password, or reads one line of standard input
    CreateAdmin {
        /// The account's name
        name: String,
    },
    /// Set an account's password and end its sessions and tokens
    ResetPassword {
        /// The account's name
        name: String,
    },
    /// Make a token and print it
    IssueToken {
        /// The account's name
        name: String,
        /// What it may do: read, play, challenge, bot, service, admin
        #[arg(long, value_delimiter = ',', required = true)]
        scopes: Vec<String>,
        /// What to call the token
        #[arg(long, default_value = "issued by the operator")]
        label: String,
    },
    /// List the tokens of an account
    Tokens {
        /// The account's name
        name: String,
    },
    /// End a token
    RevokeToken {
        /// The account's name
        name: String,
        /// The token's number, from `tokens`
        id: u64,
    },
    #[command(flatten)]
    Bars(bars::Command),
    /// Decide a game
    Adjudicate {
        /// The game's id
        game: String,
        /// Who wins
        result: Verdict,
    },
    /// Call a game off
    Abort {
        /// The game's id
        game: String,
    },
    /// Stop the clocks of a game
    Pause {
        /// The game's id
        game: String,
    },
    /// Let the clocks of a game go on
    Resume {
        /// The game's id
        game: String,
    },
    /// Set the clocks of a game
    SetClock {
        /// The game's id
        game: String,
        /// White's, in seconds
        #[arg(long, value_parser = milliseconds)]
        white: Option<u32>,
        /// Black's, in seconds
        #[arg(long, value_parser = milliseconds)]
        black: Option<u32>,
    },
    /// Print a game's row and what is in memory side by side, and its last events
    Show {
        /// The game's id
        game: String,
    },
    /// Set the games' time back to the machine's clock, after that was ahead; the server must not run. Not with
    /// PostgreSQL, whose clock the games follow
    ResetClock,
    /// Print what operators did, newest first
    Audit {
        /// How many entries
        #[arg(long, default_value_t = 50)]
        limit: u32,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Verdict {
    /// White wins
    White,
    /// Black wins
    Black,
    /// Nobody wins
    Draw,
}

impl Verdict {
    /// As the API says it.
    fn word(self) -> &'static str {
        match self {
            Verdict::White => "white_wins",
            Verdict::Black => "black_wins",
            Verdict::Draw => "draw",
        }
    }
}

pub(super) async fn run(settings: Settings, command: Command) -> Outcome {
    // The first administrator may come before the first start.
    if !matches!(command, Command::CreateAdmin { .. }) {
        database(&settings)?;
    }
    if matches!(command, Command::ResetClock) {
        return reset_clock::run(settings).await;
    }
    let password = match command {
        Command::CreateAdmin { .. } | Command::ResetPassword { .. } => prompt::new_password()?,
        _ => String::new(),
    };
    let reach = reach(&settings).await?;
    let done = act(&reach, command, password).await;
    reach.leave().await;
    done.map(|()| ExitCode::SUCCESS)
}

async fn act(reach: &Reach, command: Command, password: String) -> Result<(), String> {
    let post =
        |path: String, body| async move { reach.call(Method::POST, &path, Some(body)).await };
    let game_url = |game: &str, action| format!("/v1/admin/games/{}{action}", escaped(game));
    let account_url =
        |name: &str, what: &str| format!("/v1/admin/accounts/{}{what}", escaped(name));
    let rule = async |game: &str, action, body| -> Result<(), String> {
        print_game(&post(game_url(game, action), body).await?);
        Ok(())
    };
    match command {
        Command::CreateAdmin { name } => {
            let body = json!({ "username": name, "password": password, "is_admin": true });
            post("/v1/admin/accounts".into(), body).await?;
            say!("{name} is an administrator");
        }
        Command::ResetPassword { name } => {
            let body = json!({ "password": password });
            post(account_url(&name, "/password"), body).await?;
            say!("{name} has a new password; all sessions and tokens have ended");
        }
        Command::IssueToken {
            name,
            scopes,
            label,
        } => {
            let body = json!({ "name": label, "scopes": scopes });
            let token = post(account_url(&name, "/tokens"), body).await?;
            say!("{}", text(&token["token"]));
        }
        Command::Tokens { name } => {
            let url = account_url(&name, "/tokens");
            let list = reach.call(Method::GET, &url, None).await?;
            each(
                &list["tokens"],
                &["id", "kind", "name", "scopes", "created_at", "expires_at"],
            );
        }
        Command::RevokeToken { name, id } => {
            let url = account_url(&name, &format!("/tokens/{id}"));
            reach.call(Method::DELETE, &url, None).await?;
            say!("token {id} of {name} has ended");
        }
        Command::Adjudicate { game, result } => {
            rule(&game, "/result", json!({ "result": result.word() })).await?;
        }
        Command::Abort { game } => rule(&game, "/abort", json!({})).await?,
        Command::Pause { game } => rule(&game, "/pause", json!({})).await?,
        Command::Resume { game } => rule(&game, "/resume", json!({})).await?,
        Command::SetClock { game, white, black } => {
            let body = json!({ "white_ms": white, "black_ms": black });
            rule(&game, "/clock", body).await?;
        }
        Command::Show { game } => {
            print_inspection(&reach.call(Method::GET, &game_url(&game, ""), None).await?);
        }
        Command::Bars(command) => bars::act(reach, command).await?,
        // It needs nobody to speak to.
        Command::ResetClock => {}
        Command::Audit { limit } => {
            let url = format!("/v1/admin/audit?limit={limit}");
            let trail = reach.call(Method::GET, &url, None).await?;
            each(
                &trail["entries"],
                &["at", "actor", "action", "target", "detail"],
            );
        }
    }
    Ok(())
}

/// Seconds with a fraction, as milliseconds.
fn milliseconds(text: &str) -> Result<u32, String> {
    let seconds: f64 = text.parse().map_err(|_| "must be a number of seconds")?;
    let is_clock = (0.001..=86_400.0).contains(&seconds);
    if is_clock {
        Ok((seconds * 1000.0) as u32)
    } else {
        Err("must be up to 86400 seconds".into())
    }
}

/// A part of a path in which nothing leads elsewhere.
pub(super) fn escaped(part: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let escape = |byte| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    part.bytes().map(escape).collect()
}

/// A value as a person writes it.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// One line for each of the values.
pub(super) fn each(values: &Value, fields: &[&str]) {
    for value in values.as_array().into_iter().flatten() {
        let cells: Vec<String> = fields.iter().map(|field| text(&value[field])).collect();
        say!("{}", cells.join("  "));
    }
}

fn print_game(game: &Value) {
    let seconds = |field| {
        game[field]
            .as_u64()
            .map_or("-".into(), |ms| format!("{:.3} s", ms as f64 / 1000.0))
    };
    let (id, state, version) = (
        text(&game["id"]),
        text(&game["state"]),
        text(&game["version"]),
    );
    say!("{id}: {state}, version {version}");
    say!(
        "clocks: white {}, black {}",
        seconds("white_ms"),
        seconds("black_ms")
    );
    if !game["result"].is_null() {
        say!(
            "result: {} ({})",
            text(&game["result"]),
            text(&game["reason"])
        );
    }
}

fn print_inspection(game: &Value) {
    say!("{}", text(&game["id"]));
    let versions =
        ["row_version", "stored_version", "memory_version"].map(|field| text(&game[field]));
    say!(
        "versions: row {}, with journal {}, in memory {}",
        versions[0],
        versions[1],
        versions[2]
    );
    say!("\n{:16} {:40} memory", "column", "row");
    for column in game["columns"].as_array().into_iter().flatten() {
        let (row, memory) = (text(&column["row"]), text(&column["memory"]));
        let mark = if row == memory { ' ' } else { '*' };
        say!("{:15}{mark} {row:40} {memory}", text(&column["name"]));
    }
    say!("\nlast events");
    each(&game["log"], &["version", "at", "event"]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_given_in_seconds() {
        assert_eq!(milliseconds("60"), Ok(60_000));
        assert_eq!(milliseconds("0.5"), Ok(500));
        for bad in ["0", "-1", "x", "86401", "NaN"] {
            assert!(milliseconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_cannot_lead_elsewhere() {
        assert_eq!(escaped("Ann_1-x"), "Ann_1-x");
        assert_eq!(escaped("../x?y#z é"), "%2E%2E%2Fx%3Fy%23z%20%C3%A9");
    }
}
