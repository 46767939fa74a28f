//! How the connection is made, and made again.

use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event};
use futures_util::FutureExt;
use tokio::runtime::Handle;

use super::super::QUEUE;
use super::super::meter::Meter;
use super::address::{Login, Servers};

/// The longest pause between two attempts to connect.
const PAUSE_MAX: Duration = Duration::from_secs(1);
/// The first pause; each further one is twice as long.
const PAUSE_FIRST: Duration = Duration::from_millis(10);
/// How long one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(2);
/// How often a silent server is asked whether it is there; after two questions without
/// an answer it is not.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// All that makes a connection.
#[derive(Clone)]
pub(super) struct Config {
    pub(super) servers: Servers,
    /// What all subjects of this cluster begin with.
    pub(super) prefix: String,
    pub(super) handle: Handle,
}

impl Config {
    /// A client that connects as soon as it can, and again whenever it must.
    pub(super) fn connect(&self, meter: Arc<Meter>) -> Client {
        let options = ConnectOptions::new()
            .name("arbiter")
            .no_echo()
            .retry_on_initial_connect()
            .max_reconnects(None)
            .reconnect_delay_callback(pause)
            .connection_timeout(ATTEMPT)
            .ping_interval(ASK_EVERY)
            .client_capacity(QUEUE)
            .subscription_capacity(QUEUE)
            // Subjects are looked at before they come here.
            .skip_subject_validation(true)
            // What a server says of its neighbours may be of no use from here, and does
            // not say whether they speak TLS.
            .ignore_discovered_servers()
            .event_callback(move |event| {
                note(&meter, &event);
                std::future::ready(())
            });
        let options = match self.servers.login.clone() {
            Login::Anonymous => options,
            Login::Token(token) => options.token(token),
            Login::Password { user, password } => options.user_and_password(user, password),
        };
        // The client spawns its tasks on the runtime that is current.
        let _runtime = self.handle.enter();
        options
            .connect(&self.servers.addresses[..])
            .now_or_never()
            .expect("it does not wait for the first connection")
            .expect("the addresses are parsed")
    }
}

/// How long to wait before an attempt; they are counted from one.
fn pause(attempt: usize) -> Duration {
    let doublings = u32::try_from(attempt.saturating_sub(2)).unwrap_or(u32::MAX);
    match attempt {
        0 | 1 => Duration::ZERO,
        _ => PAUSE_FIRST
            .saturating_mul(2_u32.saturating_pow(doublings))
            .min(PAUSE_MAX),
    }
}

/// Counts what is lost, and tells operators what happens.
fn note(meter: &Meter, event: &Event) {
    match event {
        Event::SlowConsumer(_) => meter.missed(),
        Event::Connected => tracing::info!("connected to the bus"),
        Event::Disconnected => tracing::warn!("the connection to the bus is lost"),
        Event::ServerError(error) => tracing::warn!(%error, "the bus complains"),
        // One per attempt.
        Event::ClientError(error) => tracing::debug!(%error, "the bus cannot be reached"),
        Event::LameDuckMode | Event::Draining | Event::Closed => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_less_and_less_frequent_up_to_one_a_second() {
        let pauses: Vec<_> = (1..=5).map(|n| pause(n).as_millis()).collect();
        assert_eq!(pauses, [0, 10, 20, 40, 80]);
        assert_eq!(pause(9), PAUSE_MAX);
        assert_eq!(pause(usize::MAX), PAUSE_MAX);
    }
}
