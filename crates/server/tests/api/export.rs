//! Taking all finished games, page by page.

use chess::clock::TimeControl;
use chess::game::{Command, Creation, Game, MoveCommand, StartRatings, Terms};
use chess::table::{Actor, PlayerId, Verdict};
use chess::{Color, Millis, Timestamp};
use live::With;
use reqwest::header::HeaderMap;
use serde_json::Value;
use store::TableId;

use crate::client::{Client, Server};

const NDJSON: &str = "application/x-ndjson";
const PGN: &str = "application/x-chess-pgn";
/// An hour: longer than anything is held back for.
const HOUR: u64 = 3_600_000;

/// Two players, and games between them that were over before the test began.
struct Past {
    server: Server,
    players: [PlayerId; 2],
    now: Timestamp,
}

impl Past {
    async fn new() -> Past {
        Past::with(Server::start().await).await
    }

    async fn with(server: Server) -> Past {
        for name in ["Anna", "Boris"] {
            server.registered(name).await;
        }
        let app = server.running().app();
        let number = async |name: &str| {
            let person = app.auth.person_by_name(name).await.expect("a store");
            person.expect("somebody").number
        };
        let players = [number("anna").await, number("boris").await];
        let now = app.now();
        Past {
            server,
            players,
            now,
        }
    }

    /// A game that was resigned after a move, so long ago.
    async fn game(&self, number: u64, ago: u64, terms: Terms) -> String {
        let game = self.resigned(ago, terms);
        let id = TableId::from_random(number);
        let games = &self.server.running().app().games;
        let made = games.create(id, game, None, With::default()).await;
        made.expect("a game");
        id.to_string()
    }

    fn resigned(&self, ago: u64, terms: Terms) -> Game {
        let [white, black] = self.players;
        let at = Timestamp(self.now.0 - ago);
        let mut game = Game::create(at, Creation::open(white, terms)).expect("good terms");
        let join = Command::Join {
            toss: Color::White,
            by_code: true,
            ratings: StartRatings::default(),
        };
        let commands = [
            (black, join),
            (white, Command::Move(MoveCommand::new("e4"))),
            (black, Command::Resign),
        ];
        for (who, command) in commands {
            let Verdict::Change(event) = game.decide(at, Actor::Player(who), &command) else {
                panic!("{command:?} is refused");
            };
            game.evolve(at, &event);
        }
        game
    }

    async fn ask(&self, query: &str, accept: &str) -> (HeaderMap, String) {
        let url = format!("{}/v1/export/games{query}", self.server.running().url());
        let http = self.server.nobody().http;
        let answer = http.get(url).header("accept", accept).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), 200, "{query}");
        let headers = answer.headers().clone();
        assert_eq!(headers["content-type"], accept);
        (headers, answer.text().await.expect("a whole answer"))
    }

    async fn ids(&self, query: &str) -> Vec<String> {
        ids(&self.ask(query, NDJSON).await.1)
    }
}

fn casual() -> Terms {
    Terms::casual(TimeControl::Fischer {
        initial: Millis::from_secs(300),
        increment: Millis::ZERO,
    })
}

fn lines(text: &str) -> Vec<Value> {
    let line = |line| serde_json::from_str(line).expect("a line of JSON");
    text.lines().map(line).collect()
}

fn ids(text: &str) -> Vec<String> {
    let id = |line: &Value| line["id"].as_str().expect("an id").to_owned();
    lines(text).iter().map(id).collect()
}

#[tokio::test]
async fn every_page_goes_on_where_the_last_one_ended() {
    let past = Past::new().await;
    let mut expected = Vec::new();
    for number in 0..7 {
        // Two end at the same moment.
        let ago = 24 * HOUR - number / 2 * HOUR;
        expected.push((ago, past.game(number + 1, ago, casual()).await));
    }
    let (mut query, mut seen, mut pages) = ("?limit=3".to_owned(), Vec::new(), 0);
    let last = loop {
        let (headers, text) = past.ask(&query, NDJSON).await;
        pages += 1;
        seen.extend(ids(&text));
        let cursor = headers["arbiter-cursor"]
            .to_str()
            .expect("a cursor")
            .to_owned();
        let told = lines(&text);
        assert_eq!(told.last().expect("a game")["cursor"], cursor.as_str());
        let Some(link) = headers.get("link") else {
            break cursor;
        };
        let link = link.to_str().expect("a link");
        let next = link
            .strip_prefix("</v1/export/games")
            .and_then(|l| l.split_once('>'));
        let (next, rest) = next.expect("a link to the next page");
        assert_eq!(rest, "; rel=\"next\"");
        next.clone_into(&mut query);
    };
    assert_eq!((pages, seen.len()), (3, 7));
    let mut sorted: Vec<String> = seen.clone();
    sorted.sort();
    let mut all: Vec<String> = expected.iter().map(|(_, id)| id.clone()).collect();
    all.sort();
    assert_eq!(sorted, all);
    let ago = |id: &String| expected.iter().find(|(_, own)| own == id).expect("known").0;
    assert!(seen.is_sorted_by_key(|id| std::cmp::Reverse(ago(id))));

    // Whoever comes back is told what ended since, and keeps their place if nothing did.
    let later = format!("?cursor={last}");
    let (headers, text) = past.ask(&later, NDJSON).await;
    assert_eq!(
        (text.as_str(), headers["arbiter-cursor"].to_str().ok()),
        ("", Some(&*last))
    );
    let new = past.game(100, HOUR, casual()).await;
    assert_eq!(past.ids(&later).await, [new]);
}

