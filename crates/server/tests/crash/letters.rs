//! A server that is killed while it sends a letter: between the record of it and the
//! mail server's word that it has it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::machine::Machine;
use crate::process::Server;

const ADDRESS: &str = "held-ann@crash.example";

async fn ask(method: Method, url: String, token: Option<&str>, body: Value) -> Value {
    let mut request = reqwest::Client::new().request(method, url).json(&body);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let answer = request.send().await;
    let answer = answer.expect("the server answers");
    assert!(answer.status().is_success(), "{}", answer.status());
    answer.json().await.expect("JSON")
}

/// The letters, as soon as there are so many.
async fn letters(mail: &servers::Mail, many: usize) -> Vec<Value> {
    let url = format!("{}/mails?to={ADDRESS}&many={many}", mail.url);
    let answer = reqwest::get(url).await.expect("it answers");
    answer.json().await.expect("JSON")
}

/// Kills a server that was told nothing yet of a letter that the mail server has.
pub(crate) async fn crash() {
    let mail = tokio::task::spawn_blocking(servers::mail).await;
    let Some(mail) = mail.expect("it starts") else {
        return;
    };
    let mut machine = Machine::new();
    machine.set("ARBITER_SMTP_URL", &mail.smtp);
    machine.set("ARBITER_MAIL_FROM", "chess@chess.example");
    machine.set("ARBITER_PUBLIC_URL", "https://chess.example");
    let port = servers::listen().local_addr().expect("an address");
    machine.set("ARBITER_LISTEN", port);
    let url = format!("http://{port}");
    let server = machine.must_start();
    let account =
        json!({ "username": "ann", "password": "correct horse battery", "email": ADDRESS });
    let made = ask(Method::POST, format!("{url}/v1/accounts"), None, account).await;
    let token = made["token"].as_str().expect("a token").to_owned();
    let confirm = || format!("{url}/v1/me/email/confirm");
    ask(Method::POST, confirm(), Some(&token), json!({})).await;
    let sent = letters(&mail, 1).await;
    // The mail server has the letter, and has not said so.
    kill(server).await;
    let server = machine.must_start();
    let again = letters(&mail, 2).await;
    let name = |letter: &Value| letter["headers"]["message-id"].clone();
    assert_eq!(name(&sent[0]), name(&again[1]), "under the same name");
    let release = format!("{}/release/{ADDRESS}", mail.url);
    let released = reqwest::Client::new().post(release).send().await;
    released.expect("it answers");
    // What is sent next is sent when it is written down what became of the first.
    ask(Method::POST, confirm(), Some(&token), json!({})).await;
    let other = letters(&mail, 3).await;
    assert_ne!(name(&other[2]), name(&sent[0]));
    kill(server).await;
    let server = machine.must_start();
    ask(Method::POST, confirm(), Some(&token), json!({})).await;
    let all = letters(&mail, 4).await;
    let first = all.iter().filter(|letter| name(letter) == name(&sent[0]));
    assert_eq!(first.count(), 2, "once more, and no more than that");
    assert!(server.stop().success());
}

async fn kill(server: Server) {
    let killed = tokio::task::spawn_blocking(move || server.kill()).await;
    killed.expect("it can be killed");
}
