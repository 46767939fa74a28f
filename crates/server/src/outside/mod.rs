//! Requests to addresses that users name: webhooks and push services.
//!
//! Whoever names an address may mean one that only this machine can reach. So a
//! name is looked up here, what may not be reached is left out, and the connection
//! goes to one of the very addresses that were looked at: a name that stands for
//! something else a moment later changes nothing. No redirect is followed, no proxy
//! is asked, and of an answer only its status is told.

mod address;
mod resolve;

use std::error::Error as _;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use axum::http::{HeaderMap, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Full};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::{ClientConfig, RootCertStore, crypto};
use tokio::time::timeout;
use url::{Host, Url};

use self::address::Reachable;
use self::resolve::Resolver;
use crate::settings::Settings;

/// The longest address of a target.
pub const URL_MAX: usize = 2_048;
/// How long a target may take to be connected to.
const CONNECT: Duration = Duration::from_secs(5);
/// How long it may take until it says how it went.
const WHOLE: Duration = Duration::from_secs(10);
/// How much of an answer is read, and for how long, so that the connection can be used again.
const ANSWER_MAX: usize = 4 << 10;
const DRAIN: Duration = Duration::from_secs(1);
/// Connections to one target that are kept for the next request, and for how long.
const IDLE_MAX: usize = 2;
const IDLE: Duration = Duration::from_secs(30);

/// The one client for all of them.
#[derive(Clone)]
pub struct Outside {
    client: Client<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>,
    reachable: Arc<Reachable>,
    allows_http: bool,
    patience: Duration,
}

/// Why a target was not reached, or not asked at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// It is no address that is ever asked: a sentence.
    Unfit(String),
    /// It is at an address that only this machine's neighbours should reach.
    Refused,
    /// Nobody answered, or not in HTTP, or its certificate is not good.
    Unreachable,
    /// It took too long.
    TimedOut,
}

impl Outside {
    /// As the operator chose.
    pub fn new(settings: &Settings) -> Outside {
        let reachable = Arc::new(Reachable::with(settings.outside_networks.clone()));
        let mut connector = HttpConnector::new_with_resolver(Resolver(Arc::clone(&reachable)));
        connector.enforce_http(false);
        connector.set_connect_timeout(Some(CONNECT));
        connector.set_nodelay(true);
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls())
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(IDLE_MAX)
            .build(connector);
        Outside {
            client,
            reachable,
            allows_http: settings.outside_http,
            patience: WHOLE,
        }
    }

    /// Whether a target may be asked, as far as its address says: a name is looked up
    /// only when it is.
    ///
    /// # Errors
    /// [`Failed::Unfit`] with a sentence for whoever named it, or
    /// [`Failed::Refused`].
    pub fn check(&self, text: &str) -> Result<Url, Failed> {
        let unfit = |why: &str| Failed::Unfit(why.to_owned());
        if text.len() > URL_MAX {
            return Err(Failed::Unfit(format!("at most {URL_MAX} characters")));
        }
        let url = Url::parse(text).map_err(|error| Failed::Unfit(error.to_string()))?;
        match url.scheme() {
            "https" => {}
            "http" if self.allows_http => {}
            "http" => return Err(unfit("it must begin with https://")),
            _ => return Err(unfit("it must be an address of the web")),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(unfit("it must not have a name or password in it"));
        }
        if url.fragment().is_some() {
            return Err(unfit("it must not have a # in it"));
        }
        let literal = match url.host() {
            None => return Err(unfit("it names no host")),
            Some(Host::Domain(_)) => None,
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
        };
        match literal {
            Some(address) if !self.reachable.allows(address) => Err(Failed::Refused),
            _ => Ok(url),
        }
    }

    /// Posts to a target. What it answers is its status, whatever that says.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn post(
        &self,
        target: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<StatusCode, Failed> {
        let url = self.check(target)?;
        let uri = Uri::try_from(url.as_str()).map_err(|why| Failed::Unfit(why.to_string()))?;
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri;
        *request.headers_mut() = headers;
        let answer = timeout(self.patience, self.client.request(request)).await;
        let answer = answer.map_err(|_| Failed::TimedOut)?;
        let answer = answer.map_err(|error| why(&error))?;
        let status = answer.status();
        // What comes after the status changes nothing of it.
        drop(timeout(DRAIN, drain(answer.into_body())).await);
        Ok(status)
    }
}

/// Reads a body up to so much: if that was all of it, the connection can be used again.
async fn drain(mut body: impl HttpBody<Data = Bytes> + Unpin) {
    let mut read = 0;
    while let Some(Ok(frame)) = body.frame().await {
        read += frame.data_ref().map_or(0, Bytes::len);
        if read > ANSWER_MAX {
            break;
        }
    }
}

impl Failed {
    /// The name in lists and measurements.
    pub fn name(&self) -> &'static str {
        match self {
            Failed::Unfit(_) => "bad_url",
            Failed::Refused => "refused_address",
            Failed::Unreachable => "unreachable",
            Failed::TimedOut => "timed_out",
        }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Unfit(why) => f.write_str(why),
            Failed::Refused => f.write_str("its address is not one that this server asks"),
            Failed::Unreachable => f.write_str("it cannot be reached"),
            Failed::TimedOut => f.write_str("it took too long to answer"),
        }
    }
}

impl std::error::Error for Failed {}

fn why(error: &hyper_util::client::legacy::Error) -> Failed {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(failed) = error.downcast_ref::<Failed>() {
            return failed.clone();
        }
        if let Some(error) = error.downcast_ref::<std::io::Error>()
            && error.kind() == std::io::ErrorKind::TimedOut
        {
            return Failed::TimedOut;
        }
        cause = error.source();
    }
    Failed::Unreachable
}

/// Certificates are good if the system trusts who made them.
pub(crate) fn tls() -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    ClientConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows the versions of TLS that it was built with")
        .with_root_certificates(roots)
        .with_no_client_auth()
}

#[cfg(test)]
mod tests;
