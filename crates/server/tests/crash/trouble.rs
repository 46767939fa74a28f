//! Troubles of the machine that a server must outlive: files that vanish, files
//! that may not grow, no more descriptors.

use std::fs;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
use serde_json::{Value, json};

use crate::line::{Ask, Down, Line, Person};
use crate::machine::Machine;
use crate::process::Server;

/// The longest anything may take to be noticed.
const PATIENCE: Duration = Duration::from_secs(60);

/// Two people, and the games that one of them was told to have made.
struct Club {
    line: Line,
    people: Vec<Person>,
    games: Vec<String>,
}

fn ask(path: &str, body: Value) -> Ask {
    Ask {
        path: path.to_owned(),
        body,
        key: None,
    }
}

impl Club {
    async fn new(server: &Server) -> Club {
        let line = Line::to(&server.url);
        let mut people = Vec::new();
        for _ in 0..2 {
            let guest = line.post(None, &ask("/v1/guests", json!({}))).await;
            let guest = guest.expect("a guest").json();
            people.push(Person {
                id: guest["account"]["id"].as_str().expect("an id").to_owned(),
                token: guest["token"].as_str().expect("a token").to_owned(),
            });
        }
        Club {
            line,
            people,
            games: Vec::new(),
        }
    }

    /// Makes a game of both, with the first move made.
    async fn play(&mut self) -> Result<(), Down> {
        let body = json!({ "color": "white", "opponent_id": self.people[1].id,
            "time_control": { "initial_seconds": 900, "increment_seconds": 5 } });
        let create = ask("/v1/games", body);
        let made = self.line.post(Some(&self.people[0]), &create).await?;
        let game = made.json();
        let id = game["id"].as_str().expect("an id").to_owned();
        self.games.push(id.clone());
        let path = format!("/v1/games/{id}");
        let join = ask(&format!("{path}/join"), json!({}));
        self.line.post(Some(&self.people[1]), &join).await?;
        self.first_move(&path).await
    }

    async fn first_move(&self, path: &str) -> Result<(), Down> {
        let first = ask(&format!("{path}/moves"), json!({ "move": "e4" }));
        let answer = self.line.post(Some(&self.people[0]), &first).await?;
        assert_eq!(answer.status, 200, "{}", answer.text);
        Ok(())
    }

    /// Every game that was acknowledged is there.
    async fn check(&self, line: &Line) {
        for id in &self.games {
            let game = line.get(&self.people[0], &format!("/v1/games/{id}")).await;
            assert_eq!(game.expect("an answer").status, 200, "{id}");
        }
    }

    /// What `/ready` says.
    async fn ready(&self, server: &Server) -> (StatusCode, String) {
        let answer = reqwest::get(format!("{}/ready", server.url)).await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    }

