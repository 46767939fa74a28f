//! How a target knows that a delivery is ours.

use chess::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use store::Webhook;

/// The signature of a body that is sent at this time: `t=<unix seconds>,v1=<hex>`, and one
/// more `v1` for the secret before, while that still counts.
pub(super) fn signature(webhook: &Webhook, now: Timestamp, body: &[u8]) -> String {
    let seconds = now.0 / 1_000;
    let mut text = format!("t={seconds},v1={}", code(&webhook.secret, seconds, body));
    if let Some((old, until)) = &webhook.old_secret
        && now < *until
    {
        text.push_str(",v1=");
        text.push_str(&code(old, seconds, body));
    }
    text
}

/// HMAC-SHA256 of `<t>.<body>`, in hex.
fn code(secret: &str, seconds: u64, body: &[u8]) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length will do");
    mac.update(format!("{seconds}.").as_bytes());
    mac.update(body);
    let bytes = mac.finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::table::PlayerId;
    use store::EventKinds;

    fn webhook(old: Option<(&str, u64)>) -> Webhook {
        Webhook {
            id: 1,
            account: PlayerId::new(1).unwrap(),
            url: String::new(),
            kinds: EventKinds::ALL,
            everything: false,
            secret: "secret".into(),
            old_secret: old.map(|(secret, until)| (secret.into(), Timestamp(until))),
            created_at: Timestamp(0),
        }
    }

    /// `printf '12.{"a":1}' | openssl dgst -sha256 -hmac secret`
    #[test]
    fn a_body_is_signed_as_others_would_sign_it() {
        let text = signature(&webhook(None), Timestamp(12_999), br#"{"a":1}"#);
        let expected = "f9fb45a73b5891a58b574508a347cffcfb5ed9b43e9ad6026adc952f9e3cafb4";
        assert_eq!(text, format!("t=12,v1={expected}"));
    }

    #[test]
    fn both_secrets_count_for_a_while() {
        let now = Timestamp(12_000);
        let both = signature(&webhook(Some(("old", 12_001))), now, b"x");
        let parts: Vec<&str> = both.split(',').collect();
        assert_eq!(parts.len(), 3);
        assert_eq!(parts[2], format!("v1={}", code("old", 12, b"x")));
        let one = signature(&webhook(Some(("old", 12_000))), now, b"x");
        assert_eq!(one, parts[..2].join(","));
    }
}
