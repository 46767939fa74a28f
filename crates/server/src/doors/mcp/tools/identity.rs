//! Who the model is.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use store::AccountKind;

use super::super::answer::Said;
use super::super::call::Call;
use crate::problem::Problem;
use crate::text_time::rfc3339;

pub(super) const GUEST: &str = "\
Become a guest, who plays casual games without registering. Returns a token: pass it as `token` \
with every later call. Not needed if the client was given a token; whoami tells. \
Errors: `registration_closed` (this server takes no guests: ask your user for a token), `rate_limited`.";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Guest {
    /// What to be called; it becomes part of the name.
    display_name: Option<String>,
}

pub(super) async fn guest(call: Call, guest: Guest) -> Result<Said, Problem> {
    let app = &call.app;
    let wish = guest.display_name.as_deref();
    let (account, session) = app.auth.become_guest(&app.rates, call.from, wish).await?;
    let (name, token) = (account.name, session.token);
    let until = rfc3339(session.expires_at);
    Ok(Said {
        text: format!(
            "You are {name}. Your token is {token}: pass it as `token` with every call. It ends {until}."
        ),
        data: json!({ "name": name, "id": account.id, "token": token, "expires_at": until }),
    })
}

pub(super) const WHOAMI: &str = "\
Check who you are and what your token allows. \
Errors: `unauthorized` (no token, or not a good one: call sign_in_as_guest).";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

pub(super) async fn whoami(call: Call, _: Nothing) -> Result<Said, Problem> {
    let caller = call.owner().await?;
    let (person, scopes) = (&caller.person, caller.scopes.names());
    let kind = match person.kind {
        AccountKind::Registered => "registered",
        AccountKind::Guest => "guest",
        AccountKind::Outside => "outside",
    };
    Ok(Said {
        text: format!(
            "You are {} ({kind}). Your token allows: {}.",
            person.name,
            scopes.join(", ")
        ),
        data: json!({
            "name": person.name, "id": person.id, "kind": kind, "title": person.title,
            "scopes": scopes, "expires_at": caller.expires_at.map(rfc3339),
        }),
    })
}
