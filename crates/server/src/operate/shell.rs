//! What surrounds every request, whatever door it comes in by.

use std::any::Any;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::Route;
use tower::{Layer, Service};
use utoipa_axum::router::OpenApiRouter;

use super::access::{Access, Found, log};
use super::entrance::game_of;
use super::health;
use super::metrics::{self, Metrics};
use crate::doors::native::admin::pgn::{UPLOAD, UPLOAD_MAX};
use crate::doors::{collector, lichess, live_game, mcp, native, overlay, xmpp};
use crate::guard::{self, Broken};
use crate::http::arriving::InHand;
use crate::http::pace::Turn;
use crate::http::request_id::{RequestId, X_REQUEST_ID};
use crate::http::{ClientAddress, caching, cors, handover};
use crate::play::App;
use crate::problem::{Kind, Problem};
use crate::web;

/// Paths that are answered also by a server that is stopping.
const PROBES: [&str; 4] = ["/health", "/ready", "/metrics", "/live/health"];

/// The whole server as axum wants it.
pub fn router(app: App) -> Router {
    Shell::new(app).router()
}

/// Every route, and its description.
pub fn api() -> (Router<App>, utoipa::openapi::OpenApi) {
    let routes = OpenApiRouter::new()
        .merge(health::routes())
        .merge(metrics::routes())
        .merge(native::accounts::routes())
        .merge(native::tokens::routes())
        .merge(native::setup::routes())
        .merge(native::players::routes())
        .merge(native::social::routes())
        .merge(native::notifications::routes())
        .merge(native::mail::routes())
        .merge(native::games::routes())
        .merge(native::matchmaking::routes())
        .merge(native::lobby::routes())
        .merge(native::challenges::routes())
        .merge(native::events::routes())
        .merge(native::export::routes())
        .merge(native::stream::routes())
        .merge(native::admin::routes())
        .merge(collector::routes())
        .merge(live_game::routes())
        .merge(overlay::routes())
        .merge(mcp::routes())
        .merge(xmpp::link::routes());
    native::docs::publish(routes)
}

/// What surrounds the routes: cheap to clone.
#[derive(Clone)]
pub struct Shell(Arc<Inner>);

struct Inner {
    app: App,
    metrics: Metrics,
    in_hand: InHand,
    is_https: bool,
}

impl Shell {
    /// A shell around that server.
    pub fn new(app: App) -> Shell {
        let public = app.settings.public_url.as_deref().unwrap_or_default();
        let is_https = app.settings.is_tls() || public.starts_with("https:");
        let metrics = Metrics::new(&app);
        Shell(Arc::new(Inner {
            app,
            metrics,
            in_hand: InHand::default(),
            is_https,
        }))
    }

    /// What is measured.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Requests that were received and are being answered.
    pub fn in_hand(&self) -> usize {
        self.0.in_hand.count()
    }

    /// Every route, inside of the shell.
    pub fn router(&self) -> Router {
        self.around(api().0.merge(web::routes()), lichess::routes())
    }

    /// The routes, and those that any page may call, whatever the settings say.
    fn around(&self, routes: Router<App>, free: Router<App>) -> Router {
        let app = &self.0.app;
        let mut routes = routes
            .fallback(not_found)
            .method_not_allowed_fallback(wrong_method);
        if let Some(cors) = cors::layer(&app.settings) {
            routes = routes.layer(cors);
        }
        let free = free.method_not_allowed_fallback(wrong_method);
        let routes = routes.merge(free.layer(cors::free()));
        routes.layer(self.clone()).with_state(app.clone())
    }

    /// Answers a request.
    pub(super) async fn surround(&self, request: Request, way: Way) -> Response {
        let begun = Instant::now();
        let turn = Turn::of(&request);
        let connection = handover::own(&request);
        let (_held, request) = self.0.in_hand.take(request);
        let id = RequestId::of(request.headers());
        let access = Access {
            method: request.method().clone(),
            uri: request.uri().clone(),
            route: way.found(&request),
            client: ClientAddress::of(&request, &self.0.app.settings.trusted_proxies),
        };
        let is_personal = caching::is_personal(&request);
        let mut response = match self.refusal(&request) {
            Some(refused) => refused,
            None => self.answer(request, way, &id).await,
        };
        harden(response.headers_mut(), self.0.is_https);
        if is_personal {
            caching::forbid(response.headers_mut());
        }
        // Whoever is refused by a server that stops comes back by another way.
        if response.status() == StatusCode::SERVICE_UNAVAILABLE
            && self.0.app.games.live().is_closing()
        {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        let elapsed = begun.elapsed();
        self.0.metrics.answered(&access, &response, elapsed);
        log(&access, id.as_str(), &response, elapsed);
        response
            .headers_mut()
            .insert(X_REQUEST_ID, id.into_header());
        handover::begin(turn.answered(response), connection)
    }

    /// What needs no handler to be refused.
    fn refusal(&self, request: &Request) -> Option<Response> {
        let app = &self.0.app;
        let path = request.uri().path();
        if app.games.live().is_closing() && !PROBES.contains(&path) {
            return Some(said(path, Problem::unavailable()));
        }
        let bytes_max = match path {
            UPLOAD => UPLOAD_MAX,
            _ => lichess::bytes_max(path, app.settings.body_bytes),
        };
        let is_too_large = announced(request.headers()).is_some_and(|bytes| bytes > bytes_max);
        is_too_large.then(|| said(path, Problem::too_large(bytes_max)))
    }

    async fn answer(&self, mut request: Request, way: Way, id: &RequestId) -> Response {
        if request.uri().path() == metrics::PATH {
            request.extensions_mut().insert(self.0.metrics.clone());
        }
        let answer = Box::pin(async {
            match way {
                Way::Route(mut route) => {
                    let Ok(response) = route.call(request).await;
                    response
                }
                Way::Move => self.made(request).await,
            }
        });
        match guard::within(&self.0.app.settings, answer).await {
            Ok(response) => response,
            Err(Broken::Panicked(panic)) => panicked(&*panic, id),
            Err(Broken::Late) => Problem::unavailable().into_response(),
        }
    }

    /// Makes a move that takes no other route.
    async fn made(&self, request: Request) -> Response {
        let app = &self.0.app;
        let id = game_of(request.uri().path()).unwrap_or_default().to_owned();
        let made = native::games::moves::make_move_in(app, &id, request).await;
        made.into_response()
    }
}

/// How a request comes to its answer.
pub(super) enum Way {
    /// By the route that was found.
    Route(Route),
    /// It is a move.
    Move,
}

impl Way {
    fn found(&self, request: &Request) -> Found {
        let route = request.extensions().get::<MatchedPath>();
        match (self, route) {
            (Way::Move, _) => Found::Moves,
            (Way::Route(_), Some(route)) => Found::Route(route.clone()),
            (Way::Route(_), None) => Found::Nothing,
        }
    }
}

/// One layer for everything: axum boxes and clones each layer around a route
/// for every request.
impl Layer<Route> for Shell {
    type Service = Surrounded;

