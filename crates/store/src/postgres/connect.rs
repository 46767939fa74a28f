//! Reaching the database.

use std::str::FromStr;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use tokio_postgres::config::SslMode;
use tokio_postgres::{Client, Config, NoTls};

use super::fault::with_causes;
use crate::Error;

/// How long it may take to reach the database, or for a connection to be free.
const WAIT: Duration = Duration::from_millis(900);
/// After how long the system gives up on a peer that is not there any more.
const SILENCE: Duration = Duration::from_secs(3);

/// Everything of ours is in a schema of its own. A statement that takes longer
/// than anybody waits for it is given up by the server, so that no connection
/// stays busy with it; waiting for somebody else's lock ends before that.
const OPTIONS: &str = "-c search_path=arbiter -c statement_timeout=10000 -c lock_timeout=4000 -c synchronous_commit=on";

/// What a URL says.
pub(super) fn config(url: &str) -> Result<Config, Error> {
    let wrong = |why: String| Error::Unavailable(format!("the store's URL: {why}"));
    let mut config = Config::from_str(url).map_err(|error| wrong(with_causes(&error)))?;
    if config.get_ssl_mode() == SslMode::Require {
        return Err(wrong(
            "encrypted connections come with a later release".into(),
        ));
    }
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
    Ok(config)
}

/// Connections, made when they are needed and again when they are lost.
pub(super) fn pool(config: &Config, size: usize) -> Pool {
    let settings = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    let manager = Manager::from_config(config.clone(), NoTls, settings);
    Pool::builder(manager)
        .max_size(size)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(WAIT))
        .create_timeout(Some(WAIT))
        .recycle_timeout(Some(WAIT))
        .build()
        .expect("a pool with a runtime can always be made")
}

/// One connection, driven until it ends.
pub(super) async fn connect(config: &Config) -> Result<Client, Error> {
    let (client, connection) = config.connect(NoTls).await.map_err(|error| {
        let why = with_causes(&error);
        Error::Unavailable(format!("the database cannot be reached: {why}"))
    })?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(
                error = with_causes(&error),
                "a connection to the database was lost"
            );
        }
    });
    Ok(client)
}
