//! Being told by mail, in browsers and in one's own stream, by a real mail server and a
//! push service that opens what it is sent as browsers do.

mod addresses;
mod browsers;
mod letters;
mod nodes;
mod passwords;
mod settings;

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use server::settings::Settings;
use servers::Mail;

use crate::client::{Answer, Client, Server};

/// The longest that anything may take.
const PATIENCE: Duration = Duration::from_secs(60);
const PASSWORD: &str = "correct horse battery";

/// A server that sends mail, and what came of it; nothing where there is no mail server.
struct Post {
    server: Server,
    mail: Mail,
}

impl Post {
    async fn start() -> Option<Post> {
        Post::start_with(|_| {}).await
    }

    async fn start_with(change: impl FnOnce(&mut Settings)) -> Option<Post> {
        let mail = tokio::task::spawn_blocking(servers::mail).await;
        let mail = mail.expect("it starts")?;
        let smtp = mail.smtp.clone();
        let server = Server::start_with(|settings| {
            let address = servers::listen().local_addr().expect("an address");
            settings.listen = address;
            settings.public_url = Some(format!("http://{address}"));
            settings.smtp_url = Some(smtp.as_str().into());
            settings.mail_from = Some("Arbiter <chess@chess.example>".into());
            settings.outside_networks = vec!["127.0.0.0/8".parse().expect("a network")];
            settings.outside_http = true;
            change(settings);
        })
        .await;
        Some(Post { server, mail })
    }

    async fn ask(&self, path: &str) -> Value {
        let url = format!("{}{path}", self.mail.url);
        let answer = reqwest::get(url).await.expect("it answers");
        answer.json().await.expect("JSON")
    }

    /// The letters to an address, as soon as there are so many.
    async fn letters(&self, to: &str, many: usize) -> Vec<Value> {
        let found = self.ask(&format!("/mails?to={to}&many={many}")).await;
        let found = found.as_array().expect("a list").clone();
        assert!(found.len() >= many, "{} of {many} to {to}", found.len());
        found
    }

    /// Somebody with that address.
    async fn player(&self, name: &str, email: &str) -> Client {
        let client = self.server.registered(name).await;
        moves_to(&client, email).await.expect(200);
        client
    }

    /// Somebody who has shown that they read that address.
    async fn confirmed(&self, name: &str, email: &str) -> Client {
        let client = self.player(name, email).await;
        client.post(CONFIRM, json!({})).await.expect(202);
        let letters = self.letters(email, 1).await;
        let body = json!({ "code": code(&letters[0]) });
        client.post(CONFIRM, body).await.expect(200);
        client
    }

    /// A challenge to a game that counts days, in which the challenger has White.
    async fn challenge(&self, white: &Client, black: &Client) -> String {
        let terms = json!({ "time_control": { "days_per_move": 3 }, "opponent_id": black.id });
        let game = white.post("/v1/games", terms).await.expect(201);
        game["id"].as_str().expect("an id").to_owned()
    }

    /// The same, taken at once: perhaps before anybody was told of the challenge.
    async fn game(&self, white: &Client, black: &Client) -> String {
        let id = self.challenge(white, black).await;
        black.asks(&id, "join").await.expect(200);
        id
    }
}

const CONFIRM: &str = "/v1/me/email/confirm";
const SETTINGS: &str = "/v1/me/notifications";

async fn patch_me(client: &Client, body: Value) -> Answer {
    let body = Some(body.to_string());
    client.send(Method::PATCH, "/v1/me", body, &[]).await
}

/// Somebody with a password has that address from now on.
async fn moves_to(client: &Client, email: &str) -> Answer {
    let body = json!({ "email": email, "current_password": PASSWORD });
    patch_me(client, body).await
}

async fn choose(client: &Client, choices: Value) -> Answer {
    let body = Some(choices.to_string());
    client.send(Method::PUT, SETTINGS, body, &[]).await
}

async fn settings(client: &Client) -> Value {
    client.get(SETTINGS).await.expect(200)
}

/// Waits until the settings are such.
async fn settings_become(client: &Client, is_so: impl Fn(&Value) -> bool) -> Value {
    let becomes = async {
        loop {
            let shown = settings(client).await;
            if is_so(&shown) {
                return shown;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let became = tokio::time::timeout(PATIENCE, becomes).await;
    became.expect("the settings become such")
}

/// The link in a letter.
fn link(letter: &Value) -> String {
    let text = letter["text"].as_str().expect("a text");
    let at = text.find("http://").expect("a link");
    let link = text[at..].split_whitespace().next();
    link.expect("a link").to_owned()
}

/// Path and query of a link.
fn path(link: &str) -> &str {
    let at = link.find("/v1/").expect("a path of ours");
    &link[at..]
}

/// The code in a letter's link.
fn code(letter: &Value) -> String {
    let link = link(letter);
    let (_, code) = link.split_once("code=").expect("a code");
    code.to_owned()
}

fn header<'a>(letter: &'a Value, name: &str) -> &'a str {
    letter["headers"][name].as_str().unwrap_or_default()
}

/// A number of `/metrics`.
async fn metric(client: &Client, name: &str) -> u64 {
    let text = client.get("/metrics").await.text;
    let line = text.lines().find(|line| {
        let line = line.strip_prefix("arbiter_");
        line.is_some_and(|line| line.starts_with(name) && !line.starts_with('#'))
    });
    let line = line.unwrap_or_else(|| panic!("no {name} in {text}"));
    let number = line.split(' ').next_back().expect("a number");
    number.parse::<f64>().expect("a number") as u64
}
