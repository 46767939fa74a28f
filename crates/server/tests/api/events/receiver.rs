//! A target of webhooks, and what it was sent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Something that was sent.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Sent {
    pub(super) fn event(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    pub(super) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).expect("the header is there");
        value.to_str().expect("a text")
    }

    /// Whether somebody who knows this secret finds that it is ours.
    pub(super) fn is_signed_with(&self, secret: &str) -> bool {
        let signature = self.header("arbiter-signature");
        let mut parts = signature.split(',');
        let time = parts.next().and_then(|part| part.strip_prefix("t="));
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
        mac.update(format!("{}.", time.expect("a time")).as_bytes());
        mac.update(&self.body);
        let code = mac.finalize().into_bytes();
        let code: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
        parts.any(|part| part == format!("v1={code}"))
    }
}

/// What is answered to each request: by how many there were before it.
type Answer = fn(usize) -> u16;

#[derive(Clone)]
pub(super) struct Receiver {
    pub(super) address: SocketAddr,
    sent: Arc<Mutex<Vec<Sent>>>,
    count: watch::Sender<usize>,
    answer: Answer,
}

impl Receiver {
    pub(super) async fn start() -> Receiver {
        Receiver::answering(|_| 204).await
    }

    pub(super) async fn answering(answer: Answer) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        Receiver::on(listener, answer)
    }

    /// At an address that nobody else has by now.
    pub(super) async fn at(address: SocketAddr) -> Receiver {
        let listener = TcpListener::bind(address).await.expect("the port is free");
        Receiver::on(listener, |_| 204)
    }

    fn on(listener: TcpListener, answer: Answer) -> Receiver {
        let receiver = Receiver {
            address: listener.local_addr().expect("an address"),
            sent: Arc::default(),
            count: watch::Sender::new(0),
            answer,
        };
        let routes = Router::new()
            .route("/hook", post(receive))
            .with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        receiver
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// The first so many, once they have come: where others share the store, what a
    /// server had in hand when it stopped, or could not note the end of, is claimed for
    /// half a minute.
    pub(super) async fn first(&self, many: usize) -> Vec<Sent> {
        let mut count = self.count.subscribe();
        let come = count.wait_for(|count| *count >= many);
        let waited = tokio::time::timeout(std::time::Duration::from_secs(180), come).await;
        assert!(waited.is_ok(), "{} of {many} came", self.many());
        let sent = self.sent.lock().expect("nobody panicked");
        sent[..many].to_vec()
    }

    pub(super) fn many(&self) -> usize {
        *self.count.borrow()
    }
}

async fn receive(State(it): State<Receiver>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let before = {
        let mut sent = it.sent.lock().expect("nobody panicked");
        sent.push(Sent { headers, body });
        sent.len() - 1
    };
    it.count.send_replace(before + 1);
    StatusCode::from_u16((it.answer)(before)).expect("a status")
}
