//! Looks up names, and leaves out what may not be reached.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec;

use hyper_util::client::legacy::connect::dns::Name;
use tokio::net::lookup_host;
use tower::Service;

use super::Failed;
use super::address::Reachable;

/// For the client's connector.
#[derive(Clone)]
pub(super) struct Resolver(pub(super) Arc<Reachable>);

impl Service<Name> for Resolver {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = Failed;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Failed>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failed>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let reachable = Arc::clone(&self.0);
        Box::pin(async move {
            // The connector knows the port.
            let found = lookup_host((name.as_str(), 0)).await;
            let found = found.map_err(|_| Failed::Unreachable)?;
            let allowed = found.filter(|address| reachable.allows(address.ip()));
            let allowed: Vec<SocketAddr> = allowed.collect();
            if allowed.is_empty() {
                return Err(Failed::Refused);
            }
            Ok(allowed.into_iter())
        })
    }
}
