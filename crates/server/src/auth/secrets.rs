//! The text of a token, and the hash by which it is known.

use rand::RngExt;
use rand::distr::Alphanumeric;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Tells scanners for leaked secrets, and people, what they are looking at.
const PREFIX: &str = "arb_";
/// So many of 62 letters and digits hold 256 bits.
const LENGTH: usize = 43;

/// A new token: shown once, kept nowhere.
pub fn token() -> String {
    let secret = rand::rng()
        .sample_iter(Alphanumeric)
        .take(LENGTH)
        .map(char::from);
    PREFIX.chars().chain(secret).collect()
}

/// Whether it may be a token of ours at all.
pub fn is_token(text: &str) -> bool {
    text.strip_prefix(PREFIX).is_some_and(|secret| {
        secret.len() == LENGTH && secret.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// The hash by which a bearer's text is known.
pub fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Compares secrets in a time that tells nothing about where they differ.
pub fn are_equal(one: &[u8], other: &[u8]) -> bool {
    one.ct_eq(other).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_letters_digits_and_one_underscore() {
        let token = token();
        assert!(is_token(&token), "{token}");
        assert!(
            token
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        );
        assert_ne!(token, super::token());
    }

    #[test]
    fn what_cannot_be_a_token_is_seen_without_asking_the_store() {
        let good = token();
        let longer = format!("{good}a");
        let dashed = good.replace(&good[10..11], "-");
        for bad in [
            "",
            "arb_",
            &good[4..],
            &good[..46],
            &longer,
            &dashed,
            "a.b.c",
        ] {
            assert!(!is_token(bad), "{bad}");
        }
    }

    #[test]
    fn a_hash_is_plain_sha_256() {
        let hex: String = hash("abc")
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(
            hex,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert!(are_equal(b"secret", b"secret"));
        assert!(!are_equal(b"secret", b"secreT") && !are_equal(b"secret", b"secre"));
    }
}
