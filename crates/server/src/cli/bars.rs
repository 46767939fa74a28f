//! The commands of `arbiter admin` that say who is not let in.

use axum::http::Method;
use clap::Subcommand;
use serde_json::json;

use super::admin::{each, escaped};
use super::reach::Reach;
use super::say::say;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Bar an account: nobody signs in to it, its tokens and streams end, its name stays taken
    Bar {
        /// The account's name
        name: String,
        /// Why, for the audit trail
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Let the owner of a barred account in again
    Unbar {
        /// The account's name
        name: String,
    },
    /// Block somebody of an outside identity service, also before they ever came
    BlockIdentity {
        /// The `iss` of their tokens
        issuer: String,
        /// The `sub` of their tokens
        subject: String,
    },
    /// Let them in again
    UnblockIdentity {
        /// The `iss` of their tokens
        issuer: String,
        /// The `sub` of their tokens
        subject: String,
    },
    /// List who is blocked
    BlockedIdentities,
}

pub(super) async fn act(reach: &Reach, command: Command) -> Result<(), String> {
    let post =
        |path: String, body| async move { reach.call(Method::POST, &path, Some(body)).await };
    let account_url = |name: &str, what| format!("/v1/admin/accounts/{}/{what}", escaped(name));
    let identity_url = |what| format!("/v1/admin/identities/{what}");
    match command {
        Command::Bar { name, reason } => {
            post(account_url(&name, "bar"), json!({ "reason": reason })).await?;
            say!("{name} is barred; all sessions and tokens have ended");
        }
        Command::Unbar { name } => {
            post(account_url(&name, "unbar"), json!({})).await?;
            say!("{name} is not barred");
        }
        Command::BlockIdentity { issuer, subject } => {
            let who = json!({ "issuer": issuer, "subject": subject });
            post(identity_url("block"), who).await?;
            say!("{subject} of {issuer} is blocked");
        }
        Command::UnblockIdentity { issuer, subject } => {
            let who = json!({ "issuer": issuer, "subject": subject });
            post(identity_url("unblock"), who).await?;
            say!("{subject} of {issuer} is not blocked");
        }
        Command::BlockedIdentities => {
            let list = reach
                .call(Method::GET, &identity_url("blocked"), None)
                .await?;
            each(&list["identities"], &["issuer", "subject", "since"]);
        }
    }
    Ok(())
}
