//! `arbiter bot`: accounts for bots that others write; `arbiter uci`: an engine for them.

use std::process::ExitCode;

use axum::http::Method;
use clap::Subcommand;
use serde_json::json;

use super::Outcome;
use super::admin::{escaped, text};
use super::reach::{Reach, database, reach};
use super::say::say;
use crate::auth::secrets;
use crate::settings::Settings;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Make a bot's account, and print its token with a configuration for lichess-bot
    New {
        /// The account's name
        name: String,
    },
}

pub(super) async fn run(settings: Settings, Command::New { name }: Command) -> Outcome {
    database(&settings)?;
    let reach = reach(&settings).await?;
    let made = make(&reach, &name).await;
    reach.leave().await;
    let url = match &settings.public_url {
        Some(url) => url.clone(),
        None => format!("http://{}", settings.listen),
    };
    say!("{}", configuration(&name, &url, &made?));
    Ok(ExitCode::SUCCESS)
}

/// The token of the new account. Nobody knows its password; an operator can set one.
async fn make(reach: &Reach, name: &str) -> Result<String, String> {
    let post =
        |path: String, body| async move { reach.call(Method::POST, &path, Some(body)).await };
    let account = |what: &str| format!("/v1/admin/accounts/{}{what}", escaped(name));
    let person = json!({ "username": name, "password": secrets::token() });
    post("/v1/admin/accounts".into(), person).await?;
    post(account("/title"), json!({ "title": "BOT" })).await?;
    let token = json!({ "name": "bot", "scopes": ["bot:play"] });
    let token = post(account("/tokens"), token).await?;
    Ok(text(&token["token"]))
}

/// What lichess-bot reads; whatever is left out has its defaults there.
fn configuration(name: &str, url: &str, token: &str) -> String {
    let url = url.trim_end_matches('/');
    format!(
        "# config.yml of lichess-bot for {name}. The token is shown this once: keep it.
token: \"{token}\"
url: \"{url}/\"
engine:
  # Any UCI engine. The server's own is `arbiter uci`, in a script that calls it.
  dir: \"/usr/games\"
  name: \"stockfish\"
  protocol: \"uci\"
  ponder: false
challenge:
  concurrency: 4
  variants: [standard, chess960]
  time_controls: [bullet, blitz, rapid, classical]
  modes: [casual, rated]
  accept_bot: true
matchmaking:
  allow_matchmaking: false"
    )
}

/// Answers until whoever asks has had enough.
pub(super) fn uci() -> ExitCode {
    match bots::uci::serve::run(std::io::stdin().lock(), std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("arbiter: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_names_the_server_and_the_token() {
        let text = configuration("deep", "https://chess.example/", "arb_x");
        assert!(text.contains("token: \"arb_x\"\nurl: \"https://chess.example/\"\n"));
    }
}
