//! Tokens of an outside identity service that changes its keys.

use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use crate::client::Server;

const ISSUER: &str = "https://id.example";

/// A key of the service: the name, the algorithm and the key.
struct Key(&'static str, Algorithm, EncodingKey);

impl Key {
    fn ec() -> Key {
        let pem = include_bytes!("../../src/auth/test_keys/ec.pem");
        let key = EncodingKey::from_ec_pem(pem).expect("a key");
        Key("2026-a", Algorithm::ES256, key)
    }

    fn ed() -> Key {
        let pem = include_bytes!("../../src/auth/test_keys/ed.pem");
        let key = EncodingKey::from_ed_pem(pem).expect("a key");
        Key("2026-b", Algorithm::EdDSA, key)
    }

    /// A token that holds for an hour.
    fn token(&self, server: &Server, audience: &str) -> String {
        let now = server.running().app().now().0 / 1000;
        let claims = json!({
            "iss": ISSUER, "sub": "u-1", "aud": audience, "exp": now + 3600,
            "preferred_username": "Ann",
        });
        let mut header = Header::new(self.1);
        header.kid = Some(self.0.to_owned());
        encode(&header, &claims, &self.2).expect("a token")
    }
}

/// What the service publishes of its keys.
fn published(keys: &[&Key]) -> Value {
    let keys = keys.iter().map(|Key(name, algorithm, key)| {
        let mut jwk = Jwk::from_encoding_key(key, *algorithm).expect("a public key");
        jwk.common.key_id = Some((*name).to_owned());
        jwk
    });
    let set = JwkSet {
        keys: keys.collect(),
    };
    serde_json::to_value(set).expect("a set of keys is JSON")
}

#[tokio::test]
async fn a_rotated_key_is_accepted_and_the_old_one_refused() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("jwks.json");
    let publish = |keys: &[&Key]| {
        std::fs::write(&path, published(keys).to_string()).expect("a file is written");
    };
    let (old, new) = (Key::ec(), Key::ed());
    publish(&[&old]);
    let mut server = Server::start_with(|settings| {
        settings.jwt_jwks = Some(path.clone());
        settings.jwt_issuer = Some(ISSUER.to_owned());
        settings.jwt_audience = Some("arbiter".to_owned());
    })
    .await;
    let bearer = |server: &Server, key: &Key| server.holder(&key.token(server, "arbiter"));
    let me = bearer(&server, &old).get("/v1/me").await.expect(200);
    assert_eq!(me["name"], "Ann");
    let unknown = bearer(&server, &new).get("/v1/me").await;
    unknown.refused(401, "unauthorized");
    let elsewhere = server.holder(&old.token(&server, "another"));
    elsewhere.get("/v1/me").await.refused(401, "unauthorized");

    // While the keys overlap, both are good; it is the same person.
    publish(&[&old, &new]);
    server.restart().await;
    for key in [&old, &new] {
        let same = bearer(&server, key).get("/v1/me").await.expect(200);
        assert_eq!(same["id"], me["id"]);
    }
    publish(&[&new]);
    server.restart().await;
    let gone = bearer(&server, &old).get("/v1/me").await;
    gone.refused(401, "unauthorized");
    let stays = bearer(&server, &new).get("/v1/me").await.expect(200);
    assert_eq!(stays["id"], me["id"]);
}

#[tokio::test]
async fn a_rotated_key_needs_no_restart() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("jwks.json");
    let publish = |keys: &[&Key]| {
        std::fs::write(&path, published(keys).to_string()).expect("a file is written");
    };
    let (old, new) = (Key::ec(), Key::ed());
    publish(&[&old]);
    let server = Server::start_with(|settings| {
        settings.jwt_jwks = Some(path.clone());
        settings.jwt_issuer = Some(ISSUER.to_owned());
        settings.jwt_audience = Some("arbiter".to_owned());
    })
    .await;
    let (by_old, by_new) = (old.token(&server, "arbiter"), new.token(&server, "arbiter"));
    let me = async |token: &str| server.holder(token).get("/v1/me").await;
    me(&by_old).await.expect(200);
    // A token by a key that is not known has the file looked at.
    publish(&[&old, &new]);
    me(&by_new).await.expect(200);
    // A key that is gone is noticed when the server is told to look (SIGHUP).
    publish(&[&new]);
    server.running().reload().await;
    me(&by_old).await.refused(401, "unauthorized");
    me(&by_new).await.expect(200);
    // What cannot be used changes nothing.
    std::fs::write(&path, "{}").expect("a file is written");
    server.running().reload().await;
    me(&by_new).await.expect(200);
}
