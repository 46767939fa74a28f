//! The connection that a request came by, and how connections are taken.

use std::future::{Ready, ready};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::middleware::AddExtension;
use axum_server::accept::Accept;
use tokio::net::TcpStream;
use tower::Layer;

use super::pace::{Pace, Patience};
use super::paced::Paced;
use crate::limits::connections::Place;
use crate::rooms::wire::{SharedStream, Wire};

/// How long a peer may leave bytes unacknowledged.
#[cfg(target_os = "linux")]
const UNHEARD_MS: u32 = 60_000;

/// A connection: one of the extensions of every request that came by it.
#[derive(Clone)]
pub struct Connection {
    /// The other end.
    pub peer: SocketAddr,
    /// The way out, if bytes written to it arrive as they are.
    pub wire: Option<Arc<Wire>>,
    /// Whose turn it is.
    pub pace: Arc<Pace>,
    /// Its place among all others, if they are counted.
    pub place: Option<Arc<Place>>,
}

/// A connection that has been let in.
pub struct Arrival {
    /// Its bytes.
    pub stream: TcpStream,
    /// Its place among all others, if they are counted.
    pub place: Option<Place>,
}

/// Takes connections whose bytes arrive as they are written.
#[derive(Clone, Copy, Debug)]
pub struct Plain(pub Patience);

/// Takes connections whose bytes will be encrypted on the way.
#[derive(Clone, Copy, Debug)]
pub struct Encrypted(pub Patience);

/// A connection ready to be served, and a service that knows it.
type Taken<I, S> = io::Result<(Paced<I>, AddExtension<S, Connection>)>;

impl<S> Accept<Arrival, S> for Plain {
    type Stream = Paced<SharedStream>;
    type Service = AddExtension<S, Connection>;
    type Future = Ready<Taken<SharedStream, S>>;

    fn accept(&self, arrival: Arrival, service: S) -> Self::Future {
        let share = |stream| {
            let stream = SharedStream::new(stream);
            let wire = stream.wire();
            (stream, Some(wire))
        };
        ready(take(self.0, arrival, service, share))
    }
}

impl<S> Accept<Arrival, S> for Encrypted {
    type Stream = Paced<TcpStream>;
    type Service = AddExtension<S, Connection>;
    type Future = Ready<Taken<TcpStream, S>>;

    fn accept(&self, arrival: Arrival, service: S) -> Self::Future {
        ready(take(self.0, arrival, service, |stream| (stream, None)))
    }
}

/// Messages are short, and wait for no others; and who has gone without a word
/// is not written to for a quarter of an hour.
fn take<I, S>(
    patience: Patience,
    Arrival { stream, place }: Arrival,
    service: S,
    share: impl FnOnce(TcpStream) -> (I, Option<Arc<Wire>>),
) -> Taken<I, S> {
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    rustix::net::sockopt::set_tcp_user_timeout(&stream, UNHEARD_MS)?;
    let peer = stream.peer_addr()?;
    let (stream, wire) = share(stream);
    let pace = Arc::new(Pace::new(patience, Instant::now()));
    let place = place.map(Arc::new);
    let paced = Paced::new(stream, Arc::clone(&pace), place.clone());
    let connection = Connection {
        peer,
        wire,
        pace,
        place,
    };
    Ok((paced, Extension(connection).layer(service)))
}
