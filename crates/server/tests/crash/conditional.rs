//! Conditional moves while the server is killed: whenever a move stands that is answered in
//! its opponent's lines, the answer stands too, right after it and of the same moment; if the
//! server was down in between, right after that time was given back.

use std::time::Duration;

use rand::RngExt;
use serde_json::{Value, json};

use crate::machine::Machine;

/// The lines that White has said to answer with.
const LINE: [&str; 8] = [
    "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1",
];

struct Table {
    http: reqwest::Client,
    url: String,
    id: String,
    tokens: [String; 2],
}

impl Table {
    async fn ask(&self, who: usize, method: &str, path: &str, body: Value) -> Option<Value> {
        let method = method.parse().expect("a method");
        let request = self.http.request(method, format!("{}{path}", self.url));
        let request = request
            .bearer_auth(&self.tokens[who])
            .header("content-type", "application/json")
            .body(body.to_string());
        let answer = request.send().await.ok()?;
        let text = answer.text().await.ok()?;
        serde_json::from_str(&text).ok()
    }

    async fn must(&self, who: usize, method: &str, path: &str, body: Value) -> Value {
        let answer = self.ask(who, method, path, body).await;
        answer.expect("nobody has killed it")
    }

    fn path(&self, what: &str) -> String {
        format!("/v1/games/{}{what}", self.id)
    }

    /// The moves with their times, and when downtime was given back, once nothing is left
    /// to be answered.
    async fn moves(&self) -> (Vec<(String, Value)>, Vec<Value>) {
        for _ in 0..600 {
            let log = self.must(1, "GET", &self.path("/log"), json!({})).await;
            let entries = log.as_array().expect("a log");
            let of = |kind: &'static str| entries.iter().filter(move |entry| entry["type"] == kind);
            let made = |entry: &Value| entry["move"].as_str().expect("a move").to_owned();
            let moves: Vec<(String, Value)> = of("MOVE")
                .map(|entry| (made(entry), entry["at"].clone()))
                .collect();
            let credits = of("TIME_CREDITED").map(|entry| entry["at"].clone());
            // White moved first: an odd number is White's answer.
            if moves.len() % 2 == 1 {
                return (moves, credits.collect());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the answer never comes")
    }
}

async fn guest(http: &reqwest::Client, url: &str) -> String {
    let made = http.post(format!("{url}/v1/guests")).body("{}");
    let made = made.header("content-type", "application/json").send().await;
    let text = made.expect("an answer").text().await.expect("an answer");
    let made: Value = serde_json::from_str(&text).expect("a guest");
    made["token"].as_str().expect("a token").to_owned()
}

/// Makes a game in which White has moved and has said how to go on.
async fn open(http: &reqwest::Client, url: &str, tokens: &[String; 2]) -> Table {
    let mut table = Table {
        http: http.clone(),
        url: url.to_owned(),
        id: String::new(),
        tokens: tokens.clone(),
    };
    let terms = json!({ "time_control": { "days_per_move": 3 } });
    let made = table.must(0, "POST", "/v1/games", terms).await;
    table.id = made["id"].as_str().expect("an id").to_owned();
    table.must(1, "POST", &table.path("/join"), json!({})).await;
    let first = json!({ "move": "e2e4" });
    table.must(0, "POST", &table.path("/moves"), first).await;
    let lines = json!({ "lines": [LINE] });
    let path = table.path("/conditional-moves");
    let set = table.must(0, "PUT", &path, lines).await;
    assert_eq!(set["lines"], json!([LINE]));
    table
}

/// Kills the server around each of Black's moves.
pub(crate) async fn crash(games: u64) {
    let machine = Machine::new();
    let http = reqwest::Client::new();
    let mut server = machine.must_start();
    let tokens = [
        guest(&http, &server.url).await,
        guest(&http, &server.url).await,
    ];
    let (mut made, mut lost) = (0, 0);
    for _ in 0..games {
        let mut table = open(&http, &server.url, &tokens).await;
        for (ply, text) in (2..).zip(LINE).step_by(2) {
            loop {
                let path = table.path("/moves");
                let body = json!({ "move": text, "ply": ply });
                let patience = Duration::from_micros(rand::rng().random_range(0..12_000));
                let asked = table.ask(1, "POST", &path, body);
                // Wherever it is by then.
                let answered = tokio::time::timeout(patience, asked).await;
                server.kill();
                server = machine.must_start();
                table.url.clone_from(&server.url);
                let (moves, credits) = table.moves().await;
                let is_made = moves.len() == ply + 1;
                let is_acknowledged = matches!(answered, Ok(Some(_)));
                assert!(is_made || !is_acknowledged, "an acknowledged move is lost");
                made += u64::from(is_made);
                lost += u64::from(!is_made);
                if is_made {
                    assert_eq!(moves[ply - 1].0, text);
                    assert_eq!(moves[ply].0, LINE[ply - 1]);
                    let at = &moves[ply].1;
                    assert!(*at == moves[ply - 1].1 || credits.contains(at));
                    break;
                }
            }
        }
    }
    println!("{made} moves made and answered, {lost} lost, killed around each");
    assert!(server.stop().success());
    assert_eq!(machine.check(&machine.database()), Ok(games));
}
