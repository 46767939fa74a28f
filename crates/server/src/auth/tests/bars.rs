//! Those who are not wanted any more.

use store::OutsideIdentity;

use super::outside::{outside_token, with_identity_service};
use super::*;

const BARRED: (u16, &str) = (403, "barred");

fn identity(subject: &str) -> OutsideIdentity {
    OutsideIdentity {
        issuer: "https://id.example".into(),
        subject: subject.into(),
    }
}

#[tokio::test]
async fn a_barred_account_is_nobodys_until_it_is_let_in_again() {
    let server = Server::new();
    let (ann, token) = server.register("Ann").await;
    let (bob, bobs) = server.register("Bob").await;
    server.auth.bar(ann.number()).await.unwrap();
    assert!(server.is_dead(&token).await);
    assert!(!server.auth.is_still_good(&ann).await.unwrap());
    assert_eq!(code(server.sign_in("Ann", PASSWORD).await), BARRED);
    let guessed = server.sign_in("Ann", "another one").await;
    assert_eq!(code(guessed), (401, "bad_credentials"), "tells nobody else");
    let again = server.try_register("ANN").await;
    assert_eq!(code(again), (409, "username_taken"));
    assert!(!server.is_dead(&bobs).await);
    assert!(server.auth.is_still_good(&bob).await.unwrap());
    server.auth.unbar(ann.number()).await.unwrap();
    assert!(server.is_dead(&token).await, "it died");
    assert_eq!(code(server.sign_in("Ann", PASSWORD).await), (200, ""));
}

#[tokio::test]
async fn a_guest_who_brings_their_own_id_is_barred_too() {
    let server = Server::new();
    let welcome = async || {
        let preferences = "{}".to_owned();
        let auth = &server.auth;
        auth.welcome_guest(&server.rates, HOME, "door", "secret", preferences)
            .await
    };
    let guest = welcome().await.unwrap();
    server.auth.bar(guest.number).await.unwrap();
    assert_eq!(code(welcome().await), BARRED);
    assert_eq!(code(server.auth.guest("door", "secret").await), BARRED);
    server.auth.unbar(guest.number).await.unwrap();
    assert_eq!(welcome().await.unwrap().number, guest.number);
}

#[tokio::test]
async fn somebody_from_outside_is_blocked_also_before_they_ever_came() {
    let server = with_identity_service();
    let asked = async |subject: &str| {
        let token = outside_token(subject, "Ann");
        code(server.auth.authenticate(&token).await)
    };
    let known = server.auth.authenticate(&outside_token("u-1", "Ann")).await;
    let known = known.unwrap();
    for subject in ["u-1", "u-2"] {
        server.auth.block(identity(subject)).await.unwrap();
        assert_eq!(asked(subject).await, BARRED);
    }
    assert_eq!(asked("u-3").await, (200, ""));
    assert!(!server.auth.is_still_good(&known).await.unwrap());
    // Nor with another account, if theirs was closed.
    server.auth.delete_account(known.number()).await.unwrap();
    assert_eq!(asked("u-1").await, BARRED);
    server.auth.unblock(identity("u-2")).await.unwrap();
    assert_eq!(asked("u-2").await, (200, ""));
}
