//! Guests: people without an account, each known at one door by a secret.

use std::net::IpAddr;

use chess::table::PlayerId;
use serde_json::json;

use crate::play::App;
use crate::problem::Problem;

/// Somebody who comes to a door with a secret and a name.
pub(crate) struct Guest<'a> {
    pub(crate) door: &'static str,
    pub(crate) secret: String,
    pub(crate) name: &'a str,
    /// From where they come.
    pub(crate) from: IpAddr,
}

impl Guest<'_> {
    /// Who that is, if they have been here.
    pub(super) async fn find(&self, app: &App) -> Result<Option<PlayerId>, Problem> {
        let account = app.auth.guest(self.door, &self.secret).await?;
        Ok(account.map(|account| account.number))
    }

    /// Who that is, from now on under this name.
    pub(super) async fn welcome(&self, app: &App) -> Result<PlayerId, Problem> {
        let preferences = json!({ "displayName": self.name }).to_string();
        let welcome =
            app.auth
                .welcome_guest(&app.rates, self.from, self.door, &self.secret, preferences);
        Ok(welcome.await?.number)
    }
}
