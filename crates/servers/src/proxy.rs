//! A way to a server that can be long, cut or blocked.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::ports::listen;

/// Pieces that may be on their way in one direction of one connection.
const PIECES_MAX: usize = 4096;
/// The longest piece.
const PIECE_BYTES: usize = 16 << 10;

/// Forwards connections of the loopback to one server. It is gone with this value.
pub struct Proxy {
    road: Arc<Road>,
    address: SocketAddr,
    accepting: Mutex<Option<JoinHandle<()>>>,
}

/// What all connections share.
struct Road {
    target: SocketAddr,
    now: Mutex<Now>,
    changed: Condvar,
}

struct Now {
    state: State,
    /// How long each piece takes, each way.
    delay: Duration,
    /// Both ends of all connections.
    open: Vec<TcpStream>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Stalled,
    Cut,
}

/// Bytes, and when they arrive.
type Piece = (Instant, Vec<u8>);

impl Proxy {
    /// A proxy on a free port.
    ///
    /// # Panics
    /// If the system has none.
    pub fn to(target: SocketAddr) -> Proxy {
        let listener = listen();
        let address = listener.local_addr().expect("a socket has an address");
        let now = Now {
            state: State::Open,
            delay: Duration::ZERO,
            open: Vec::new(),
        };
        let road = Arc::new(Road {
            target,
            now: Mutex::new(now),
            changed: Condvar::new(),
        });
        let accepting = Mutex::new(Some(road.accept(listener)));
        Proxy {
            road,
            address,
            accepting,
        }
    }

    /// A proxy to the server of that URL, and the URL of the same through the proxy.
    ///
    /// # Panics
    /// If the URL names no address with a port.
    pub fn to_url(url: &str) -> (Proxy, String) {
        let (scheme, rest) = url.split_once("://").expect("a URL");
        let (place, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let (user, host) = match place.rsplit_once('@') {
            Some((user, host)) => (format!("{user}@"), host),
            None => (String::new(), place),
        };
        let proxy = Proxy::to(host.parse().expect("an address with a port"));
        let url = format!("{scheme}://{user}{}{path}", proxy.address);
        (proxy, url)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on everything takes so long, each way. What is sent meanwhile is on
    /// its way together: a long road is not a narrow one.
    pub fn delay(&self, each_way: Duration) {
        self.road.now().delay = each_way;
    }

    /// Closes every connection, and refuses new ones.
    ///
    /// # Panics
    /// If accepting connections had failed.
    pub fn cut(&self) {
        let open = self.road.set(State::Cut);
        for end in open {
            // It fails if the other side was faster.
            drop(end.shutdown(Shutdown::Both));
        }
        if let Some(accepting) = self.accepting().take() {
            // Whoever waits for connections must see that there are to be none.
            drop(TcpStream::connect(self.address));
            accepting.join().expect("connections were accepted");
        }
    }

    /// Holds all bytes back; nobody can tell it from a server that thinks.
    pub fn stall(&self) {
        self.road.set(State::Stalled);
    }

    /// Forwards again, after a cut or a stall.
    ///
    /// # Panics
    /// If somebody took the port meanwhile.
    pub fn resume(&self) {
        self.road.set(State::Open);
        let mut accepting = self.accepting();
        if accepting.is_none() {
            let listener = TcpListener::bind(self.address).expect("its own port");
            *accepting = Some(self.road.accept(listener));
        }
    }

    fn accepting(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.accepting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.cut();
    }
}

impl Road {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state; a cut takes the connections out.
    fn set(&self, state: State) -> Vec<TcpStream> {
        let mut now = self.now();
        now.state = state;
        self.changed.notify_all();
        match state {
            State::Cut => std::mem::take(&mut now.open),
            State::Open | State::Stalled => Vec::new(),
        }
    }

    /// Takes connections until there is a cut.
    fn accept(self: &Arc<Self>, listener: TcpListener) -> JoinHandle<()> {
        let road = Arc::clone(self);
        thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                if road.now().state == State::Cut {
                    return;
                }
                // If the server is not there the client finds its connection closed.
                drop(road.join(client));
            }
        })
    }

    /// Joins a client and the server.
    fn join(self: &Arc<Self>, client: TcpStream) -> io::Result<()> {
        let server = TcpStream::connect(self.target)?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        let ends = [client.try_clone()?, server.try_clone()?];
        {
            let mut now = self.now();
            if now.state == State::Cut {
                return Ok(());
            }
            now.open.retain(|end| end.peer_addr().is_ok());
            now.open.extend(ends);
        }
        self.forward(client.try_clone()?, server.try_clone()?);
        self.forward(server, client);
        Ok(())
    }

    /// Carries bytes one way, in two threads: one notes when they came, one waits
    /// until they may arrive.
    fn forward(self: &Arc<Self>, from: TcpStream, to: TcpStream) {
        let (push, pull) = sync_channel(PIECES_MAX);
        let road = Arc::clone(self);
        thread::spawn(move || road.read(from, &push));
        let road = Arc::clone(self);
        thread::spawn(move || road.write(to, &pull));
    }

    fn read(&self, mut from: TcpStream, push: &SyncSender<Piece>) {
        let mut buffer = vec![0; PIECE_BYTES];
        while let Ok(read @ 1..) = from.read(&mut buffer) {
            let arrives = Instant::now() + self.now().delay;
            if push.send((arrives, buffer[..read].to_vec())).is_err() {
                return;
            }
        }
    }

    fn write(&self, mut to: TcpStream, pull: &Receiver<Piece>) {
        while let Ok((arrives, bytes)) = pull.recv() {
            thread::sleep(arrives.saturating_duration_since(Instant::now()));
            let mut now = self.now();
            while now.state == State::Stalled {
                now = self
                    .changed
                    .wait(now)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            let is_cut = now.state == State::Cut;
            drop(now);
            if is_cut || to.write_all(&bytes).is_err() {
                break;
            }
        }
        // Whoever sent has ended, and all that was sent has arrived.
        drop(to.shutdown(Shutdown::Both));
    }
}
