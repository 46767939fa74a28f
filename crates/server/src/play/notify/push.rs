//! Telling browsers: what is told is encrypted for the browser (RFC 8291), and signed
//! with the server's key, which the browser was shown (RFC 8292).

mod encrypt;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chess::Timestamp;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use p256::SecretKey;
use p256::elliptic_curve::sec1::ToEncodedPoint;
use p256::pkcs8::EncodePrivateKey;
use rand::RngExt;
use serde::Serialize;
use store::{Store, Subscription};

pub(crate) use self::encrypt::{AUTH_BYTES, is_public_key};
use crate::outside::{Failed, Outside};
use crate::settings::Settings;

/// Under which name the key is kept.
const KEY: &str = "vapid";
/// For how long a push service keeps what it cannot deliver, and may use a signature.
const KEPT_SECONDS: u64 = 12 * 3_600;

/// The key by which push services know this server.
pub(crate) struct Vapid {
    key: EncodingKey,
    /// As browsers are shown it.
    public: String,
    contact: Option<String>,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pushed {
    /// The push service has it.
    Sent,
    /// The browser is gone, or can never be told.
    Gone,
    /// Not now.
    NotNow(String),
}

#[derive(Serialize)]
struct Claims {
    aud: String,
    exp: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<String>,
}

impl Vapid {
    pub(super) async fn of(store: &Store, settings: &Settings) -> Result<Vapid, store::Error> {
        let new = new_key();
        let kept = store.server_secret(KEY, new.to_bytes().to_vec()).await?;
        let corrupt = || store::Error::Corrupt("the key for push services is none".into());
        let secret = SecretKey::from_slice(&kept).map_err(|_| corrupt())?;
        let der = secret.to_pkcs8_der().map_err(|_| corrupt())?;
        let point = secret.public_key().to_encoded_point(false);
        let address = settings.mail_from.as_deref().and_then(address_in);
        let url = settings.public_url.clone();
        Ok(Vapid {
            key: EncodingKey::from_ec_der(der.as_bytes()),
            public: URL_SAFE_NO_PAD.encode(point.as_bytes()),
            contact: address
                .map(|address| format!("mailto:{address}"))
                .or(url.filter(|url| url.starts_with("https:"))),
        })
    }

    /// What a browser subscribes with: `applicationServerKey`.
    pub(crate) fn public(&self) -> &str {
        &self.public
    }

    fn authorization(&self, target: &url::Url, now: Timestamp) -> Option<HeaderValue> {
        let claims = Claims {
            aud: target.origin().ascii_serialization(),
            exp: now.0 / 1_000 + KEPT_SECONDS,
            sub: self.contact.clone(),
        };
        let header = Header::new(Algorithm::ES256);
        let token = jsonwebtoken::encode(&header, &claims, &self.key).ok()?;
        HeaderValue::try_from(format!("vapid t={token}, k={}", self.public)).ok()
    }

    /// Tells a browser something.
    pub(super) async fn push(
        &self,
        outside: &Outside,
        to: &Subscription,
        text: &[u8],
        now: Timestamp,
    ) -> Pushed {
        let Ok(target) = outside.check(&to.endpoint) else {
            return Pushed::Gone;
        };
        let salt: [u8; 16] = rand::rng().random();
        let sealed = encrypt::seal(&to.p256dh, &to.auth, &new_key(), salt, text);
        let (Some(sealed), Some(authorization)) = (sealed, self.authorization(&target, now)) else {
            return Pushed::Gone;
        };
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, authorization);
        headers.insert(
            header::CONTENT_ENCODING,
            HeaderValue::from_static("aes128gcm"),
        );
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/octet-stream"),
        );
        headers.insert("ttl", HeaderValue::from(KEPT_SECONDS));
        headers.insert("urgency", HeaderValue::from_static("normal"));
        judge(
            outside
                .post(&to.endpoint, headers, Bytes::from(sealed))
                .await
                .map(|s| s.as_u16()),
        )
    }
}

/// What an answer means.
fn judge(answer: Result<u16, Failed>) -> Pushed {
    match answer {
        Ok(200..=299) => Pushed::Sent,
        Ok(404 | 410) => Pushed::Gone,
        Ok(status) => Pushed::NotNow(format!("the push service answers {status}")),
        Err(Failed::Unfit(_)) => Pushed::Gone,
        Err(failed) => Pushed::NotNow(format!("the push service: {failed:?}")),
    }
}

/// A key that nobody has.
fn new_key() -> SecretKey {
    loop {
        let bytes: [u8; 32] = rand::rng().random();
        // Nearly every number is one.
        if let Ok(key) = SecretKey::from_slice(&bytes) {
            return key;
        }
    }
}

/// The address in `Arbiter <a@b>`.
fn address_in(mailbox: &str) -> Option<String> {
    let mailbox: lettre::message::Mailbox = mailbox.parse().ok()?;
    Some(mailbox.email.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_gone_is_told_nothing_more_and_others_later() {
        assert_eq!(judge(Ok(201)), Pushed::Sent);
        assert_eq!(judge(Ok(410)), Pushed::Gone);
        assert_eq!(judge(Ok(404)), Pushed::Gone);
        assert_eq!(judge(Err(Failed::Unfit(String::new()))), Pushed::Gone);
        for answer in [Ok(500), Ok(429), Ok(301), Ok(403), Err(Failed::TimedOut)] {
            let judged = judge(answer.clone());
            assert!(matches!(judged, Pushed::NotNow(_)), "{answer:?}");
        }
    }

    #[tokio::test]
    async fn the_key_is_made_once_and_signs_for_the_service() {
        let store = Store::open("memory:").unwrap();
        let settings = Settings {
            mail_from: Some("Arbiter <chess@x.example>".into()),
            ..Settings::default()
        };
        let vapid = Vapid::of(&store, &settings).await.unwrap();
        let again = Vapid::of(&store, &settings).await.unwrap();
        assert_eq!(vapid.public(), again.public());
        assert_eq!(vapid.contact.as_deref(), Some("mailto:chess@x.example"));
        let target = url::Url::parse("https://push.example:8443/a/b?c").unwrap();
        let shown = vapid.authorization(&target, Timestamp(1_000_000)).unwrap();
        let shown = shown.to_str().unwrap();
        let token = shown.strip_prefix("vapid t=").unwrap();
        let (token, key) = token.split_once(", k=").unwrap();
        assert_eq!(key, vapid.public());
        let claims = token.split('.').nth(1).unwrap();
        let claims = URL_SAFE_NO_PAD.decode(claims).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        assert_eq!(claims["aud"], "https://push.example:8443");
        assert_eq!(claims["exp"], 1_000 + KEPT_SECONDS);
        let point = URL_SAFE_NO_PAD.decode(key).unwrap();
        let (x, y) = (&point[1..33], &point[33..]);
        let text = |part: &[u8]| URL_SAFE_NO_PAD.encode(part);
        let known = jsonwebtoken::DecodingKey::from_ec_components(&text(x), &text(y)).unwrap();
        let mut rules = jsonwebtoken::Validation::new(Algorithm::ES256);
        rules.set_audience(&["https://push.example:8443"]);
        rules.validate_exp = false;
        jsonwebtoken::decode::<serde_json::Value>(token, &known, &rules).unwrap();
    }
}
