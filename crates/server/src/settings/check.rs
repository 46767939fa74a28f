//! What follows from several settings, or from one.

use std::path::PathBuf;

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
                self.replica.is_some() && !self.is_postgres(),
                "replica: only a store in PostgreSQL has one",
            ),
        ];
        match rules.into_iter().find(|(broken, _)| *broken) {
            Some((_, why)) => Err(SettingError(why.into())),
            None => Ok(()),
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
        assert!(why(|s| s.replica = Some("postgres://b/x".into())).contains("replica"));
    }
}
