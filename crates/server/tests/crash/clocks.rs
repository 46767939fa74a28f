//! Time in which the server accepts no move costs no player anything: while
//! its disk is full, and while it stops.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::block_in_place;
use tokio::time::sleep;

use crate::disk::is_inside;
use crate::line::{Answer, Ask, Down, Line, Person};
use crate::machine::Machine;
use crate::process::Server;

/// The time between two tries of a player who is refused.
const PAUSE: Duration = Duration::from_millis(20);

/// A game of two players who know what they want.
struct Game {
    id: String,
    /// White and Black.
    players: [Person; 2],
}

impl Game {
    /// Begins a game with so many seconds for each.
    async fn begin(line: &Line, seconds: u32) -> Game {
        let white = line.guest().await.expect("a guest");
        let black = line.guest().await.expect("a guest");
        let control = json!({ "initial_seconds": seconds, "increment_seconds": 0 });
        let ask = Ask {
            path: "/v1/games".to_owned(),
            body: json!({ "time_control": control, "color": "white" }),
            key: None,
        };
        let made = line.post(Some(&white), &ask).await.expect("an answer");
        let id = made.json()["id"].as_str().expect("an id").to_owned();
        let ask = Ask {
            path: format!("/v1/games/{id}/join"),
            body: json!({}),
            key: None,
        };
        let joined = line.post(Some(&black), &ask).await.expect("an answer");
        assert_eq!(joined.status, 200, "{}", joined.text);
        let players = [white, black];
        Game { id, players }
    }

    async fn play(&self, line: &Line, ply: usize, text: &str) -> Result<Answer, Down> {
        let ask = Ask {
            path: format!("/v1/games/{}/moves", self.id),
            body: json!({ "move": text, "ply": ply }),
            key: None,
        };
        line.post(Some(&self.players[(ply + 1) % 2]), &ask).await
    }

    async fn must_play(&self, line: &Line, ply: usize, text: &str) -> Value {
        let answer = self.play(line, ply, text).await.expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    /// How much the log says that White was credited.
    async fn credited_to_white(&self, line: &Line) -> Duration {
        let path = format!("/v1/games/{}/log", self.id);
        let log = line.get(&self.players[0], &path).await.expect("a log");
        let log = log.json();
        let entries = log.as_array().expect("entries").iter();
        let credits = entries.filter(|e| e["type"] == "TIME_CREDITED" && e["color"] == "white");
        let ms = credits.map(|e| e["ms"].as_u64().expect("a number")).sum();
        println!("{ms} ms were credited");
        Duration::from_millis(ms)
    }
}

fn start(machine: &Machine) -> Server {
    block_in_place(|| machine.must_start())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_loses_on_time_while_the_disk_is_full() {
    if !is_inside("clocks::nobody_loses_on_time_while_the_disk_is_full") {
        return;
    }
    let machine = Machine::with_a_small_disk();
    let disk = machine.disk.as_ref().expect("a small disk");
    let server = start(&machine);
    let line = Line::insisting_to(&server.url);
    let clock = Duration::from_secs(3);
    let game = Game::begin(&line, 3).await;
    game.must_play(&line, 1, "e2e4").await;
    game.must_play(&line, 2, "e7e5").await;
    disk.fill();
    let full = Instant::now();
    let impatient = Line::to(&server.url);
    while full.elapsed() < clock + Duration::from_secs(1) {
        let refused = game.play(&impatient, 3, "g1f3").await;
        let refused = refused.expect_err("nothing can be written");
        assert_eq!(refused, Down::Refused { retry_after: true });
        sleep(PAUSE).await;
    }
    disk.free();
    let told = game.must_play(&line, 3, "g1f3").await;
    assert_eq!(told["game_state"], "ACTIVE", "{told}");
    let left = told["clock_ms"]["white"].as_u64().expect("a number");
    assert!(left > 1_000, "White paid for the server's disk: {told}");
    game.must_play(&line, 4, "b8c6").await;
    let credited = game.credited_to_white(&line).await;
    assert!(credited > clock, "only {credited:?}");
    block_in_place(|| assert!(server.stop().success()));
    assert_eq!(machine.check(&machine.database()), Ok(1));
}

/// A request that never comes to an end: a stop waits for it for a while.
fn half_a_request(server: &Server) -> TcpStream {
    let address = server.url.strip_prefix("http://").expect("an address");
    let mut client = TcpStream::connect(address).expect("the server listens");
    client.write_all(b"GET /hea").expect("it is sent");
    client
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_is_credited_from_the_first_refusal_on() {
    let machine = Machine::new();
    let server = start(&machine);
    let line = Line::to(&server.url);
    let game = Game::begin(&line, 60).await;
    game.must_play(&line, 1, "e2e4").await;
    game.must_play(&line, 2, "e7e5").await;
    let _client = half_a_request(&server);
    server.ask_to_stop();
    // A move that is not legal is refused in any case, and changes nothing.
    let refused = loop {
        match game.play(&line, 3, "e1e8").await {
            Ok(answer) => assert_eq!(answer.status, 422, "{}", answer.text),
            Err(down) => {
                assert_eq!(down, Down::Refused { retry_after: true });
                break Instant::now();
            }
        }
    };
    block_in_place(|| assert!(server.wait().success()));
    let down = refused.elapsed();
    println!("the stop took {down:?} from the first refusal on");
    let server = start(&machine);
    let line = Line::to(&server.url);
    game.must_play(&line, 3, "g1f3").await;
    let credited = game.credited_to_white(&line).await;
    assert!(credited >= down, "only {credited:?} of {down:?}");
}
