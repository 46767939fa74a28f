//! A server from its start to its end.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use futures_util::future::{join, join_all};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, sleep, timeout};

use super::background::{Background, tidy};
use super::entrance::Entrance;
use super::listen::{Listening, Serving, Tls};
use super::operator::Credentials;
use super::{StartError, figures, open, overdue, purge, supervise, time};
use crate::admin::setup;
use crate::doors::native::events;
use crate::doors::xmpp;
use crate::http::pace::Patience;
use crate::operate::shell::Shell;
use crate::play::App;
use crate::play::analysis;
use crate::play::becoming;
use crate::play::correspondence;
use crate::play::events::{deliver, stream, watch};
use crate::play::house;
use crate::play::matchmaking::rounds;
use crate::play::notify::{reader, sender};
use crate::play::rematch::rematches_of;
use crate::rooms::{Threads, others};
use crate::settings::Settings;

/// How long requests in hand may take once the server is stopping.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long new work is refused at least, so that clients between two
/// requests are told, instead of finding their connection closed.
const REFUSAL: Duration = Duration::from_millis(100);
/// How long connections may take to close after that.
const FAREWELL: Duration = Duration::from_millis(500);

/// How often those are counted that are waited for.
const LOOK: Duration = Duration::from_millis(5);

/// A server that runs. To be ended with [`Running::stop`]; dropping it ends
/// it the hard way, losing nothing that was acknowledged.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    app: App,
    shell: Shell,
    tls: Option<Tls>,
    serving: Vec<Serving>,
    background: Option<Background>,
    watches: [JoinHandle<()>; 15],
    /// Speaks to the XMPP server, to the last.
    xmpp: JoinHandle<()>,
    streams: Option<Threads>,
    credentials: Option<Credentials>,
    setup_code: Option<String>,
}

impl Running {
    /// Starts a server: returns once it answers.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(settings: Settings) -> Result<Running, StartError> {
        settings
            .check()
            .map_err(|error| StartError::Setting(error.to_string()))?;
        let tls = Tls::of(&settings).await?;
        let public = Listening::open(settings.listen)?;
        // Whoever connects from now on waits until the games are back.
        let app = open(settings).await?;
        // The command line speaks plain HTTP to the operator's door.
        let private = match tls {
            Some(_) => Some(Listening::open(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?),
            None => None,
        };
        let address = public.address;
        let operators = private
            .as_ref()
            .map_or(address, |listening| listening.address);
        // First: other nodes, and outages, are told by the heartbeat.
        let background = Background::start(&app)?;
        let credentials = Credentials::issue(&app, reachable(operators)).await?;
        let setup_code = setup::code(&app).await?;
        house::open(&app).await?;
        let streams = Threads::start(&app.rooms).map_err(StartError::Thread)?;
        supervise::start_telling(&app);
        let shell = Shell::new(app.clone());
        let entrance = Entrance::new(shell.clone(), app.settings.cors_origins.is_empty());
        let patience = Patience::of(&app.settings);
        let connections = Some(app.connections.clone());
        let mut serving = vec![public.serve(entrance.clone(), tls.as_ref(), patience, connections)];
        // The operator gets in, however many others have.
        serving.extend(private.map(|private| private.serve(entrance, None, patience, None)));
        let metrics = shell.metrics().clone();
        let watches = [
            kept(&app, "overdue", move |app| {
                overdue::watch(app, metrics.clone())
            }),
            kept(&app, "time", time::watch),
            kept(&app, "figures", figures::watch),
            kept(&app, "purge", purge::run),
            kept(&app, "matchmaker", rounds::run),
            kept(&app, "notifier", reader::run),
            kept(&app, "sender", sender::run),
            kept(&app, "events", watch::run),
            kept(&app, "webhooks", |app| deliver::run(app, events::body)),
            kept(&app, "correspondence", correspondence::run),
            kept(&app, "aliases", becoming::run),
            kept(&app, "event stream", |app| stream::run(app, events::body)),
            kept(&app, "house", house::rounds::run),
            kept(&app, "analysis", analysis::work::run),
            kept(&app, "rooms", |app| {
                others::watch(app.rooms.clone(), app.store.clone(), rematches_of)
            }),
        ];
        let xmpp = kept(&app, "xmpp", xmpp::run);
        let background = Some(background);
        Ok(Running {
            address,
            app,
            shell,
            tls,
            serving,
            background,
            watches,
            xmpp,
            streams: Some(streams),
            credentials,
            setup_code,
        })
    }

    /// The server's parts.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// With what somebody may become the first administrator, if there was none.
    pub fn setup_code(&self) -> Option<&str> {
        self.setup_code.as_deref()
    }

    /// Where to point a browser or curl.
    pub fn url(&self) -> String {
        if let Some(url) = &self.app.settings.public_url {
            return url.clone();
        }
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", reachable(self.address))
    }

