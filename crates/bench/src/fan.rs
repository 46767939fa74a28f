//! Who else tells as many sockets the same: bare frames, and what one would write on Node.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::client::{Answer, Client, Load, Next};
use crate::crowd::Crowd;
use crate::http;
use crate::listener::{Listener, SETTLE, Speech};
use crate::peers;
use crate::process::{Process, myself};
use crate::report::{Section, count};
use crate::socket_io;
use crate::spread::{Acknowledged, Spread};

/// What is told, and to how many.
#[derive(Clone, Copy)]
pub(crate) struct Fan {
    pub(crate) watchers: usize,
    /// A message every second, for so long.
    pub(crate) seconds: u64,
    /// The length of a message.
    pub(crate) length: usize,
}

/// A server on Node whose fan-out is compared with ours.
struct Peer {
    name: &'static str,
    directory: &'static str,
    path: &'static str,
    speech: Speech,
    /// What our last receipt may be of its.
    at_most: Option<f64>,
}

const PEERS: [Peer; 2] = [
    Peer {
        name: "ws",
        directory: "ws",
        path: "/",
        speech: Speech::Plain,
        at_most: Some(0.9),
    },
    Peer {
        name: "socket.io",
        directory: "socketio",
        path: socket_io::PATH,
        speech: Speech::SocketIo,
        at_most: None,
    },
];

impl Fan {
    /// Pre-encoded frames, with nothing behind the sockets, written by so many threads.
    pub(crate) fn bare(&self, senders: usize) -> Result<Spread, String> {
        let watchers = self.watchers;
        eprintln!("{watchers} sockets of pre-encoded frames, senders: {senders}");
        let server = myself(&["bare-fan", "--senders", &senders.to_string()])?;
        self.out(&server, "/", Speech::Plain)
    }

    /// What a second thread that writes would gain, beside `one` that does.
    pub(crate) fn by_two(&self, one: &mut Spread, section: &mut Section) -> Result<(), String> {
        let last = self.bare(2)?.last.ms(50.0);
        let of = |what: &str| format!("{} watchers: last receipt, {what}", count(self.watchers));
        let what = of("median after the acknowledgement, bare frames by two threads");
        section.row(what, last, "ms");
        let what = of("median of bare frames by two threads over that of one");
        section.row(what, last / one.last.ms(50.0), "");
        Ok(())
    }

    /// The peers on Node beside `ours`. What cannot be installed is left out with a word.
    pub(crate) fn beside(
        &self,
        ours: &mut Spread,
        work: &Path,
        data: &Path,
        section: &mut Section,
    ) -> Vec<(&'static str, Spread)> {
        let mut all = Vec::new();
        for peer in &PEERS {
            eprintln!("{} sockets of {}", self.watchers, peer.name);
            let theirs = peers::start(&[peer.directory], work, data)
                .and_then(|server| self.out(&server, peer.path, peer.speech));
            match theirs {
                Ok(mut theirs) => {
                    self.tell(peer, ours, &mut theirs, section);
                    all.push((peer.name, theirs));
                }
                Err(why) => section.left_out(peer.name, &why),
            }
        }
        all
    }

    fn tell(&self, peer: &Peer, ours: &mut Spread, theirs: &mut Spread, section: &mut Section) {
        let (name, last) = (peer.name, theirs.last.ms(50.0));
        let of = |what: &str| format!("{} watchers: last receipt, {what}", count(self.watchers));
        let what = of(&format!("median after the acknowledgement, {name}"));
        section.row(what, last, "ms");
        let what = of(&format!("p99 after the acknowledgement, {name}"));
        section.row(what, theirs.last.ms(99.0), "ms");
        let what = of(&format!("median over that of {name}"));
        let row = section.row(what, ours.last.ms(50.0) / last, "");
        if let Some(limit) = peer.at_most {
            row.at_most(limit);
        }
        if theirs.missing > 0 {
            section.note(format!("{name} did not deliver {}", theirs.missing));
        }
    }

    /// Opens all sockets, and has a message sent to them every second.
    fn out(&self, server: &Process, path: &str, speech: Speech) -> Result<Spread, String> {
        let paths = std::iter::repeat_n(path.to_owned(), self.watchers);
        let listener = Listener::start(Crowd::connect(server.address, paths)?, speech);
        if speech == Speech::SocketIo {
            listener.wait_for(self.watchers)?;
        }
        std::thread::sleep(SETTLE);
        let acknowledged = broadcast(server.address, self.seconds, self.length)?;
        std::thread::sleep(SETTLE);
        let heard = listener.end()?;
        Ok(Spread::new(&acknowledged, &heard.receipts, self.watchers))
    }
}

fn broadcast(address: SocketAddr, seconds: u64, length: usize) -> Result<Acknowledged, String> {
    let mut client = Client::new(address, 1).map_err(|e| e.to_string())?;
    let mut load = Broadcast {
        begun: Instant::now(),
        ply: 0,
        seconds: seconds as u32,
        length,
        acknowledged: Vec::new(),
    };
    client.run(&mut load)?;
    Ok(load.acknowledged)
}

/// A message a second, as long as the server's.
struct Broadcast {
    begun: Instant,
    ply: u32,
    seconds: u32,
    length: usize,
    acknowledged: Acknowledged,
}

impl Load for Broadcast {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        let intended = self.begun + Duration::from_secs(1) * self.ply;
        if self.ply == self.seconds {
            return Next::Idle;
        }
        if intended > now {
            return Next::At(intended);
        }
        self.ply += 1;
        let message = format!("{{\"type\":\"MOVE\",\"ply\":{},\"fill\":\"", self.ply);
        let fill = "x".repeat(self.length.saturating_sub(message.len() + 2));
        http::request(
            out,
            "POST",
            "/",
            "",
            format!("{message}{fill}\"}}").as_bytes(),
        );
        Next::Send {
            tag: u64::from(self.ply),
            intended,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        self.acknowledged.push((answer.tag as u32, answer.received));
    }

    fn lost(&mut self, _: u64) {}
}
