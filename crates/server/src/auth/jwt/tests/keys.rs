//! Keys that are accepted, and keys that are not.

use jsonwebtoken::jwk::{Jwk, JwkSet};

use super::*;

const EC_384_PUBLIC: &[u8] = include_bytes!("../../test_keys/ec384.pub.pem");
const BROKEN: &[u8] = b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----";

fn jwk(key: &EncodingKey, algorithm: Algorithm, kid: &str) -> Jwk {
    let mut jwk = Jwk::from_encoding_key(key, algorithm).unwrap();
    jwk.common.key_id = Some(kid.into());
    jwk
}

#[test]
fn a_key_of_a_set_is_found_by_its_kid() {
    let ec = EncodingKey::from_ec_pem(EC).unwrap();
    let rsa = EncodingKey::from_rsa_pem(RSA).unwrap();
    let keys = vec![
        jwk(&rsa, Algorithm::RS256, "r"),
        jwk(&ec, Algorithm::ES256, "e"),
    ];
    let set = serde_json::to_vec(&JwkSet { keys }).unwrap();
    let jwt = Jwt {
        ring: Ring::of(load(None, Some(&set), &[]).unwrap()),
        ..accepting(SECRET)
    };
    let token = |kid: Option<&str>| {
        let mut header = Header::new(Algorithm::ES256);
        header.kid = kid.map(str::to_owned);
        encode(&header, &claims(), &ec).unwrap()
    };
    assert!(jwt.verify(&token(Some("e")), NOW).is_ok());
    assert!(
        jwt.verify(&token(None), NOW).is_ok(),
        "the only one of its kind"
    );
    assert_refused(jwt.verify(&token(Some("r")), NOW), "a key of another kind");
    assert_refused(jwt.verify(&token(Some("x")), NOW), "no such key");
    assert_eq!(load(None, Some(&set), &["ES256"]).unwrap().len(), 1);
    assert!(load(None, Some(&set), &["EdDSA"]).is_err());
}

#[test]
fn a_key_that_cannot_be_used_is_refused_at_start_by_name() {
    let set = br#"{"keys": [{"kty": "oct", "k": "c2hvcnQ"}, {"kty": "new"}]}"#;
    let single: [(&[u8], &[&str], &str); 9] = [
        (b"short", &[], "32 bytes"),
        (b"", &[], "32 bytes"),
        (RSA, &[], "public key"),
        (BROKEN, &[], "no RSA"),
        (EC_384_PUBLIC, &[], "P-256"),
        (set, &[], "jwt_jwks"),
        (EC_PUBLIC, &["RS256"], "ES256"),
        (RSA_PUBLIC, &["HS256"], "RS256"),
        (SECRET, &["none"], "jwt_algorithms"),
    ];
    for (key, algorithms, want) in single {
        let why = load(Some(key), None, algorithms).map(|_| ()).unwrap_err();
        assert!(why.contains(want) && why.contains("jwt_"), "{want}: {why}");
    }
    for jwks in [&set[..], b"[]", b""] {
        let why = load(None, Some(jwks), &[]).map(|_| ()).unwrap_err();
        assert!(why.contains("jwt_jwks"), "{why}");
    }
    assert!(load(None, None, &[]).unwrap().is_empty());
}

#[test]
fn a_key_may_stand_in_the_setting_but_a_mistyped_path_is_not_a_secret() {
    let load =
        |key: &[u8]| super::super::keys::load(Some(std::str::from_utf8(key).unwrap()), None, &[]);
    assert_eq!(load(SECRET).unwrap()[0].algorithm, Algorithm::HS256);
    assert_eq!(load(EC_PUBLIC).unwrap()[0].algorithm, Algorithm::ES256);
    for path in [
        "/etc/arbiter/keys/identity/service/public",
        "keys/of/the/identity/service/id.pem",
    ] {
        assert!(load(path.as_bytes()).is_err(), "{path}");
    }
}
