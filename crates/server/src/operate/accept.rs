//! Taking connections, and saying why not.

use std::io;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum_server::{AddrListener, Address};
use rustix::io::Errno;
use tokio::net::{TcpListener, TcpStream};

use crate::lock::lock;

/// How soon it is tried again when nobody could be let in.
const RETRY: Duration = Duration::from_millis(50);
/// How often the log says that nobody can be let in.
const COMPLAIN: Duration = Duration::from_secs(5);

/// A listener that logs why it cannot accept, and goes on trying.
pub(super) struct Door {
    listener: TcpListener,
    complaint: Mutex<Complaint>,
}

/// What the log was told.
#[derive(Default)]
struct Complaint {
    /// When it was last told of a trouble.
    at: Option<Instant>,
    /// Whether it waits to hear of the end of it.
    is_open: bool,
}

/// The other end of a connection that came through a [`Door`].
#[derive(Clone, Debug)]
pub(super) struct Peer(SocketAddr);

impl Door {
    pub(super) fn new(listener: TcpListener) -> Door {
        Door {
            listener,
            complaint: Mutex::default(),
        }
    }

    fn complain(&self, error: &io::Error) {
        let mut complaint = lock(&self.complaint);
        // It comes and goes as others leave: that is still one trouble.
        if complaint.at.is_none_or(|at| at.elapsed() >= COMPLAIN) {
            *complaint = Complaint {
                at: Some(Instant::now()),
                is_open: true,
            };
            tracing::error!(%error, "nobody can connect: {}", reason(error));
        }
    }

    fn note_recovery(&self) {
        if std::mem::take(&mut lock(&self.complaint).is_open) {
            tracing::info!("connections are accepted again");
        }
    }
}

impl Address for Peer {
    type Stream = TcpStream;
    type Listener = Door;
}

impl AddrListener<TcpStream, Peer> for Door {
    async fn bind_to(Peer(address): Peer) -> io::Result<Door> {
        TcpListener::bind(address).await.map(Door::new)
    }

    async fn accept_stream(&self) -> io::Result<(TcpStream, Peer)> {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    self.note_recovery();
                    return Ok((stream, Peer(address)));
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