    /// Waits until `/ready` says that.
    async fn await_ready(&self, server: &Server, expected: StatusCode) -> String {
        let begun = Instant::now();
        loop {
            let (status, text) = self.ready(server).await;
            if status == expected {
                return text;
            }
            assert!(begun.elapsed() < PATIENCE, "{status} {text}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// The value of a metric.
async fn metric(server: &Server, name: &str) -> String {
    let answer = reqwest::get(format!("{}/metrics", server.url)).await;
    let text = answer.unwrap().text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.expect("it is measured").trim().to_owned()
}

/// Sets a limit of the server's, which inherited ours; `None`: as high as may be.
fn set_limit(server: &Server, resource: Resource, current: Option<u64>) {
    let maximum = getrlimit(resource).maximum;
    let limit = Rlimit {
        current: current.or(maximum),
        maximum,
    };
    prlimit(Some(server.pid()), resource, limit).expect("the limit of a child");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_vanishes_is_missed_and_used_again() {
    let machine = Machine::new();
    for suffix in ["", "-wal", "-shm"] {
        let server = machine.must_start();
        let mut club = Club::new(&server).await;
        club.play().await.expect("all is well");
        let name = format!("arbiter.db{suffix}");
        fs::rename(machine.path(&name), machine.path("away")).unwrap();
        let (status, text) = club.ready(&server).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{suffix}");
        assert!(text.contains("deleted, moved or replaced"), "{text}");
        let refused = club.play().await;
        assert_eq!(refused, Err(Down::Refused { retry_after: true }));
        assert_eq!(metric(&server, "arbiter_store_files_lost").await, "1.0");
        let copy = machine.path("copy.db");
        let backup = machine.run(&["backup", copy.to_str().unwrap()]);
        assert_eq!((backup.0, copy.exists()), (Some(1), false));
        fs::rename(machine.path("away"), machine.path(&name)).unwrap();
        club.await_ready(&server, StatusCode::OK).await;
        assert_eq!(metric(&server, "arbiter_store_files_lost").await, "0.0");
        club.play().await.expect("all is well again");
        server.kill();
        let server = machine.must_start();
        club.check(&Line::to(&server.url)).await;
        assert!(server.stop().success());
    }
    let told = machine.told();
    // Once for each of the three, whoever met it.
    assert_eq!(told.matches("what_to_do").count(), 3, "{told}");
    machine.check(&machine.path("arbiter.db")).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_database_is_deleted_is_not_ready_and_makes_no_other() {
    let machine = Machine::new();
    let server = machine.must_start();
    let club = Club::new(&server).await;
    fs::remove_file(machine.path("arbiter.db")).unwrap();
    let text = club
        .await_ready(&server, StatusCode::SERVICE_UNAVAILABLE)
        .await;
    assert!(text.contains("the database file was deleted"), "{text}");
    assert!(server.stop().success());
    assert!(!machine.path("arbiter.db").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_may_not_grow_is_an_error_and_no_death() {
    let machine = Machine::new();
    assert_eq!(machine.start_limited("-f 8").code(), Some(1));
    let server = machine.must_start();
    let mut club = Club::new(&server).await;
    club.play().await.expect("all is well");
    // Exactly as long as it is: whatever is written next is too much.
    let log = fs::metadata(machine.path("arbiter.db-wal")).unwrap();
    set_limit(&server, Resource::Fsize, Some(log.len()));
    let refused = club.play().await;
    assert_eq!(refused, Err(Down::Refused { retry_after: true }));
    assert_eq!(club.ready(&server).await.0, StatusCode::SERVICE_UNAVAILABLE);
    // What is there is read.
    club.check(&club.line).await;
    set_limit(&server, Resource::Fsize, None);
    club.await_ready(&server, StatusCode::OK).await;
    club.play().await.expect("all is well again");
    server.kill();
    let server = machine.must_start();
    club.check(&Line::to(&server.url)).await;
    assert!(server.stop().success());
    machine.check(&machine.path("arbiter.db")).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_descriptors_says_so_and_goes_on() {
    let machine = Machine::new();
    let server = machine.must_start();
    let mut club = Club::new(&server).await;
    let open = fs::read_dir(format!("/proc/{}/fd", server.pid().as_raw_nonzero()));
    let room = 8;
    set_limit(
        &server,
        Resource::Nofile,
        Some(open.unwrap().count() as u64 + room),
    );
    let address = server.url.replace("http://", "");
    let connect = || TcpStream::connect(&address).expect("the system lets us wait");
    let waiting: Vec<TcpStream> = (0..room * 4).map(|_| connect()).collect();
    let begun = Instant::now();
    while !machine.told().contains("raise `ulimit -n`") {
        assert!(begun.elapsed() < PATIENCE, "{}", machine.told());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // Who is in goes on; whoever's connection was closed meanwhile waits like the rest.
    if club.play().await.is_err() {
        drop(waiting);
        club.play().await.expect("there is room again");
    } else {
        drop(waiting);
    }
    let fresh = reqwest::get(format!("{}/health", server.url));
    let fresh = tokio::time::timeout(PATIENCE, fresh).await;
    assert_eq!(fresh.expect("it resumes").unwrap().status(), StatusCode::OK);
    let told = machine.told();
    let complaints = told.matches("raise `ulimit -n`").count() as u64;
    assert!(complaints <= 1 + begun.elapsed().as_secs() / 5, "{told}");
    assert!(server.stop().success());
}
