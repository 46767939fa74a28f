//! Taking connections, and saying why not.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum_server::{AddrListener, Address};
use rustix::io::Errno;
use tokio::net::{TcpListener, TcpStream};

use crate::http::connection::Arrival;
use crate::limits::connections::{Connections, Refused};
use crate::lock::lock;

/// How soon it is tried again when nobody could be let in.
const RETRY: Duration = Duration::from_millis(50);
/// How often the log says that somebody cannot be let in.
const COMPLAIN: Duration = Duration::from_secs(5);
/// What is said to one too many.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n\
    content-length: 73\r\nretry-after: 5\r\nconnection: close\r\n\r\n\
    {\"error\":\"unavailable\",\"detail\":\"there are too many connections already\"}";

/// A listener that logs why it cannot accept, and goes on trying.
pub(super) struct Door {
    listener: TcpListener,
    /// Everybody who has come in, if they are counted.
    connections: Option<Connections>,
    is_tls: bool,
    trouble: Mutex<Complaint>,
    crowding: Mutex<Complaint>,
}

/// What the log was told.
#[derive(Default)]
struct Complaint {
    /// When it was last told.
    at: Option<Instant>,
    /// Whether it waits to hear of the end of it.
    is_open: bool,
}

impl Complaint {
    /// Whether the log is to be told: what comes and goes as others leave is
    /// still one trouble.
    fn is_due(&mut self) -> bool {
        let is_due = self.at.is_none_or(|at| at.elapsed() >= COMPLAIN);
        if is_due {
            *self = Complaint {
                at: Some(Instant::now()),
                is_open: true,
            };
        }
        is_due
    }
}

/// The other end of a connection that came through a [`Door`].
#[derive(Clone, Debug)]
pub(super) struct Peer(SocketAddr);

impl Door {
    pub(super) fn new(
        listener: TcpListener,
        connections: Option<Connections>,
        is_tls: bool,
    ) -> Door {
        Door {
            listener,
            connections,
            is_tls,
            trouble: Mutex::default(),
            crowding: Mutex::default(),
        }
    }

    fn complain(&self, error: &io::Error) {
        if lock(&self.trouble).is_due() {
            tracing::error!(%error, "nobody can connect: {}", reason(error));
        }
    }

    fn note_recovery(&self) {
        if std::mem::take(&mut lock(&self.trouble).is_open) {
            tracing::info!("connections are accepted again");
        }
    }

    /// Lets somebody in, unless there are too many already.
    fn admit(&self, stream: TcpStream, address: SocketAddr) -> Option<Arrival> {
        let Some(connections) = &self.connections else {
            return Some(Arrival {
                stream,
                place: None,
            });
        };
        match connections.admit(address.ip()) {
            Ok(place) => Some(Arrival {
                stream,
                place: Some(place),
            }),
            Err(why) => {
                self.turn_away(stream, address, why);
                None
            }
        }
    }

    /// Says so if that can be said at once, and hangs up.
    fn turn_away(&self, stream: TcpStream, address: SocketAddr, why: Refused) {
        if lock(&self.crowding).is_due() {
            let client = address.ip();
            match why {
                Refused::All(max) => {
                    tracing::warn!(max, "connections are refused: connections_max")
                }
                Refused::Address(max) => tracing::warn!(
                    max,
                    %client,
                    "connections are refused: connections_per_address; a proxy belongs into trusted_proxies"
                ),
            }
        }
        if self.is_tls {
            return;
        }
        // Whether it arrives is up to the client: nobody waits for it.
        let said = stream.into_std().and_then(|mut stream| stream.write(FULL));
        if let Err(error) = said {
            tracing::debug!(%error, "one too many was not told so");
        }
    }
}

impl Address for Peer {
    type Stream = Arrival;
    type Listener = Door;
}

impl AddrListener<Arrival, Peer> for Door {
    async fn bind_to(Peer(address): Peer) -> io::Result<Door> {
        let listener = TcpListener::bind(address).await?;
        Ok(Door::new(listener, None, false))
    }

    async fn accept_stream(&self) -> io::Result<(Arrival, Peer)> {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    self.note_recovery();
                    if let Some(arrival) = self.admit(stream, address) {
                        return Ok((arrival, Peer(address)));
                    }
                }
                // Trouble of that one connection, which is gone.
                Err(error) if is_of_peer(&error) => {}
                Err(error) => {
                    self.complain(&error);
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    }

    fn get_local_addr(&self) -> io::Result<Peer> {
        self.listener.local_addr().map(Peer)
    }
}

fn is_of_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}

/// What to do about it.
fn reason(error: &io::Error) -> &'static str {
    match Errno::from_io_error(error) {
        Some(Errno::MFILE) => {
            "the process has all the files open that it may; raise `ulimit -n` (LimitNOFILE of systemd)"
        }
        Some(Errno::NFILE) => {
            "the system has all the files open that it may; raise `sysctl fs.file-max`"
        }
        Some(Errno::NOMEM | Errno::NOBUFS) => "the system has no memory for it",
        _ => "the system does not say what to do",
    }
}