    /// Reads the certificate and the keys of outside tokens again, if there are any.
    pub async fn reload(&self) {
        let auth = self.app.auth.clone();
        if spawn_blocking(move || auth.reload_keys()).await.is_err() {
            tracing::error!("the keys of outside tokens could not be read again");
        }
        if let Some(tls) = &self.tls {
            tls.reload().await;
        }
    }

    /// Stops: refuses new work, finishes what is in hand, tidies and closes the
    /// store. What clients have not sent or do not take is not waited for.
    pub async fn stop(mut self) {
        self.refuse().await;
        let deadline = Instant::now() + PATIENCE;
        sleep(REFUSAL).await;
        let is_busy = || self.shell.in_hand() > 0 || self.app.notifier.is_sending();
        while is_busy() && Instant::now() < deadline {
            sleep(LOOK).await;
        }
        if let Some(credentials) = self.credentials.take()
            && timeout(PATIENCE, credentials.revoke(&self.app))
                .await
                .is_err()
        {
            tracing::error!("the operator's token could not be taken back: the store hangs");
        }
        self.depart().await;
        let farewell = self.app.rooms.spread() + FAREWELL;
        self.app.rooms.farewell();
        let serving = self.serving.drain(..);
        let closed = join_all(serving.map(|serving| serving.stop(farewell)));
        join(closed, self.streams_end(farewell)).await;
        self.app.components.close().await;
        self.xmpp.abort();
        self.streams.take();
        self.app.rooms.leave_others().await;
        self.app.games.live().note_alive();
        match timeout(PATIENCE, tidy(&self.app)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::error!(%error, "the store could not be tidied; the next start does it")
            }
            Err(_) => tracing::error!("tidying the store took too long; the next start does it"),
        }
        let store = self.app.store.clone();
        if spawn_blocking(move || store.close()).await.is_err() {
            tracing::error!("the store could not be closed");
        }
    }

    /// From here on no move is accepted, so no time is counted: the last moment
    /// at which the server is known to be up is this one, whatever the rest of
    /// the stop takes, and no flag falls any more.
    async fn refuse(&mut self) {
        let live = self.app.games.live();
        live.heartbeat();
        live.close();
        self.watches.iter().for_each(JoinHandle::abort);
        self.app.house.close().await;
        analysis::give_back(&self.app).await;
        self.app.auth.stop();
        if let Some(background) = self.background.take()
            && spawn_blocking(move || background.stop()).await.is_err()
        {
            tracing::error!("the background threads could not be stopped");
        }
    }

    /// Tells the other nodes that this one makes no change any more: they take over
    /// what it watched.
    async fn depart(&self) {
        match timeout(PATIENCE, self.app.games.live().depart()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, "the others will notice that this node is gone")
            }
            Err(_) => tracing::warn!("the others will notice that this node is gone"),
        }
    }

    /// Waits until everybody has closed their stream, or has had the time to.
    async fn streams_end(&self, farewell: Duration) {
        let told = Instant::now() + farewell;
        while self.app.rooms.stats().subscribers > 0 && Instant::now() < told {
            sleep(LOOK).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.watches.iter().for_each(JoinHandle::abort);
        self.xmpp.abort();
        drop(self.app.house.leave());
        // Rooms and live core know each other where there are others, so nothing else
        // would ever close the connections of a server that is dropped.
        let store = self.app.store.clone();
        if store.is_shared() {
            std::thread::spawn(move || store.close());
        }
    }
}

/// Runs a server until `until` is done; `ready` is told when it answers.
///
/// # Errors
/// [`StartError`].
pub async fn serve(
    settings: Settings,
    ready: impl FnOnce(&Running),
    until: impl Future<Output = ()>,
) -> Result<(), StartError> {
    let running = Running::start(settings).await?;
    ready(&running);
    tokio::pin!(until);
    let mut hangups = hangups();
    loop {
        tokio::select! {
            () = &mut until => break,
            () = hangups.next() => running.reload().await,
        }
    }
    running.stop().await;
    Ok(())
}

/// An address one can connect to: a server that listens everywhere is found here.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// SIGHUP, where there is such a thing.
struct Hangups(#[cfg(unix)] Option<tokio::signal::unix::Signal>);

fn hangups() -> Hangups {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        Hangups(signal(SignalKind::hangup()).ok())
    }
    #[cfg(not(unix))]
    Hangups()
}

impl Hangups {
    async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.0 {
            signal.recv().await;
            return;
        }
        std::future::pending().await
    }
}

/// Starts a task of the server's own; again, if it fails.
fn kept<F: Future<Output = ()> + Send + 'static>(
    app: &App,
    name: &'static str,
    mut task: impl FnMut(App) -> F + Send + 'static,
) -> tokio::task::JoinHandle<()> {
    let own = app.clone();
    let run = move || task(own.clone());
    tokio::spawn(supervise::keep_going(app.tasks.clone(), name, run))
}
