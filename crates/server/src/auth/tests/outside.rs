//! People from an outside identity service.

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::json;
use store::AccountKind;

use super::*;

const SECRET: &str = "a secret of at least thirty-two bytes";

pub(super) fn outside_token(subject: &str, name: &str) -> String {
    lasting(subject, name, 4_000_000_000)
}

fn lasting(subject: &str, name: &str, until: u64) -> String {
    let claims = json!({ "iss": "https://id.example", "sub": subject, "aud": "arbiter",
                         "exp": until, "preferred_username": name });
    let key = EncodingKey::from_secret(SECRET.as_bytes());
    encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap()
}

pub(super) fn with_identity_service() -> Server {
    Server::with(identity_service)
}

fn identity_service(settings: &mut Settings) {
    settings.jwt_key = Some(SECRET.into());
    settings.jwt_issuer = Some("https://id.example".into());
    settings.jwt_audience = Some("arbiter".into());
}

#[tokio::test]
async fn outside_tokens_end_by_the_machines_clock() {
    let now = 20_000 * DAY_MS;
    let hand = Arc::new(AtomicU64::new(now));
    let server = Server::ahead(&hand, identity_service);
    let token = lasting("u-1", "Ann", now / 1_000 + 3_600);
    assert!(!server.is_dead(&token).await, "the games' time is theirs");
    hand.fetch_add(3_600_000, Ordering::SeqCst);
    assert!(
        server.is_dead(&token).await,
        "the clock was behind, and was set"
    );
    let fresh = lasting("u-1", "Ann", now / 1_000 + 3_600);
    assert!(server.is_dead(&fresh).await);
}

#[tokio::test]
async fn someone_from_outside_gets_an_account_of_their_own() {
    let server = with_identity_service();
    let (local, _) = server.register("Ann").await;
    let ann = server
        .auth
        .authenticate(&outside_token("u-1", "Ann"))
        .await
        .unwrap();
    assert_ne!(
        ann.number(),
        local.number(),
        "a name there opens nothing here"
    );
    assert!(ann.person.id.starts_with("ann-"), "{}", ann.person.id);
    assert_eq!(
        (ann.person.kind, ann.scopes),
        (AccountKind::Outside, Scopes::SESSION)
    );
    let again = server
        .auth
        .authenticate(&outside_token("u-1", "Annabel"))
        .await
        .unwrap();
    assert_eq!(
        again.number(),
        ann.number(),
        "the subject counts, not the name"
    );
    let bob = server
        .auth
        .authenticate(&outside_token("u-2", "Bob"))
        .await
        .unwrap();
    assert_eq!(bob.person.name, "Bob");
    assert_eq!(
        code(server.sign_in("Bob", "").await),
        (401, "bad_credentials")
    );
    assert_eq!(code(server.auth.sign_out(&bob).await), (409, "not_allowed"));
    assert!(
        Server::new().is_dead(&outside_token("u-1", "Ann")).await,
        "nothing configured"
    );
}

#[tokio::test]
async fn first_sights_at_the_same_time_make_one_account() {
    let server = with_identity_service();
    let token = outside_token("u-1", "Ann");
    let seen = (0..8).map(|_| {
        let (auth, token) = (server.auth.clone(), token.clone());
        tokio::spawn(async move { auth.authenticate(&token).await.unwrap().number() })
    });
    let seen: Vec<_> = seen.collect();
    let mut numbers = Vec::new();
    for task in seen {
        numbers.push(task.await.unwrap());
    }
    numbers.dedup();
    assert_eq!(numbers.len(), 1);
}
