//! What follows from several settings, or from one.

use std::path::PathBuf;

use chess::Millis;
use chess::pairing::Policy;

use super::{Registration, SettingError, Settings};

impl Settings {
    /// Whether the settings go together.
    ///
    /// # Errors
    /// [`SettingError`] names the ones that do not.
    pub fn check(&self) -> Result<(), SettingError> {
        let has_jwt = self.jwt_key.is_some() || self.jwt_jwks.is_some();
        let rules = [
            (
                self.tls_cert.is_some() != self.tls_key.is_some(),
                "tls_cert and tls_key: one needs the other",
            ),
            (
                self.registration == Registration::Invite && self.invite_code.is_none(),
                "invite_code: registration = invite needs one",
            ),
            (
                has_jwt && (self.jwt_issuer.is_none() || self.jwt_audience.is_none()),
                "jwt_issuer and jwt_audience: both are needed with jwt_key or jwt_jwks, \
                 or tokens meant for another service would be accepted",
            ),
            (
                self.smtp_url.is_some() && (self.mail_from.is_none() || self.public_url.is_none()),
                "smtp_url: mail_from says whom letters come from, and public_url where their links lead",
            ),
            (
                self.has_half_of_xmpp(),
                "xmpp_host, xmpp_secret, xmpp_arbiter and xmpp_games: each needs the others",
            ),
            (
                self.xmpp_games.is_some() && self.xmpp_games == self.xmpp_arbiter,
                "xmpp_arbiter and xmpp_games: two components have two names",
            ),
            (
                self.replica.is_some() && !self.is_postgres(),
                "replica: only a store in PostgreSQL has one",
            ),
        ];
        if let Err(bad) = self.pairing_policy().check() {
            let why = format!("pairing_*: {bad}");
            return Err(SettingError(why));
        }
        match rules.into_iter().find(|(broken, _)| *broken) {
            Some((_, why)) => Err(SettingError(why.into())),
            None => Ok(()),
        }
    }

    fn has_half_of_xmpp(&self) -> bool {
        let chosen = [
            self.xmpp_host.is_some(),
            self.xmpp_secret.is_some(),
            self.xmpp_arbiter.is_some(),
            self.xmpp_games.is_some(),
        ];
        chosen.contains(&true) && chosen.contains(&false)
    }

    /// What those are promised who wait for an opponent.
    pub fn pairing_policy(&self) -> Policy {
        Policy {
            initial_window: self.pairing_window,
            widening_per_second: self.pairing_widening,
            max_gap: self.pairing_gap,
            patience: Millis::from_secs(self.pairing_patience_seconds),
            timeout: Millis::from_secs(self.pairing_timeout_seconds),
            ..Policy::default()
        }
    }

    /// Whether TLS is spoken.
    pub fn is_tls(&self) -> bool {
        self.tls_cert.is_some()
    }

    /// Whether the store is in PostgreSQL, which several servers may use at once.
    pub fn is_postgres(&self) -> bool {
        self.store.starts_with("postgres://") || self.store.starts_with("postgresql://")
    }

    /// The database file, if the store is in one: where it really is, since
    /// what lies beside it is found by that name.
    pub fn database(&self) -> Option<PathBuf> {
        let path = self.store.strip_prefix("sqlite:")?;
        let path = PathBuf::from(path.strip_prefix("//").unwrap_or(path));
        Some(store::real_path(&path).unwrap_or(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_need_each_other_are_refused_alone() {
        let why = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            settings
                .check()
                .err()
                .map(|e| e.to_string())
                .unwrap_or_default()
        };
        assert_eq!(why(|_| {}), "");
        assert!(why(|s| s.tls_key = Some("k.pem".into())).contains("tls_cert"));
        assert!(why(|s| s.registration = Registration::Invite).contains("invite_code"));
        assert!(why(|s| s.jwt_key = Some("k".into())).contains("jwt_issuer"));
        assert!(why(|s| s.smtp_url = Some("smtp://a".into())).contains("mail_from"));
        assert!(why(|s| s.pairing_gap = 50).contains("max_gap"));
        assert!(why(|s| s.xmpp_host = Some("localhost".into())).contains("xmpp_secret"));
        assert!(why(|s| s.replica = Some("postgres://b/x".into())).contains("replica"));
    }
}
