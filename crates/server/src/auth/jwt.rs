//! Tokens of an outside identity service (JSON Web Tokens).
//!
//! A key is good for one algorithm, the one of its kind, whatever a token's
//! header says: a public key is never taken for a shared secret. Keys come
//! from the operator's files only, never from a token.

mod keys;
mod ring;
#[cfg(test)]
mod tests;

use chess::{Millis, Timestamp};
use jsonwebtoken::{Validation, decode, decode_header};
use serde::Deserialize;
use store::OutsideIdentity;

use crate::problem::Problem;
use crate::settings::Settings;
use keys::Key;
use ring::Ring;

/// How far the service's clock may be ahead of ours.
const CLOCK_SKEW: Millis = Millis::from_secs(5);
/// How long an issuer or a subject may be.
pub(crate) const IDENTITY_MAX: usize = 255;

/// Checks outside tokens.
pub struct Jwt {
    ring: Ring,
    issuer: Option<String>,
    audience: Option<String>,
}

/// Someone whom an outside identity service vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouched {
    /// Who they are there.
    pub identity: OutsideIdentity,
    /// What they are called there.
    pub preferred_name: Option<String>,
    /// How long the token holds.
    pub expires_at: Timestamp,
}

/// What of a token's claims is of interest here.
#[derive(Deserialize)]
struct Claims {
    iss: Option<String>,
    sub: String,
    exp: f64,
    nbf: Option<f64>,
    preferred_username: Option<serde_json::Value>,
}

/// Whether it is meant to be a JWT: our own tokens have no dots.
pub fn is_jwt(bearer: &str) -> bool {
    bearer.bytes().filter(|byte| *byte == b'.').count() == 2
}

impl Jwt {
    /// The checks the operator configured; `None` if outside tokens are not accepted.
    ///
    /// # Errors
    /// A sentence naming the setting that is wrong.
    pub fn new(settings: &Settings) -> Result<Option<Jwt>, String> {
        let ring = Ring::new(settings)?;
        let (issuer, audience) = (settings.jwt_issuer.clone(), settings.jwt_audience.clone());
        Ok((!ring.keys().is_empty()).then_some(Jwt {
            ring,
            issuer,
            audience,
        }))
    }

    /// Reads the keys again.
    ///
    /// # Errors
    /// A sentence: why they stay as they are.
    pub fn reload(&self) -> Result<(), String> {
        self.ring.reload()
    }

    /// If the token names a key that is not known, looks whether there are new
    /// keys; the service may have changed them. Whether there are.
    pub fn look_for_key(&self, token: &str) -> bool {
        let named = decode_header(token).ok().and_then(|header| header.kid);
        let is_unknown = |kid| !self.ring.keys().iter().any(|key| key.id.as_ref() == kid);
        named.as_ref().is_some_and(|kid| is_unknown(Some(kid))) && self.ring.look_again()
    }

    /// Who bears the token.
    ///
    /// # Errors
    /// `unauthorized` if it is not one that we accept at that time.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<Vouched, Problem> {
        let claims = self.decoded(token).ok_or_else(refused)?;
        let expires_at = timestamp(claims.exp);
        if expires_at <= now {
            return Err(Problem::unauthorized("the token has expired"));
        }
        if claims
            .nbf
            .is_some_and(|nbf| timestamp(nbf) > now + CLOCK_SKEW)
        {
            return Err(Problem::unauthorized("the token is not valid yet"));
        }
        let identity = OutsideIdentity {
            issuer: claims.iss.unwrap_or_default(),
            subject: claims.sub,
        };
        let is_usable = |text: &str| text.len() <= IDENTITY_MAX && !text.contains('\0');
        if identity.subject.is_empty()
            || !is_usable(&identity.subject)
            || !is_usable(&identity.issuer)
        {
            return Err(refused());
        }
        let preferred = claims.preferred_username;
        let preferred_name = preferred
            .as_ref()
            .and_then(|name| name.as_str())
            .map(str::to_owned);
        Ok(Vouched {
            identity,
            preferred_name,
            expires_at,
        })
    }

    /// The claims, if the signature, the issuer and the audience are right.
    fn decoded(&self, token: &str) -> Option<Claims> {
        let header = decode_header(token).ok()?;
        if header.crit.is_some() {
            return None; // It asks for an extension, and we know none.
        }
        let is_named = |key: &&Key| header.kid.is_some() && key.id == header.kid;
        let keys = self.ring.keys();
        let named = keys.iter().any(|key| is_named(&key));
        keys.iter()
            .filter(|key| {
                if named {
                    is_named(key)
                } else {
                    key.id.is_none() || header.kid.is_none()
                }
            })
            .filter(|key| key.algorithm == header.alg)
            .find_map(|key| decode(token, &key.key, &self.validation(key)).ok())
            .map(|decoded| decoded.claims)
    }

    /// Times are checked above, by our own clock.
    fn validation(&self, key: &Key) -> Validation {
        let mut validation = Validation::new(key.algorithm);
        validation.validate_exp = false;
        let mut required = vec!["exp", "sub"];
        if let Some(issuer) = &self.issuer {
            validation.set_issuer(&[issuer]);
            required.push("iss");
        }
        // A token for an audience is refused by whoever is not told to be one.
        if let Some(audience) = &self.audience {
            validation.set_audience(&[audience]);
            required.push("aud");
        }
        validation.set_required_spec_claims(&required);
        validation
    }
}

/// One text for all that is wrong with a token: it tells a forger nothing.
fn refused() -> Problem {
    Problem::unauthorized("the token is not one that this server accepts")
}

/// Seconds since 1970, with a fraction or not.
fn timestamp(seconds: f64) -> Timestamp {
    Timestamp((seconds * 1000.0) as u64)
}