    fn layer(&self, route: Route) -> Surrounded {
        Surrounded {
            shell: self.clone(),
            route,
        }
    }
}

/// A route inside of the shell.
#[derive(Clone)]
pub struct Surrounded {
    shell: Shell,
    route: Route,
}

impl Service<Request> for Surrounded {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Surrounded { shell, route } = self.clone();
        Box::pin(async move { Ok(shell.surround(request, Way::Route(route)).await) })
    }
}

/// What is wrong, as the door says it that the request was meant for.
fn said(path: &str, problem: Problem) -> Response {
    match path.starts_with("/live/") {
        true => live_game::refusal(problem),
        false => problem.into_response(),
    }
}

/// How long the body is, if the client says so.
fn announced(headers: &HeaderMap) -> Option<usize> {
    headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

/// Headers that keep a browser from making more of an answer than it is. A
/// page that needs more says so itself.
fn harden(headers: &mut HeaderMap, is_https: bool) {
    let policy = headers.get(header::CONTENT_SECURITY_POLICY);
    let is_framed = policy.is_some_and(web::may_be_framed);
    let unframed = (header::X_FRAME_OPTIONS, "DENY");
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
    ];
    let hsts = (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    let all = fixed
        .into_iter()
        .chain((!is_framed).then_some(unframed))
        .chain(is_https.then_some(hsts));
    for (name, value) in all {
        let name: HeaderName = name;
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
}

async fn not_found(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    match method == Method::GET || method == Method::HEAD {
        true => web::nowhere(uri.path(), &headers),
        false => nothing_here().into_response(),
    }
}

fn nothing_here() -> Problem {
    Problem::not_found("there is nothing here: see /docs")
}

/// The methods that are allowed are in `Allow`, which axum adds.
async fn wrong_method(method: Method) -> Response {
    if method == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    let detail = format!("{method} is not possible here");
    Problem::new(Kind::WrongMethod, "method_not_allowed", detail).into_response()
}

/// The client learns nothing of what went wrong; the log has it.
fn panicked(panic: &(dyn Any + Send), id: &RequestId) -> Response {
    tracing::error!(
        id = id.as_str(),
        panic = guard::said(panic),
        "a request made the server panic"
    );
    Problem::panicked().into_response()
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use axum::body::Body;
    use axum::routing::get;
    use http_body_util::BodyExt;
    use serde_json::Value;
    use tower::ServiceExt;

    use super::*;
    use crate::operate::open;
    use crate::play::place::ADDRESSES;
    use crate::settings::Settings;

    async fn answer(path: &str) -> (u16, HeaderMap, Value) {
        let settings = Settings {
            store: "memory:".into(),
            request_seconds: 1,
            ..Settings::default()
        };
        let routes = Router::new()
            .route(
                "/panic",
                get(|| async { panic!("the secret reason") as () }),
            )
            .route("/slow", get(pending::<()>));
        let shell = Shell::new(open(settings).await.unwrap());
        let router = shell.around(routes, Router::new());
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        let response = router.oneshot(request).await.unwrap();
        assert_eq!(shell.in_hand(), 0);
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap();
        (parts.status.as_u16(), parts.headers, body)
    }

    #[test]
    fn no_game_gets_an_id_that_is_an_address() {
        let described = api().1.paths.paths.into_keys();
        let lichess = lichess::paths().into_iter().map(|(_, path)| path);
        let pages = web::addresses();
        for path in described.chain(lichess).chain(pages) {
            let first = path.split('/').nth(1).unwrap_or_default();
            let is_known = first.starts_with('{') || ADDRESSES.contains(&first);
            assert!(is_known, "{path}: add {first:?} to play/place.rs");
        }
    }

    #[tokio::test]
    async fn a_panic_is_an_answer_that_tells_nothing() {
        let (status, headers, body) = answer("/panic").await;
        assert_eq!((status, &body["error"]), (500, &Value::from("internal")));
        assert!(!body.to_string().contains("secret"), "{body}");
        assert!(headers.contains_key(X_REQUEST_ID));
    }

    #[tokio::test]
    async fn what_takes_too_long_is_answered_all_the_same() {
        let (status, headers, body) = answer("/slow").await;
        assert_eq!((status, &body["error"]), (503, &Value::from("unavailable")));
        assert!(headers.contains_key(header::RETRY_AFTER));
    }
}
