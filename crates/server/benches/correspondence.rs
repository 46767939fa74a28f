//! What games with days per move cost that nobody looks at, and how long it takes until
//! many that are overdue have ended: `make bench-correspondence`. The server is the real
//! binary on a real database. Fails if it takes more memory or time than it should.

mod games;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use chess::Timestamp;
use chess::clock::TimeControl;
use server::clock::Clock;
use store::Store;

/// Games that nobody looks at, and what each may cost at most.
const IDLE: u64 = 100_000;
const IDLE_BYTES_MAX: u64 = 100;
/// Games that are overdue when the server starts, and how long they may take to end.
const OVERDUE: u64 = 10_000;
const SECONDS_MAX: f64 = 10.0;
/// Idle memory is given back by then.
const CALM: Duration = Duration::from_secs(15);

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name);
    let empty = path("empty.db");
    fill(&empty, 0, 0);
    let none = measured(&empty);
    let full = path("full.db");
    fill(&full, IDLE, 0);
    let many = measured(&full);
    let each = many.saturating_sub(none) / IDLE;
    println!(
        "memory: {:.1} MB without a game, {:.1} MB with {IDLE} by days that nobody looks at: {each} bytes each",
        none as f64 / 1e6,
        many as f64 / 1e6,
    );
    let late = path("late.db");
    fill(&late, IDLE, OVERDUE);
    let server = Server::start(&late);
    let begun = Instant::now();
    while server.metric("arbiter_changes_total") < OVERDUE as f64 {
        sleep(Duration::from_millis(20));
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "they do not end"
        );
    }
    let took = begun.elapsed().as_secs_f64();
    let most = server.status("VmHWM:");
    sleep(CALM);
    println!(
        "{OVERDUE} overdue among {IDLE}: listening after {:.2} s, all over {took:.2} s later; {:.1} MB at most, {:.1} MB afterwards",
        server.started_in.as_secs_f64(),
        most as f64 / 1e6,
        server.status("VmRSS:") as f64 / 1e6,
    );
    assert!(
        each <= IDLE_BYTES_MAX,
        "a game that nobody looks at costs memory"
    );
    assert!(took <= SECONDS_MAX, "overdue games take too long to end");
}

/// Memory of a server on that database that nobody asks for anything.
fn measured(database: &Path) -> u64 {
    let server = Server::start(database);
    sleep(CALM);
    server.status("VmRSS:")
}

/// A server in a process of its own.
struct Server {
    child: Child,
    address: SocketAddr,
    started_in: Duration,
}

impl Server {
    fn start(database: &Path) -> Server {
        let begun = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_arbiter"))
            .arg("serve")
            .env("ARBITER_LISTEN", "127.0.0.1:0")
            .env("ARBITER_STORE", format!("sqlite:{}", database.display()))
            .env("ARBITER_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let address = lines.by_ref().find_map(|line| {
            let line = line.expect("a line");
            let (_, rest) = line.split_once("listens on ")?;
            rest.trim().parse().ok()
        });
        let (address, started_in) = (address.expect("an address"), begun.elapsed());
        // Whatever else it prints must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        Server {
            child,
            address,
            started_in,
        }
    }

    /// A size of the process, in bytes.
    fn status(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("its status");
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let words = line.expect("a size").split_whitespace().next();
        words.and_then(|kb| kb.parse::<u64>().ok()).expect("a size") * 1024
    }

    fn metric(&self, name: &str) -> f64 {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        let ask = "GET /metrics HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n";
        stream.write_all(ask.as_bytes()).expect("it takes it");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let values = answer.lines().filter_map(|line| line.strip_prefix(name));
        let value = values.filter_map(|value| value.trim().parse().ok()).next();
        value.unwrap_or(0.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it has ended");
    }
}

/// Makes a database of games by days in which nobody has moved: some that are due in days,
/// and some that were due within the last hour, right before the server went away.
fn fill(database: &Path, idle: u64, overdue: u64) {
    let store = Store::open(&format!("sqlite:{}", database.display())).expect("it opens");
    let clock = Clock::start(None);
    let (_runtime, live) = games::start(&store, &clock);
    let now = clock.now();
    let ago = |ms: u64| Timestamp(now.0 - ms);
    let day = 86_400_000;
    let by = |days| TimeControl::Correspondence { days };
    let later = (0..idle).map(|n| {
        let days = 1 + (n % 14) as u8;
        (n, games::begun(ago(n % 3_600_000), by(days)))
    });
    // The server was there: the last moment it is known to be up is after all of them.
    let late = (0..overdue).map(|n| {
        let begun = ago(day + 60_000 + n % 3_000_000);
        (idle + n, games::begun(begun, by(1)))
    });
    games::create(&live, later.chain(late));
    let (tell, told) = mpsc::channel();
    store.heartbeat(clock.now(), Box::new(move |done| drop(tell.send(done))));
    told.recv().expect("an answer").expect("it is written");
    live.close();
    store.close();
}
