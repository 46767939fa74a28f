//! What comes of letters: an address that is confirmed, a new password, no more letters.
//!
//! Who follows a link in a letter finds a page with a button. Programs that look into
//! mail follow links too, so nothing happens before the button is pressed.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::Caller;
use crate::html::escape;
use crate::http::address::ClientAddress;
use crate::http::described::about;
use crate::http::{Body, Query};
use crate::play::App;
use crate::play::notify::address::{self, Whom};
use crate::play::notify::unsubscribe;
use crate::problem::Problem;

/// The calls of this file.
pub fn routes() -> OpenApiRouter<App> {
    let calls = OpenApiRouter::new()
        .routes(routes!(confirm))
        .routes(routes!(ask_for_reset))
        .routes(routes!(reset))
        .routes(routes!(confirm_page, confirm_pressed))
        .routes(routes!(reset_page, reset_pressed))
        .routes(routes!(unsubscribe_page, unsubscribe_pressed));
    about("notifications", calls)
}

/// What happens now.
#[derive(Serialize, ToSchema)]
struct Done {
    /// `sent`: look into your mail. `confirmed`.
    status: &'static str,
}

/// A code from a letter, if there is one already.
#[derive(Deserialize, ToSchema)]
struct Confirmation {
    /// Left out: have a letter sent.
    code: Option<String>,
}

/// Confirm your address
///
/// Without a `code` a letter is sent to the account's address; with the code from that
/// letter the address is confirmed. It counts for a day, once, and for you alone.
#[utoipa::path(
    post,
    path = "/v1/me/email/confirm",
    operation_id = "confirm_email",
    request_body = Confirmation,
    responses(
        (status = 200, description = "Confirmed", body = Done),
        (status = 202, description = "A letter is on its way", body = Done),
        (status = 403, description = "`bad_code`, `missing_scope`"),
        (status = 409, description = "`mail_off`, `no_email`, `already_confirmed`"),
        (status = 429, description = "`rate_limited`"),
    ),
)]
async fn confirm(
    State(app): State<App>,
    caller: Caller,
    ClientAddress(from): ClientAddress,
    Body(Confirmation { code }): Body<Confirmation>,
) -> Result<(StatusCode, Json<Done>), Problem> {
    let (status, done) = match code {
        None => {
            address::ask(&app, &caller).await?;
            (StatusCode::ACCEPTED, "sent")
        }
        Some(code) => {
            address::confirm(&app, from, &caller, &code).await?;
            (StatusCode::OK, "confirmed")
        }
    };
    Ok((status, Json(Done { status: done })))
}

/// Whose password it is about: one of the two.
#[derive(Deserialize, ToSchema)]
struct WhoseReset {
    /// In whatever case.
    username: Option<String>,
    /// The confirmed address of an account.
    email: Option<String>,
}

/// Ask for a new password
///
/// If there is such an account and its address is confirmed, a letter is sent. The
/// answer is the same if there is none.
#[utoipa::path(
    post,
    path = "/v1/password-resets",
    operation_id = "ask_for_password_reset",
    request_body = WhoseReset,
    responses(
        (status = 202, description = "Whoever it is gets a letter", body = Done),
        (status = 409, description = "`mail_off`"),
        (status = 429, description = "`rate_limited`"),
    ),
    security(()),
)]
async fn ask_for_reset(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Body(whose): Body<WhoseReset>,
) -> Result<(StatusCode, Json<Done>), Problem> {
    let whom = match (whose.username, whose.email) {
        (Some(name), None) => Whom::Name(name),
        (None, Some(email)) => Whom::Address(email),
        _ => return Err(Problem::bad_request("username or email: one of them")),
    };
    address::request_reset(&app, from, &whom)?;
    Ok((StatusCode::ACCEPTED, Json(Done { status: "sent" })))
}

/// A code from a letter, and a password.
#[derive(Deserialize, ToSchema)]
struct Reset {
    /// Counts for an hour, and once.
    code: String,
    /// The new password.
    #[schema(min_length = 8, max_length = 256, format = Password)]
    password: String,
}

