//! Where a request comes from.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, header};

use crate::http::connection::Connection;
use crate::play::App;
use crate::settings::{Network, Settings};

/// The address of whoever makes the request, as far as it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<App> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let trusted = &app.settings.trusted_proxies;
        Ok(found(&parts.extensions, &parts.headers, trusted))
    }
}

impl ClientAddress {
    /// The connection's other end or, behind trusted proxies, the right-most
    /// hop that is none of them: whatever is left of it, anyone can write.
    pub fn of(request: &Request, trusted: &[Network]) -> ClientAddress {
        found(request.extensions(), request.headers(), trusted)
    }
}

/// Where the server is found, without a slash at the end: as the operator says, or as
/// the client asked.
pub(crate) fn base_url(settings: &Settings, asked: &HeaderMap) -> Option<String> {
    if let Some(url) = &settings.public_url {
        return Some(url.trim_end_matches('/').to_owned());
    }
    let scheme = if settings.is_tls() { "https" } else { "http" };
    let host = asked.get(header::HOST)?.to_str().ok()?;
    Some(format!("{scheme}://{host}"))
}

fn found(extensions: &Extensions, headers: &HeaderMap, trusted: &[Network]) -> ClientAddress {
    let connection = extensions.get::<Connection>();
    // Without a connection there is no network: a test calls the router itself.
    let peer = connection.map_or(Ipv4Addr::LOCALHOST.into(), |c| c.peer.ip().to_canonical());
    ClientAddress(behind(peer, headers, trusted))
}

fn behind(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    if !is_trusted(peer) {
        return peer;
    }
    let values = headers.get_all("x-forwarded-for").into_iter();
    let hops: Vec<&str> = values
        .flat_map(|value| value.to_str().unwrap_or("?").split(','))
        .collect();
    let mut client = peer;
    for hop in hops.into_iter().rev() {
        if !is_trusted(client) {
            break;
        }
        match address(hop.trim()) {
            Some(address) => client = address,
            None => break,
        }
    }
    client
}

/// An address with or without a port.
fn address(hop: &str) -> Option<IpAddr> {
    let bare = hop
        .strip_prefix('[')
        .and_then(|hop| hop.strip_suffix(']'))
        .unwrap_or(hop);
    let with_port = || hop.parse().ok().map(|address: SocketAddr| address.ip());
    bare.parse()
        .ok()
        .or_else(with_port)
        .map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests;
