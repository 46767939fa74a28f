//! `Arbiter-Version`: the last version of a game that a reader has seen.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::problem::Problem;

const NAME: &str = "arbiter-version";

/// What a reader has seen, if they say so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenVersion(Option<u32>);

impl SeenVersion {
    /// The version; 0 if they do not say.
    pub fn version(self) -> u32 {
        self.0.unwrap_or(0)
    }

    /// Insists that what is shown is not older.
    ///
    /// # Errors
    /// 503: it is, as after a backup was restored, or with a spectator delay.
    pub fn allows(self, version: u32) -> Result<(), Problem> {
        match self.0 {
            Some(seen) if version < seen => Err(Problem::unavailable()),
            _ => Ok(()),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for SeenVersion {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<SeenVersion, Problem> {
        let Some(value) = parts.headers.get(NAME) else {
            return Ok(SeenVersion::default());
        };
        let version = value.to_str().ok().and_then(|text| text.parse().ok());
        version
            .map(|version| SeenVersion(Some(version)))
            .ok_or_else(|| {
                let detail = "Arbiter-Version: must be the version of a game";
                Problem::bad_request(detail).with("field", "Arbiter-Version")
            })
    }
}
