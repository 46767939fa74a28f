//! The connection that a request came by, and how connections are taken.

use std::future::{Ready, ready};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Extension;
use axum::middleware::AddExtension;
use axum_server::accept::Accept;
use tokio::net::TcpStream;
use tower::Layer;

use super::wire::{Line, Wire};

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
}

/// Takes connections whose bytes arrive as they are written.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// Takes connections whose bytes will be encrypted on the way.
#[derive(Clone, Copy, Debug)]
pub struct Encrypted;

/// A connection ready to be served, and a service that knows it.
type Taken<I, S> = io::Result<(I, AddExtension<S, Connection>)>;

impl<S> Accept<TcpStream, S> for Plain {
    type Stream = Line;
    type Service = AddExtension<S, Connection>;
    type Future = Ready<Taken<Line, S>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let share = |stream| {
            let line = Line::new(stream);
            let wire = line.wire();
            (line, Some(wire))
        };
        ready(take(stream, service, share))
    }
}

impl<S> Accept<TcpStream, S> for Encrypted {
    type Stream = TcpStream;
    type Service = AddExtension<S, Connection>;
    type Future = Ready<Taken<TcpStream, S>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        ready(take(stream, service, |stream| (stream, None)))
    }
}

/// Messages are short, and wait for no others; and who has gone without a word
/// is not written to for a quarter of an hour.
fn take<I, S>(
    stream: TcpStream,
    service: S,
    share: impl FnOnce(TcpStream) -> (I, Option<Arc<Wire>>),
) -> Taken<I, S> {
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    rustix::net::sockopt::set_tcp_user_timeout(&stream, UNHEARD_MS)?;
    let peer = stream.peer_addr()?;
    let (stream, wire) = share(stream);
    Ok((stream, Extension(Connection { peer, wire }).layer(service)))
}
