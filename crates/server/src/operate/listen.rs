//! Sockets, plain or with TLS.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use axum_server::{Handle, Server};
use hyper_util::rt::TokioTimer;
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinHandle;

use super::StartError;
use super::accept::{Door, Peer};
use crate::http::connection::{Encrypted, Plain};
use crate::settings::Settings;

/// Connections the system holds until they are accepted.
const BACKLOG: u32 = 4096;
/// How long a connection may be silent, or take to send a request's head:
/// longer than the 60 and 75 s after which proxies give up theirs, so that
/// none ever sends a request into a closing connection.
const SILENCE: Duration = Duration::from_secs(90);

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
            socket.bind(address)?;
            let listener = socket.listen(BACKLOG)?;
            let address = listener.local_addr()?;
            Ok(Listening { listener, address })
        };
        open().map_err(|error| StartError::Listen(address, error))
    }

    /// Answers whoever connects.
    pub fn serve(self, router: Router, tls: Option<&Tls>) -> Serving {
        let handle = Handle::new();
        let mut server =
            Server::<Peer>::from_listener(Door::new(self.listener)).handle(handle.clone());
        let mut http = server.http_builder().http1();
        http.timer(TokioTimer::new())
            .header_read_timeout(SILENCE)
            .keep_alive(true);
        server
            .http_builder()
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(SILENCE);
        let service = router.into_make_service();
        let task = match tls {
            None => tokio::spawn(server.acceptor(Plain).serve(service)),
            Some(tls) => {
                let acceptor = RustlsAcceptor::new(tls.config.clone());
                let acceptor = acceptor.acceptor(Encrypted);
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
