//! What somebody wants to be told while they are not looking, and where.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use store::{Notification, Subscription};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::{Caller, Scope};
use crate::http::described::about;
use crate::http::{Body, Path};
use crate::limits::rates::Rate;
use crate::outside::Failed;
use crate::play::App;
use crate::play::notify::address;
use crate::play::notify::choices::Choices;
use crate::play::notify::push::{AUTH_BYTES, is_public_key};
use crate::problem::{Kind, Problem};
use crate::text_time::rfc3339;

/// As many browsers as an account is told in; one more takes the place of the oldest.
const BROWSERS_MAX: u32 = 10;

/// The calls of this file.
pub fn routes() -> OpenApiRouter<App> {
    let calls = OpenApiRouter::new()
        .routes(routes!(show, choose))
        .routes(routes!(browsers, subscribe))
        .routes(routes!(unsubscribe));
    about("notifications", calls)
}

/// What somebody is told of, and where.
#[derive(Serialize, ToSchema)]
#[schema(as = Notifications)]
pub(crate) struct NotificationsView {
    #[serde(flatten)]
    choices: Choices,
    email: EmailView,
    push: PushView,
}

/// An address, and what is known of it.
#[derive(Serialize, ToSchema)]
struct EmailView {
    /// Whether this server sends mail at all.
    available: bool,
    /// The account's address.
    address: Option<String>,
    /// Whether its owner has shown that they read it: nothing is sent to it before.
    confirmed: bool,
    /// Whether it has refused mail for good: nothing is sent to it any more. Confirming
    /// it anew helps.
    bouncing: bool,
}

/// The browsers in which somebody is told.
#[derive(Serialize, ToSchema)]
struct PushView {
    /// What a browser subscribes with: `applicationServerKey`, in base64url.
    public_key: String,
    subscriptions: Vec<BrowserView>,
}

/// A browser.
#[derive(Serialize, ToSchema)]
struct BrowserView {
    id: u64,
    /// The push service it is reached by, without what is secret of the address.
    service: String,
    #[schema(format = DateTime)]
    created_at: String,
}

impl PushView {
    async fn of(app: &App, caller: &Caller) -> Result<PushView, Problem> {
        let found = app.store.subscriptions_of(caller.number()).await?;
        Ok(PushView {
            public_key: app.notifier.vapid.public().to_owned(),
            subscriptions: found.iter().map(BrowserView::from).collect(),
        })
    }
}

impl From<&Subscription> for BrowserView {
    fn from(browser: &Subscription) -> BrowserView {
        let host = url::Url::parse(&browser.endpoint);
        let host = host.map(|url| url.host_str().unwrap_or_default().to_owned());
        BrowserView {
            id: browser.id,
            service: host.unwrap_or_default(),
            created_at: rfc3339(browser.created_at),
        }
    }
}

impl NotificationsView {
    pub(crate) async fn of(app: &App, caller: &Caller) -> Result<NotificationsView, Problem> {
        let account = app.auth.own_account(caller).await?;
        let known = address::known(app, &account).await?;
        let stored = app.store.notification_settings(caller.number()).await?;
        Ok(NotificationsView {
            choices: Choices::read(stored.as_deref()),
            email: EmailView {
                available: app.notifier.mailer.is_some(),
                address: known.email,
                confirmed: known.is_confirmed,
                bouncing: known.is_bouncing,
            },
            push: PushView::of(app, caller).await?,
        })
    }
}

/// Something that somebody chose to be told of.
#[derive(Serialize, ToSchema)]
#[schema(as = Notification)]
pub(crate) struct NotificationView {
    /// Rises from one to the next.
    id: u64,
    /// `your_turn`, `challenge`, `deadline_near` or `game_over`.
    kind: String,
    /// The game it is about.
    game_id: Option<String>,
    /// The version of the game it is about.
    version: u32,
    /// When it happened.
    #[schema(format = DateTime)]
    at: String,
}

impl From<&Notification> for NotificationView {
    fn from(told: &Notification) -> NotificationView {
        NotificationView {
            id: told.id,
            kind: told.what.kind.clone(),
            game_id: told.what.table.map(|id| id.to_string()),
            version: told.what.version,
            at: rfc3339(told.what.at),
        }
    }
}

/// What you are told of
///
/// Each kind of thing by mail, in your browsers, and in your own stream. Mail is
/// written about games that count days, and only to an address that is confirmed.
#[utoipa::path(
    get,
    path = "/v1/me/notifications",
    operation_id = "show_notifications",
    responses((status = 200, description = "What you chose, and where you are reached", body = NotificationsView)),
)]
async fn show(State(app): State<App>, caller: Caller) -> Result<Json<NotificationsView>, Problem> {
    NotificationsView::of(&app, &caller).await.map(Json)
}

