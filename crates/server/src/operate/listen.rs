//! Sockets, plain or with TLS.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::ServiceExt;
use axum::extract::Request;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use axum_server::{Handle, Server};
use hyper_util::rt::TokioTimer;
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinHandle;

use super::StartError;
use super::accept::{Door, Peer};
use super::entrance::Entrance;
use crate::http::connection::{Encrypted, Plain};
use crate::http::pace::Patience;
use crate::limits::connections::Connections;
use crate::settings::Settings;

/// Connections the system holds until they are accepted.
const BACKLOG: u32 = 4096;
/// How much of an answer the system holds for a client that does not take it.
/// Left alone it holds megabytes for each, and copying them for a hundred
/// clients at once keeps everybody else waiting.
const SEND_BUFFER: u32 = 256 << 10;
/// How often somebody who speaks HTTP/2 is asked whether they are there.
const PING: Duration = Duration::from_secs(90);
/// The longest head of a request; a longer one is answered with 431.
const HEAD_BYTES_MAX: u32 = 32 * 1024;

/// A socket that is open and waits to be served.
pub struct Listening {
    listener: TcpListener,
    /// Where it really listens.
    pub address: SocketAddr,
}

/// A socket that is being served.
pub struct Serving {
    handle: Handle<Peer>,
    task: JoinHandle<std::io::Result<()>>,
}

/// A certificate that can be exchanged while it is in use.
#[derive(Clone)]
pub struct Tls {
    config: RustlsConfig,
    cert: PathBuf,
    key: PathBuf,
}

impl Listening {
    /// Opens a socket; port 0 takes a free one.
    ///
    /// # Errors
    /// [`StartError::Listen`].
    pub fn open(address: SocketAddr) -> Result<Listening, StartError> {
        let open = || {
            let socket = if address.is_ipv4() {
                TcpSocket::new_v4()?
            } else {
                TcpSocket::new_v6()?
            };
            socket.set_reuseaddr(true)?;
            socket.set_send_buffer_size(SEND_BUFFER)?;
            socket.bind(address)?;
            let listener = socket.listen(BACKLOG)?;
            let address = listener.local_addr()?;
            Ok(Listening { listener, address })
        };
        open().map_err(|error| StartError::Listen(address, error))
    }

    /// Answers whoever connects, in so far as they may.
    pub fn serve(
        self,
        entrance: Entrance,
        tls: Option<&Tls>,
        patience: Patience,
        connections: Option<Connections>,
    ) -> Serving {
        let handle = Handle::new();
        let door = Door::new(self.listener, connections, tls.is_some());
        let mut server = Server::<Peer>::from_listener(door).handle(handle.clone());
        // Who is slow or silent is dealt with where the bytes come in, before
        // it is known which HTTP they are.
        let mut http = server.http_builder().http1();
        http.header_read_timeout(None)
            .max_buf_size(HEAD_BYTES_MAX as usize)
            .keep_alive(true);
        server
            .http_builder()
            .http2()
            .timer(TokioTimer::new())
            .max_header_list_size(HEAD_BYTES_MAX)
            .keep_alive_interval(PING);
        let service = ServiceExt::<Request>::into_make_service(entrance);
        let task = match tls {
            None => tokio::spawn(server.acceptor(Plain(patience)).serve(service)),
            Some(tls) => {
                let acceptor = RustlsAcceptor::new(tls.config.clone());
                let acceptor = acceptor.handshake_timeout(patience.head);
                let acceptor = acceptor.acceptor(Encrypted(patience));
                tokio::spawn(server.acceptor(acceptor).serve(service))
            }
        };
        Serving { handle, task }
    }
}

impl Serving {
    /// Accepts nobody any more, lets connections end, and cuts those that have not in that time.
    pub async fn stop(mut self, patience: Duration) {
        self.handle.graceful_shutdown(Some(patience));
        match (&mut self.task).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the listener failed"),
            Err(error) => tracing::error!(%error, "the listener panicked"),
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.handle.shutdown();
    }
}

impl Tls {
    /// Reads the certificate and key that the settings name, if they do.
    ///
    /// # Errors
    /// [`StartError::Tls`].
    pub async fn of(settings: &Settings) -> Result<Option<Tls>, StartError> {
        let (Some(cert), Some(key)) = (&settings.tls_cert, &settings.tls_key) else {
            return Ok(None);
        };
        if rustls::crypto::ring::default_provider()
            .install_default()
            .is_err()
        {
            tracing::debug!("TLS was set up already");
        }
        let config = RustlsConfig::from_pem_file(cert, key)
            .await
            .map_err(StartError::Tls)?;
        Ok(Some(Tls {
            config,
            cert: cert.clone(),
            key: key.clone(),
        }))
    }

    /// Reads them again: certificates are renewed more often than servers restart.
    pub async fn reload(&self) {
        match self
            .config
            .reload_from_pem_file(&self.cert, &self.key)
            .await
        {
            Ok(()) => tracing::info!("the certificate was read again"),
            Err(error) => tracing::error!(%error, "the old certificate stays in use"),
        }
    }
}
