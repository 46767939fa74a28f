//! The server that runs, or the database itself: if none does, or if it is one that
//! several may use at once.

use std::path::PathBuf;

use axum::body::{Body, Bytes};
use axum::http::{Method, Request, header};
use axum::{Router, response::Response};
use chess::Millis;
use http_body_util::BodyExt;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use store::{Lock, Store};
use tokio::task::spawn_blocking;
use tower::ServiceExt;

use crate::clock::Clock;
use crate::operate::open;
use crate::operate::operator::{Console, Credentials};
use crate::operate::shell::Shell;
use crate::play::App;
use crate::settings::Settings;

/// A way to the operator's door.
pub(super) enum Reach {
    /// Over the network, to the server that runs.
    Running {
        client: Box<Client<HttpConnector, Body>>,
        console: Console,
    },
    /// Without a network: this process is a server for a moment. No clock runs out
    /// by it, since it lets no time pass. On a store in PostgreSQL others may run;
    /// they notice what was done as they notice what any of them does.
    Alone {
        app: App,
        router: Router,
        credentials: Credentials,
    },
}

/// Why a command about files does nothing.
pub(super) const FILE_ONLY: &str = "PostgreSQL has its own tools for this";

/// Whoever was silent for that long is not there.
const QUIET: Millis = Millis::from_secs(5);

/// The server that runs on that database, if only one can; `None` if none does.
///
/// # Errors
/// If one runs and cannot be reached.
pub(super) async fn running(settings: &Settings) -> Result<Option<Reach>, String> {
    let Some(database) = settings
        .database()
        .filter(|database| Lock::is_taken(database))
    else {
        return Ok(None);
    };
    let console = Console::beside(&database).ok_or_else(|| {
        let database = database.display();
        format!("a server uses {database}, but its token beside it cannot be read: is it another user's?")
    })?;
    let client = Box::new(Client::builder(TokioExecutor::new()).build_http());
    Ok(Some(Reach::Running { client, console }))
}

/// The server that runs on that database or the database itself.
pub(super) async fn reach(settings: &Settings) -> Result<Reach, String> {
    if let Some(running) = running(settings).await? {
        return Ok(running);
    }
    let app = open(settings.clone()).await.map_err(|e| e.to_string())?;
    let credentials = Credentials::in_memory(&app)
        .await
        .map_err(|e| e.to_string())?;
    let router = Shell::new(app.clone()).router();
    Ok(Reach::Alone {
        app,
        router,
        credentials,
    })
}

/// Whether there is a database. One of PostgreSQL says so itself when it is opened.
pub(super) fn database(settings: &Settings) -> Result<(), String> {
    match settings.is_postgres() {
        true => Ok(()),
        false => file(settings).map(|_| ()),
    }
}

/// Whether a server gave a sign of life a moment ago, for stores that have no lock.
pub(super) async fn is_in_use(store: &Store) -> Result<bool, String> {
    let past = store.past().await.map_err(|error| error.to_string())?;
    let now = Clock::start(None).now();
    Ok(past.alive_at.is_some_and(|at| now.since(at) < QUIET))
}

/// The database file, which must be there.
pub(super) fn file(settings: &Settings) -> Result<PathBuf, String> {
    if settings.is_postgres() {
        return Err(format!("{FILE_ONLY}: pg_dump and pg_restore"));
    }
    let database = settings.database().ok_or("a store in memory has no file")?;
    if database.exists() {
        return Ok(database);
    }
    Err(format!(
        "there is no database {}; name it with --store",
        database.display()
    ))
}

impl Reach {
    /// Calls, and reads the answer as one JSON value.
    pub(super) async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, String> {
        let mut last = Value::Null;
        self.each_line(method, path, body, |line| last = line)
            .await?;
        Ok(last)
    }

    /// Calls, and tells each line of the answer as it comes.
    pub(super) async fn each_line(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
        mut tell: impl FnMut(Value),
    ) -> Result<(), String> {
        let (is_good, mut answer) = self.ask(method, path, body).await?;
        let mut text = Vec::new();
        while let Some(piece) = next(&mut answer).await? {
            text.extend_from_slice(&piece);
            while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = text.drain(..=end).collect();
                read(&line, is_good, &mut tell)?;
            }
        }
        read(&text, is_good, &mut tell)
    }

    /// Calls, and hands on each piece of an answer that is no JSON.
    pub(super) async fn each_piece(
        &self,
        method: Method,
        path: &str,
        mut take: impl FnMut(&[u8]) -> std::io::Result<()>,
    ) -> Result<(), String> {
        let (is_good, mut answer) = self.ask(method, path, None).await?;
        let mut refusal = Vec::new();
        while let Some(piece) = next(&mut answer).await? {
            if is_good {
                take(&piece).map_err(|error| error.to_string())?;
            } else {
                refusal.extend_from_slice(&piece);
            }
        }
        if is_good {
            Ok(())
        } else {
            read(&refusal, false, &mut |_| {})
        }
    }

    /// Whether it went well, and the answer.
    async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<(bool, Body), String> {
        let (address, token) = match self {
            Reach::Running { console, .. } => (format!("{}{path}", console.url), &*console.token),
            Reach::Alone { credentials, .. } => (path.to_owned(), credentials.token()),
        };
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = Request::builder()
            .method(method)
            .uri(address)
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .map_err(|error| error.to_string())?;
        let response: Response = match self {
            Reach::Running { client, .. } => client
                .request(request)
                .await
                .map_err(|error| error.to_string())?
                .map(Body::new),
            Reach::Alone { router, .. } => router
                .clone()
                .oneshot(request)
                .await
                .unwrap_or_else(|never| match never {}),
        };
        Ok((response.status().is_success(), response.into_body()))
    }

    /// Leaves everything as a server would that is stopped.
    pub(super) async fn leave(self) {
        let Reach::Alone {
            app,
            router,
            credentials,
        } = self
        else {
            return;
        };
        app.games.live().close();
        credentials.revoke(&app).await;
        drop(router);
        if spawn_blocking(move || app.store.close()).await.is_err() {
            tracing::error!("the store could not be closed");
        }
    }
}

/// The next piece of an answer.
async fn next(answer: &mut Body) -> Result<Option<Bytes>, String> {
    while let Some(frame) = answer.frame().await {
        if let Ok(piece) = frame.map_err(|error| error.to_string())?.into_data() {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

/// One line of an answer; an error is what it says.
fn read(line: &[u8], is_good: bool, tell: &mut impl FnMut(Value)) -> Result<(), String> {
    if line.trim_ascii().is_empty() {
        return if is_good {
            Ok(())
        } else {
            Err("the server refused".into())
        };
    }
    let value: Value =
        serde_json::from_slice(line).map_err(|_| "the server's answer makes no sense")?;
    if is_good && value.get("error").is_none() {
        tell(value);
        return Ok(());
    }
    let detail = value["detail"].as_str().unwrap_or("the server refused");
    Err(detail.to_owned())
}
