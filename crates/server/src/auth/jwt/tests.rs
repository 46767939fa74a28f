//! Every way a token can be wrong.

mod keys;

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::*;

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const SECRET: &[u8] = b"a secret of at least thirty-two bytes";
const RSA: &[u8] = include_bytes!("../test_keys/rsa.pem");
const RSA_PUBLIC: &[u8] = include_bytes!("../test_keys/rsa.pub.pem");
const EC: &[u8] = include_bytes!("../test_keys/ec.pem");
const EC_PUBLIC: &[u8] = include_bytes!("../test_keys/ec.pub.pem");
const ED: &[u8] = include_bytes!("../test_keys/ed.pem");
const ED_PUBLIC: &[u8] = include_bytes!("../test_keys/ed.pub.pem");

fn load(key: Option<&[u8]>, jwks: Option<&[u8]>, algorithms: &[&str]) -> Result<Vec<Key>, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: Option<&[u8]>| {
        content.map(|content| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        })
    };
    let (key, jwks) = (file("key", key), file("jwks", jwks));
    let algorithms: Vec<_> = algorithms.iter().map(|&a| a.to_owned()).collect();
    let key = key.map(|path| path.to_str().unwrap().to_owned());
    super::keys::load(key.as_deref(), jwks.as_deref(), &algorithms)
}

fn accepting(key: &[u8]) -> Jwt {
    let keys = load(Some(key), None, &[]).unwrap();
    Jwt {
        ring: Ring::of(keys),
        issuer: Some("https://id.example".into()),
        audience: Some("arbiter".into()),
    }
}

fn claims() -> Value {
    json!({ "iss": "https://id.example", "sub": "u-1", "aud": "arbiter", "exp": NOW.0 / 1000 + 60,
            "preferred_username": "Ann" })
}

fn with(field: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[field] = value;
    claims
}

fn without(field: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().unwrap().remove(field);
    claims
}

fn by_secret(claims: &Value) -> String {
    encode(
        &Header::new(Algorithm::HS256),
        claims,
        &EncodingKey::from_secret(SECRET),
    )
    .unwrap()
}

fn signed(algorithm: Algorithm, key: &EncodingKey) -> String {
    encode(&Header::new(algorithm), &claims(), key).unwrap()
}

fn check(claims: &Value) -> Result<Vouched, Problem> {
    accepting(SECRET).verify(&by_secret(claims), NOW)
}

fn assert_refused(result: Result<Vouched, Problem>, why: &str) {
    let error = result.expect_err(why);
    assert_eq!(
        (error.status().as_u16(), error.code),
        (401, "unauthorized"),
        "{why}"
    );
}

#[test]
fn a_good_token_says_who_bears_it() {
    let vouched = check(&claims()).unwrap();
    assert_eq!(vouched.identity.issuer, "https://id.example");
    assert_eq!(vouched.identity.subject, "u-1");
    assert_eq!(vouched.preferred_name.as_deref(), Some("Ann"));
    assert_eq!(vouched.expires_at, Timestamp(NOW.0 + 60_000));
}

#[test]
fn every_supported_kind_of_key_works() {
    let ec = EncodingKey::from_ec_pem(EC).unwrap();
    let ed = EncodingKey::from_ed_pem(ED).unwrap();
    let rsa = EncodingKey::from_rsa_pem(RSA).unwrap();
    let cases = [
        (EC_PUBLIC, Algorithm::ES256, ec),
        (ED_PUBLIC, Algorithm::EdDSA, ed),
        (RSA_PUBLIC, Algorithm::RS256, rsa),
    ];
    for (public, algorithm, key) in &cases {
        let token = signed(*algorithm, key);
        assert!(
            accepting(public).verify(&token, NOW).is_ok(),
            "{algorithm:?}"
        );
        let mut forged = token.clone().into_bytes();
        let last = forged.len() - 10;
        forged[last] = if forged[last] == b'A' { b'B' } else { b'A' };
        let forged = String::from_utf8(forged).unwrap();
        assert_refused(
            accepting(public).verify(&forged, NOW),
            "a changed signature",
        );
        assert_refused(accepting(SECRET).verify(&token, NOW), "another key");
    }
}

#[test]
fn a_public_key_is_never_taken_for_a_secret() {
    for public in [RSA_PUBLIC, EC_PUBLIC, ED_PUBLIC] {
        for secret in [public, public.trim_ascii()] {
            let header = Header::new(Algorithm::HS256);
            let key = EncodingKey::from_secret(secret);
            let forged = encode(&header, &claims(), &key).unwrap();
            assert_refused(
                accepting(public).verify(&forged, NOW),
                "signed with a public key",
            );
        }
    }
}

