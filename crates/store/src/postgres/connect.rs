//! Reaching the database.

use std::str::FromStr;
use std::time::Duration;

use deadpool_postgres::{
    ClientWrapper, Hook, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime,
};
use futures_util::future::join_all;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::{Client, Config, Connection, NoTls, Socket};

use super::fault::with_causes;
use super::tls::Tls;
use super::url;
use crate::Error;

/// How long it may take to reach the database, or for a connection to be free.
const WAIT: Duration = Duration::from_millis(900);
/// After how long the system gives up on a peer that is not there any more.
const SILENCE: Duration = Duration::from_secs(3);

/// Everything of ours is in a schema of its own. A statement that takes longer
/// than anybody waits for it is given up by the server, so that no connection
/// stays busy with it; waiting for somebody else's lock ends before that. What is
/// played is in memory or on an SSD: planned for a disk that turns, a batch would read
/// whole parts of `tables` instead of looking for its rows by their keys.
const OPTIONS: &str = "-c search_path=arbiter -c statement_timeout=10000 -c lock_timeout=4000 \
                       -c synchronous_commit=on -c random_page_cost=1.1";

/// Where the database is, and how to speak to it.
#[derive(Clone)]
pub(super) struct Way {
    config: Config,
    /// Nothing: in the clear.
    tls: Option<Tls>,
}

/// What a URL says.
pub(super) fn config(url: &str) -> Result<Way, Error> {
    let wrong = |why: String| Error::Unavailable(format!("the store's URL: {why}"));
    let (url, trust) = url::take_apart(url).map_err(wrong)?;
    let mut config = Config::from_str(&url).map_err(|error| wrong(with_causes(&error)))?;
    let tls = trust.as_ref().map(Tls::new).transpose().map_err(wrong)?;
    if config.get_dbname().is_none() {
        return Err(wrong("names no database".into()));
    }
    let own = config.get_options().unwrap_or_default();
    let options = format!("{OPTIONS} {own}");
    config
        .options(options.trim_end())
        .application_name("arbiter")
        .connect_timeout(WAIT)
        .tcp_user_timeout(SILENCE)
        .keepalives_idle(SILENCE)
        .keepalives_interval(SILENCE);
    Ok(Way { config, tls })
}

/// Connections, made when they are needed and again when they are lost. What is
/// prepared on each at once nobody has to wait for later.
pub(super) fn pool(way: &Way, size: usize, prepared: Vec<&'static str>) -> Pool {
    let settings = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    let config = way.config.clone();
    let manager = match &way.tls {
        Some(tls) => Manager::from_config(config, tls.clone(), settings),
        None => Manager::from_config(config, NoTls, settings),
    };
    let prepare = Hook::async_fn(move |db: &mut ClientWrapper, _| {
        let prepared = prepared.clone();
        Box::pin(async move {
            // What cannot be prepared now says why when it is needed.
            let each = prepared.iter().map(|sql| db.prepare_cached(sql));
            drop(join_all(each).await);
            Ok(())
        })
    });
    Pool::builder(manager)
        .post_create(prepare)
        .max_size(size)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(WAIT))
        .create_timeout(Some(WAIT))
        .recycle_timeout(Some(WAIT))
        .build()
        .expect("a pool with a runtime can always be made")
}

/// One connection, driven until it ends.
pub(super) async fn connect(way: &Way) -> Result<Client, Error> {
    let unreachable = |error| {
        let why = with_causes(&error);
        Error::Unavailable(format!("the database cannot be reached: {why}"))
    };
    match &way.tls {
        Some(tls) => {
            let made = way.config.connect(tls.clone()).await;
            Ok(driven(made.map_err(unreachable)?))
        }
        None => Ok(driven(
            way.config.connect(NoTls).await.map_err(unreachable)?,
        )),
    }
}

/// Drives a connection for its client.
fn driven<T>((client, connection): (Client, Connection<Socket, T>)) -> Client
where
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(
                error = with_causes(&error),
                "a connection to the database was lost"
            );
        }
    });
    client
}
