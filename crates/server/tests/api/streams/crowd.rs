//! A crowd that comes and goes leaves nothing behind.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::sleep;

use crate::client::Server;

/// How many come at a time.
const AT_ONCE: usize = 250;

/// How many come in all; more by hand: `ARBITER_CROWD=50000`.
fn crowd() -> usize {
    let crowd = std::env::var("ARBITER_CROWD").ok();
    crowd.map_or(1_000, |crowd| crowd.parse().expect("a number"))
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kb = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kb.and_then(|kb| kb.parse().ok()).unwrap_or(0)
}

/// Other tests of this process open sockets of their own, so what is counted
/// is the server's gauge; files and memory are looked at when this runs alone.
#[tokio::test]
async fn streams_that_are_closed_are_gone() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let rooms = server.running().app().rooms.clone();
    let come_and_go = async || {
        let nobody = server.nobody();
        let path = format!("/v1/games/{id}/stream");
        // A server that has too much to do at once says so, and they come again.
        let comes = async |_| loop {
            match nobody.tries_to_listen(&path).await {
                Ok(socket) => break socket,
                Err(status) => assert_eq!(status, 503),
            }
        };
        let sockets = join_all((0..AT_ONCE).map(comes)).await;
        assert_eq!(rooms.stats().subscribers, AT_ONCE);
        drop(sockets);
        while rooms.stats().subscribers > 0 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    come_and_go().await;
    let before = (open_files(), resident_kb());
    for _ in 0..crowd() / AT_ONCE {
        come_and_go().await;
    }
    println!(
        "{} streams: files {} -> {}, resident {} -> {} KB",
        crowd(),
        before.0,
        open_files(),
        before.1,
        resident_kb()
    );
    let mut last = server.nobody().watches(&id).await;
    last.hears("STATE").await;
    white.plays(&id, "e4").await.expect(200);
    assert_eq!(last.change().await["san"], "e4");
}