/// Choose what you are told of
///
/// Replaces what was chosen before; what is left out is as usual.
#[utoipa::path(
    put,
    path = "/v1/me/notifications",
    operation_id = "choose_notifications",
    request_body = Choices,
    responses((status = 200, description = "What you chose", body = NotificationsView)),
    security(("token" = ["play"])),
)]
async fn choose(
    State(app): State<App>,
    caller: Caller,
    Body(choices): Body<Choices>,
) -> Result<Json<NotificationsView>, Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())?;
    if let Some(field) = choices.flaw() {
        let detail = format!("{field}: this cannot be");
        return Err(Problem::bad_request(detail).with("field", field));
    }
    let text = serde_json::to_string(&choices).map_err(|_| Problem::unavailable())?;
    let number = caller.number();
    app.store.set_notification_settings(number, text).await?;
    NotificationsView::of(&app, &caller).await.map(Json)
}

/// The browsers you are told in
#[utoipa::path(
    get,
    path = "/v1/me/push",
    operation_id = "list_browsers",
    responses((status = 200, description = "The key to subscribe with, and who has", body = PushView)),
)]
async fn browsers(State(app): State<App>, caller: Caller) -> Result<Json<PushView>, Problem> {
    PushView::of(&app, &caller).await.map(Json)
}

/// A browser's subscription, as `PushSubscription.toJSON()` gives it.
#[derive(Deserialize, ToSchema)]
struct NewBrowser {
    /// Where its push service takes messages.
    #[schema(max_length = 2048)]
    endpoint: String,
    keys: BrowserKeys,
}

/// What messages are encrypted with.
#[derive(Deserialize, ToSchema)]
struct BrowserKeys {
    /// The browser's public key, in base64url.
    p256dh: String,
    /// The browser's secret, in base64url.
    auth: String,
}

/// Be told in a browser
///
/// A browser belongs to whoever subscribed with it last. Messages are JSON: `kind`,
/// `game_id`, `version`, `title`, `body`, `url`.
#[utoipa::path(
    post,
    path = "/v1/me/push",
    operation_id = "subscribe_browser",
    request_body = NewBrowser,
    responses(
        (status = 201, description = "Subscribed", body = PushView),
        (status = 422, description = "`bad_endpoint`: an address that this server does not send to"),
    ),
    security(("token" = ["play"])),
)]
async fn subscribe(
    State(app): State<App>,
    caller: Caller,
    Body(new): Body<NewBrowser>,
) -> Result<(StatusCode, Json<PushView>), Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())?;
    let browser = Subscription {
        id: 0,
        account: caller.number(),
        p256dh: key("keys.p256dh", &new.keys.p256dh, is_public_key)?,
        auth: key("keys.auth", &new.keys.auth, |bytes| {
            bytes.len() == AUTH_BYTES
        })?,
        endpoint: match app.outside.check(&new.endpoint) {
            Ok(url) => url.into(),
            Err(failed) => return Err(bad_endpoint(&failed)),
        },
        created_at: app.wall(),
    };
    app.store.subscribe(browser, BROWSERS_MAX).await?;
    let view = PushView::of(&app, &caller).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

fn key(field: &str, text: &str, is_good: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>, Problem> {
    let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('='));
    bytes.ok().filter(|bytes| is_good(bytes)).ok_or_else(|| {
        let detail = format!("{field}: this is no such key");
        Problem::bad_request(detail).with("field", field)
    })
}

fn bad_endpoint(failed: &Failed) -> Problem {
    let why = match failed {
        Failed::Unfit(why) => why,
        _ => "this server does not send there",
    };
    let detail = format!("endpoint: {why}");
    Problem::new(Kind::Impossible, "bad_endpoint", detail).with("field", "endpoint")
}

/// Be told in a browser no longer
#[utoipa::path(
    delete,
    path = "/v1/me/push/{id}",
    operation_id = "unsubscribe_browser",
    params(("id" = String, Path, description = "Which one")),
    responses(
        (status = 204, description = "It is told nothing any more"),
        (status = 404, description = "`not_found`"),
    ),
    security(("token" = ["play"])),
)]
async fn unsubscribe(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())?;
    let none = || Problem::not_found("you are told in no such browser");
    let id: u64 = id.parse().map_err(|_| none())?;
    match app.store.unsubscribe(Some(caller.number()), id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(none()),
    }
}