#[test]
fn the_header_does_not_choose_the_algorithm() {
    let token = by_secret(&claims());
    let (_, rest) = token.split_once('.').unwrap();
    // {"alg":"none"}, {"alg":"HS512"}, {"alg":"RS256"}
    for header in [
        "eyJhbGciOiJub25lIn0",
        "eyJhbGciOiJIUzUxMiJ9",
        "eyJhbGciOiJSUzI1NiJ9",
    ] {
        let swapped = format!("{header}.{rest}");
        assert_refused(accepting(SECRET).verify(&swapped, NOW), header);
        let (unsigned, _) = swapped.rsplit_once('.').unwrap();
        assert_refused(
            accepting(SECRET).verify(&format!("{unsigned}."), NOW),
            header,
        );
    }
    let longer = EncodingKey::from_secret(SECRET);
    assert_refused(
        accepting(SECRET).verify(&signed(Algorithm::HS384, &longer), NOW),
        "HS384",
    );
}

#[test]
fn a_token_holds_from_nbf_to_exp() {
    let now = NOW.0 / 1000;
    assert!(check(&with("nbf", json!(now - 60))).is_ok());
    assert!(
        check(&with("nbf", json!(now + 4))).is_ok(),
        "clocks differ a little"
    );
    assert!(check(&with("exp", json!(now as f64 + 0.5))).is_ok());
    assert!(check(&with("exp", json!(1e15))).is_ok());
    for exp in [
        json!(now),
        json!(now - 1),
        json!(0),
        json!(-1),
        json!(1e300),
        json!("never"),
    ] {
        assert_refused(check(&with("exp", exp.clone())), &format!("exp {exp}"));
    }
    for nbf in [json!(now + 6), json!(1e300), json!("now")] {
        assert_refused(check(&with("nbf", nbf.clone())), &format!("nbf {nbf}"));
    }
    assert_refused(check(&without("exp")), "no exp");
    assert_refused(check(&with("exp", Value::Null)), "exp null");
}

#[test]
fn issuer_and_audience_must_be_the_configured_ones() {
    assert!(check(&with("aud", json!(["other", "arbiter"]))).is_ok());
    for aud in [
        json!("other"),
        json!(["other"]),
        json!([]),
        json!(7),
        Value::Null,
    ] {
        assert_refused(check(&with("aud", aud.clone())), &format!("aud {aud}"));
    }
    for iss in [
        json!("https://id.example/"),
        json!(""),
        json!(["https://id.example"]),
        json!(7),
    ] {
        assert_refused(check(&with("iss", iss.clone())), &format!("iss {iss}"));
    }
    assert_refused(check(&without("iss")), "no iss");
    assert_refused(check(&without("aud")), "no aud");
}

#[test]
fn without_an_audience_of_our_own_a_token_for_one_is_refused() {
    let anyones = Jwt {
        issuer: None,
        audience: None,
        ..accepting(SECRET)
    };
    assert_refused(
        anyones.verify(&by_secret(&claims()), NOW),
        "for somebody else",
    );
    let vouched = anyones.verify(&by_secret(&without("aud")), NOW).unwrap();
    assert_eq!(vouched.identity.issuer, "https://id.example");
    let bare = json!({ "sub": "u-1", "exp": NOW.0 / 1000 + 60 });
    assert_eq!(
        anyones
            .verify(&by_secret(&bare), NOW)
            .unwrap()
            .identity
            .issuer,
        ""
    );
}

#[test]
fn a_subject_is_needed_and_of_bounded_length() {
    assert!(check(&with("sub", json!("s".repeat(255)))).is_ok());
    for sub in [
        json!(""),
        json!("s".repeat(256)),
        json!("a\0b"),
        json!(7),
        Value::Null,
    ] {
        assert_refused(check(&with("sub", sub.clone())), &format!("sub {sub}"));
    }
    assert_refused(check(&without("sub")), "no sub");
    assert_eq!(
        check(&with("preferred_username", json!(7)))
            .unwrap()
            .preferred_name,
        None
    );
}

#[test]
fn what_is_no_token_is_refused() {
    let deep = format!(
        "{}.{}.{}",
        "A".repeat(5000),
        "B".repeat(5000),
        "C".repeat(5000)
    );
    for bad in [
        "", ".", "..", "a.b.c", "a.b.c.d", "é.é.é", "eyJ.eyJ.", &deep,
    ] {
        assert_refused(accepting(SECRET).verify(bad, NOW), bad);
    }
    let mut header = Header::new(Algorithm::HS256);
    header.crit = Some(vec!["exp".into()]);
    let critical = encode(&header, &claims(), &EncodingKey::from_secret(SECRET)).unwrap();
    assert_refused(
        accepting(SECRET).verify(&critical, NOW),
        "an unknown extension",
    );
    assert!(is_jwt("a.b.c") && !is_jwt("a.b") && !is_jwt("arb_x") && !is_jwt("a.b.c.d"));
}