/// Choose a new password
///
/// Every session and every token of the account ends.
#[utoipa::path(
    post,
    path = "/v1/password-resets/complete",
    operation_id = "reset_password",
    request_body = Reset,
    responses(
        (status = 204, description = "Sign in with it"),
        (status = 403, description = "`bad_code`"),
        (status = 422, description = "`weak_password`"),
        (status = 429, description = "`rate_limited`"),
    ),
    security(()),
)]
async fn reset(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Body(Reset { code, password }): Body<Reset>,
) -> Result<StatusCode, Problem> {
    address::reset(&app, from, &code, password).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What the link in a letter carries.
#[derive(Deserialize, IntoParams)]
struct Link {
    /// From the letter.
    code: String,
}

/// A page to confirm an address with
#[utoipa::path(get, path = "/v1/mail/confirm", params(Link), security(()),
    responses((status = 200, description = "A page with a button", body = String, content_type = "text/html")))]
async fn confirm_page(Query(_): Query<Link>) -> Response {
    let button = "<form method=\"post\"><button>This is my address</button></form>";
    page(StatusCode::OK, "Confirm your address", button)
}

/// Confirm an address by the letter alone
#[utoipa::path(post, path = "/v1/mail/confirm", params(Link), security(()),
    responses((status = 200, description = "A page that says so", body = String, content_type = "text/html"),
              (status = 403, description = "The code does not count", body = String, content_type = "text/html"),
              (status = 429, description = "Too many codes that do not count", body = String, content_type = "text/html")))]
async fn confirm_pressed(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Query(Link { code }): Query<Link>,
) -> Response {
    let done = address::confirm_by_letter(&app, from, &code).await;
    told(
        done,
        "Your address is confirmed",
        "You can close this page.",
    )
}

/// A page to choose a new password on
#[utoipa::path(get, path = "/v1/mail/reset", params(Link), security(()),
    responses((status = 200, description = "A page with a form", body = String, content_type = "text/html")))]
async fn reset_page(Query(_): Query<Link>) -> Response {
    let form = "<form method=\"post\"><label>New password \
                <input type=\"password\" name=\"password\" minlength=\"8\" maxlength=\"256\" \
                autocomplete=\"new-password\" required></label> <button>Set it</button></form>";
    page(StatusCode::OK, "Choose a new password", form)
}

/// Choose a new password on the page
#[utoipa::path(post, path = "/v1/mail/reset", params(Link), security(()),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, description = "A page that says so", body = String, content_type = "text/html"),
              (status = 403, description = "The code does not count", body = String, content_type = "text/html"),
              (status = 422, description = "A password that everybody uses", body = String, content_type = "text/html"),
              (status = 429, description = "Too many codes that do not count", body = String, content_type = "text/html")))]
async fn reset_pressed(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Query(Link { code }): Query<Link>,
    body: Bytes,
) -> Response {
    let fields = url::form_urlencoded::parse(&body);
    let password = fields.into_owned().find(|(name, _)| name == "password");
    let password = password.map(|(_, value)| value).unwrap_or_default();
    let done = address::reset(&app, from, &code, password).await;
    let text = "Sign in with it; you were signed out everywhere.";
    told(done, "Your password is changed", text)
}

/// A page to end letters on
#[utoipa::path(get, path = "/v1/mail/unsubscribe", params(Link), security(()),
    responses((status = 200, description = "A page with a button", body = String, content_type = "text/html")))]
async fn unsubscribe_page(Query(_): Query<Link>) -> Response {
    let button = "<form method=\"post\"><button>No more letters of this kind</button></form>";
    page(StatusCode::OK, "End these letters", button)
}

/// End letters of one kind
///
/// What `List-Unsubscribe` leads to (RFC 8058); needs no sign-in.
#[utoipa::path(post, path = "/v1/mail/unsubscribe", params(Link), security(()),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, description = "A page that says so", body = String, content_type = "text/html"),
              (status = 403, description = "No link of this server", body = String, content_type = "text/html")))]
async fn unsubscribe_pressed(
    State(app): State<App>,
    Query(Link { code }): Query<Link>,
) -> Response {
    let done = unsubscribe(&app, &code).await;
    told(
        done,
        "No more letters of this kind",
        "You can close this page.",
    )
}

/// A page that says what became of it.
fn told(done: Result<(), Problem>, title: &str, text: &str) -> Response {
    match done {
        Ok(()) => page(StatusCode::OK, title, &format!("<p>{}</p>", escape(text))),
        Err(problem) => {
            let text = format!("<p>{}</p>", escape(&problem.detail));
            page(problem.status(), "That did not work", &text)
        }
    }
}

/// What the pages may do: send their own form, and nothing else.
const POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

fn page(status: StatusCode, title: &str, body: &str) -> Response {
    let title = escape(title);
    let text = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"referrer\" content=\"no-referrer\">\
         <title>{title}</title><h1>{title}</h1>{body}</html>"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, text).into_response()
}
