//! `arbiter mcp`: the door for language models over standard input and output, for
//! clients that start their servers themselves.
//!
//! It is a client of a running server: each message is passed on to its `/mcp` and the
//! answer passed back. No database is opened, and nothing is decided here.

mod relay;

use std::collections::HashMap;
use std::io::{BufRead, Write, stdin, stdout};
use std::net::{IpAddr, Ipv4Addr};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use self::relay::{Message, Relay};
use super::Outcome;
use crate::settings::Settings;

/// The variable that has the token, where the arguments of a program can be seen by others.
const TOKEN: &str = "ARBITER_TOKEN";
/// Requests that are on their way at once; whoever sends more waits.
const AT_ONCE: usize = 64;
/// How long answers are waited for once nobody asks any more.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Args)]
pub(super) struct Arguments {
    /// Where the server is, such as https://chess.example [default: what the settings say: public_url,
    /// or the address it listens on]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Who to play as: a token of POST /v1/tokens or of a session [env: ARBITER_TOKEN] [default: nobody;
    /// the tool sign_in_as_guest gives out tokens]
    #[arg(long)]
    token: Option<String>,
}

pub(super) async fn run(settings: Settings, arguments: Arguments) -> Outcome {
    let url = match arguments.url {
        Some(url) => url,
        None => own_url(&settings)?,
    };
    let token = arguments.token.or_else(|| std::env::var(TOKEN).ok());
    let relay = Arc::new(Relay::new(&url, token.as_deref())?);
    relay.find_server().await?;
    pass_on(&relay, lines()).await;
    Ok(ExitCode::SUCCESS)
}

/// Where the server is that these settings are of.
fn own_url(settings: &Settings) -> Result<String, String> {
    if let Some(url) = &settings.public_url {
        return Ok(url.clone());
    }
    let mut listen = settings.listen;
    if listen.port() == 0 {
        return Err("the settings name no port: say where the server is with --url".into());
    }
    if listen.ip().is_unspecified() {
        listen.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    let scheme = if settings.is_tls() { "https" } else { "http" };
    Ok(format!("{scheme}://{listen}"))
}

/// The lines of standard input, read by a thread of its own: it can wait for ever.
fn lines() -> Receiver<String> {
    let (tell, lines) = channel(AT_ONCE);
    std::thread::spawn(move || {
        for line in stdin().lock().lines() {
            let Ok(line) = line else { break };
            if tell.blocking_send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Passes messages on until nobody asks any more, each beside the others: one that waits
/// for an opponent holds up nothing.
async fn pass_on(relay: &Arc<Relay>, mut lines: Receiver<String>) {
    let mut answers: JoinSet<bool> = JoinSet::new();
    let mut asked: HashMap<String, AbortHandle> = HashMap::new();
    while let Some(line) = lines.recv().await {
        if line.trim().is_empty() {
            continue;
        }
        let message = match Message::read(&line) {
            Ok(message) => message,
            Err(refusal) => {
                write(&refusal);
                continue;
            }
        };
        // The server keeps nothing of a request: whoever passes it on can drop it.
        if let Some(id) = message.cancels() {
            if let Some(request) = asked.remove(&id) {
                request.abort();
            }
            continue;
        }
        let (relay, id) = (Arc::clone(relay), message.id());
        let request = answers.spawn(async move {
            let answer = relay.ask(&message).await;
            answer.is_none_or(|answer| write(&answer))
        });
        asked.extend(id.map(|id| (id, request)));
        while answers.len() >= AT_ONCE {
            answers.join_next().await;
        }
        asked.retain(|_, request| !request.is_finished());
    }
    let all = async { while answers.join_next().await.is_some() {} };
    if timeout(GRACE, all).await.is_err() {
        answers.abort_all();
    }
}

/// Writes a message on a line of its own; `false`: nobody reads any more.
fn write(message: &Value) -> bool {
    let mut out = stdout().lock();
    writeln!(out, "{message}")
        .and_then(|()| out.flush())
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_of_the_settings_is_found() {
        let at = |listen: &str, public: Option<&str>| {
            own_url(&Settings {
                listen: listen.parse().expect("an address"),
                public_url: public.map(str::to_owned),
                ..Settings::default()
            })
        };
        assert_eq!(at("0.0.0.0:80", None).as_deref(), Ok("http://127.0.0.1:80"));
        assert_eq!(at("[::1]:7878", None).as_deref(), Ok("http://[::1]:7878"));
        let named = at("0.0.0.0:80", Some("https://chess.example"));
        assert_eq!(named.as_deref(), Ok("https://chess.example"));
        assert!(at("127.0.0.1:0", None).is_err());
    }
}
