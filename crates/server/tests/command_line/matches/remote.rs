//! Bots that play at a running server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use super::*;

const QUIET: [&str; 4] = ["--engines", "off", "--bot-thinking", "off"];

/// A program that plays the first legal move of each game of an account, and gives up in
/// the end.
struct Bot {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Bot {
    fn start(url: &str, token: &str, gives_up_at: u64) -> Bot {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let (url, token) = (url.to_owned(), token.to_owned());
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                while !stopped.load(Ordering::Relaxed) {
                    round(&url, &token, gives_up_at).await;
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            });
        });
        Bot { stop, thread }
    }

    fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap();
    }
}

async fn ask(url: &str, token: &str, body: Option<Value>) -> Value {
    let client = reqwest::Client::new();
    let request = match body {
        Some(body) => client.post(url).json(&body),
        None => client.get(url),
    };
    let answer = request.bearer_auth(token).send().await.unwrap();
    answer.json().await.unwrap()
}

async fn round(url: &str, token: &str, gives_up_at: u64) {
    let me = ask(&format!("{url}/v1/me"), token, None).await;
    let me = me["id"].as_str().unwrap();
    let games = format!("{url}/v1/games?state=ACTIVE&player={me}");
    for game in ask(&games, token, None).await["games"].as_array().unwrap() {
        let to_move = game["to_move"].as_str().unwrap();
        if game[to_move] != me {
            continue;
        }
        let path = format!("{url}/v1/games/{}", game["id"].as_str().unwrap());
        if game["ply"].as_u64().unwrap() >= gives_up_at {
            ask(&format!("{path}/resign"), token, Some(json!({}))).await;
            continue;
        }
        let legal = ask(&format!("{path}/legal-moves"), token, None).await;
        let first = json!({ "move": legal["moves"][0]["uci"] });
        ask(&format!("{path}/moves"), token, Some(first)).await;
    }
}

#[test]
fn a_bot_of_a_server_is_challenged_by_its_name() {
    let machine = Machine::new();
    let server = machine.serve_with(&QUIET);
    let bot = format!("{},account=bot-beginner-400", server.url);
    let few = ["-n", "4", "--max-plies", "24", "--jsonl", "r.jsonl"];
    let text = machine.good(&[&["match", "built-in,nodes=200", &bot], &few[..]].concat());
    let name = format!("bot-beginner-400@{}", server.url);
    assert!(text.contains(&format!("- {name}: 4 games, +")), "{text}");
    let lines = games(&machine, "r.jsonl");
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|line| line.contains("\"opening\":")));
    // With a clock, and from a position of a variant.
    let clock = ["--time-control", "60+1", "--variant", "atomic"];
    machine.good(
        &[
            &["match", "beginner", &bot, "-n", "2", "--max-plies", "12"],
            &clock[..],
        ]
        .concat(),
    );
    let (code, text) = machine.run(&["match", "beginner", &bot, "--time-control", "10+0.1"]);
    assert!(code == 1 && text.contains("whole seconds"), "{text}");
    let nobody = format!("{},account=nobody", server.url);
    let (code, text) = machine.run(&["match", "beginner", &nobody]);
    assert!(code == 1 && text.contains("not_found"), "{text}");
    // Nothing is left to be played there.
    let left = machine.good(&["export", "--player", "bot-beginner-400"]);
    assert_eq!(left.matches("[Result \"*\"]").count(), 0, "{left}");
    assert_eq!(server.stop(), 0);
}

#[test]
fn a_bot_plays_by_its_token_and_may_resign() {
    let machine = Machine::new();
    let server = machine.serve_with(&QUIET);
    let made = machine.good(&["bot", "new", "mine"]);
    let token = made.split('"').nth(1).expect("a token");
    write(&machine.path("token"), &format!("{token}\n"));
    let program = Bot::start(&server.url, token, 6);
    let bot = format!("{},token-file=token", server.url);
    let few = ["-n", "2", "--jsonl", "t.jsonl"];
    let text = machine.good(&[&["match", &bot, "beginner"], &few[..]].concat());
    assert!(text.contains("2 games, +0 =0 -2"), "{text}");
    assert!(text.contains("resignation 2"), "{text}");
    let kept = read(&machine, "t.jsonl");
    assert!(
        !kept.contains(token) && kept.contains("\"mine@http"),
        "{kept}"
    );
    program.end();
    // The variable has it as well; what nobody has is told, and no token is shown.
    let (code, text) = machine.run(&["match", &server.url, "beginner"]);
    assert!(code == 1 && text.contains("ARBITER_TOKEN"), "{text}");
    let wrong = format!("{},token=arb_secret", server.url);
    let (code, text) = machine.run(&["match", &wrong, "beginner"]);
    assert!(code == 1 && text.contains("unauthorized"), "{text}");
    assert!(!text.contains("arb_secret"), "{text}");
    assert_eq!(server.stop(), 0);
    let (code, text) = machine.run(&["match", &bot, "beginner"]);
    assert!(code == 1 && text.contains("no server answers at"), "{text}");
}