#[tokio::test]
async fn games_come_as_pgn_and_as_lines() {
    let past = Past::new().await;
    let first = past.game(1, 3 * HOUR, casual()).await;
    let second = past.game(2, 2 * HOUR, casual()).await;
    let (_, text) = past.ask("", PGN).await;
    let read: Vec<_> = chess::pgn::read(text.as_bytes()).collect();
    assert_eq!(read.len(), 2, "{text}");
    assert!(
        text.contains("[White \"Anna\"]") && text.contains("1. e4"),
        "{text}"
    );
    let (a, b) = (text.find(&first), text.find(&second));
    assert!(a.is_some() && a < b, "{text}");
    let told = lines(&past.ask("", NDJSON).await.1);
    assert_eq!(
        (&told[0]["result"], &told[0]["white"]),
        (&"white_wins".into(), &"anna".into())
    );
    assert_eq!(told[0]["moves"], serde_json::json!(["e2e4"]));
    // What is not said otherwise is PGN.
    let client: Client = past.server.nobody();
    let answer = client.get("/v1/export/games").await;
    assert_eq!((answer.status, answer.media.as_str()), (200, PGN));
}

#[tokio::test]
async fn only_what_everybody_may_know_is_told() {
    let past = Past::new().await;
    let private = Terms {
        private: true,
        ..casual()
    };
    let delayed = Terms {
        spectator_delay: 900,
        ..casual()
    };
    let mut members = casual();
    members.room.members_only = true;
    past.game(1, 2 * HOUR, private).await;
    past.game(2, 2 * HOUR, members).await;
    past.game(3, 10_000, casual()).await;
    // Over for ten minutes, and known in five.
    past.game(4, 600_000, delayed.clone()).await;
    let known = past.game(5, 2 * HOUR, delayed).await;
    assert_eq!(past.ids("").await, [known]);
    // Nor what runs.
    past.server.blitz().await;
    assert_eq!(past.ids("").await.len(), 1);
}

#[tokio::test]
async fn a_time_and_a_player_narrow_it_down() {
    let past = Past::new().await;
    let old = past.game(1, 48 * HOUR, casual()).await;
    let new = past.game(2, HOUR, casual()).await;
    let since = |ago: u64| {
        let at = Timestamp(past.now.0 - ago);
        format!("?since={}", server::text_time::rfc3339(at))
    };
    assert_eq!(
        past.ids(&since(47 * HOUR)).await,
        std::slice::from_ref(&new)
    );
    assert_eq!(
        past.ids(&since(48 * HOUR)).await,
        [old.clone(), new.clone()]
    );
    assert_eq!(
        past.ids("?since=1970-01-01").await,
        [old.clone(), new.clone()]
    );
    assert_eq!(past.ids("?player=Boris").await, [old, new]);
    past.server.registered("Carla").await;
    assert_eq!(past.ids("?player=carla").await, [] as [String; 0]);
    let nobody = past.server.nobody();
    for (query, status) in [
        ("player=nobody", 404),
        ("since=yesterday", 400),
        ("cursor=rubbish", 400),
        ("cursor=99999999999999999999-AAAAAAAA", 400),
        ("limit=0", 400),
        ("limit=501", 400),
    ] {
        let answer = nobody.get(&format!("/v1/export/games?{query}")).await;
        assert_eq!(answer.status, status, "{query}");
    }
}

#[tokio::test]
async fn nobody_asks_without_end() {
    let limited = Server::start_with(|settings| settings.rate_limits = true).await;
    let nobody = limited.nobody();
    let mut last = 200;
    for _ in 0..30 {
        last = nobody.get("/v1/export/games").await.status;
        if last != 200 {
            break;
        }
    }
    assert_eq!(last, 429);
    // What somebody without a name used up is not somebody else's.
    let guest = limited.guest().await;
    assert_eq!(guest.get("/v1/export/games").await.status, 200);
    let closed = Server::start_with(|settings| settings.anonymous_reads = false).await;
    assert_eq!(closed.nobody().get("/v1/export/games").await.status, 401);
}
