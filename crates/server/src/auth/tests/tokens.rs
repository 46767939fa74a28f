//! Making tokens, and ending them.

use super::*;
use crate::auth::personal::PERSONAL_MAX;
use crate::auth::tokens::SESSIONS_MAX;

#[tokio::test]
async fn a_token_is_dead_the_moment_it_is_revoked() {
    let server = Server::new();
    let (caller, token) = server.register("Ann").await;
    let (_, other) = server.sign_in("Ann", PASSWORD).await.unwrap();
    server.auth.sign_out(&caller).await.unwrap();
    assert!(server.is_dead(&token).await);
    let caller = server.auth.authenticate(&other.token).await.unwrap();
    let play = Scopes::of(&[Scope::Play]);
    let (made, text) = server
        .auth
        .issue(&server.rates, &caller, "bot", &["play"])
        .await
        .unwrap();
    assert_eq!(server.auth.authenticate(&text).await.unwrap().scopes, play);
    assert!(
        server
            .auth
            .revoke(caller.number(), made.id)
            .await
            .unwrap()
            .is_some()
    );
    assert!(
        server
            .auth
            .revoke(caller.number(), made.id)
            .await
            .unwrap()
            .is_none()
    );
    assert!(server.is_dead(&text).await);
    server.auth.revoke_all(caller.number()).await.unwrap();
    assert!(server.is_dead(&other.token).await);
    for bad in ["", "arb_", &"x".repeat(100_000), &secrets::token(), "a.b.c"] {
        assert!(server.is_dead(bad).await);
    }
}

#[tokio::test]
async fn a_token_ends_at_its_time() {
    let server = Server::new();
    let (caller, _) = server.register("Ann").await;
    let now = server.clock.now();
    let ended = server.add_token(&caller, Scopes::SESSION, Some(now)).await;
    assert!(server.is_dead(&ended).await);
    let soon = Some(Timestamp(now.0 + 60_000));
    let alive = server.add_token(&caller, Scopes::SESSION, soon).await;
    assert!(!server.is_dead(&alive).await);
}

#[tokio::test]
async fn a_session_lasts_by_the_machines_clock() {
    let hand = Arc::new(AtomicU64::new(20_000 * DAY_MS));
    let server = Server::ahead(&hand, |s| s.session_days = 1);
    let (account, session) = server.try_register("Ann").await.unwrap();
    let now = hand.load(Ordering::SeqCst);
    assert_eq!(account.created_at, Timestamp(now));
    assert_eq!(session.expires_at, Timestamp(now + DAY_MS));
    hand.fetch_add(DAY_MS - 1, Ordering::SeqCst);
    assert!(!server.is_dead(&session.token).await);
    hand.fetch_add(1, Ordering::SeqCst);
    assert!(server.is_dead(&session.token).await);
}

/// What a stream asks, and whoever speaks on one.
#[tokio::test]
async fn a_caller_is_good_until_their_token_or_what_it_allowed_is_gone() {
    let server = Server::new();
    let (ann, _) = server.register("Ann").await;
    let is_good = async |caller: &Caller| server.auth.is_still_good(caller).await.unwrap();
    assert!(is_good(&ann).await);
    for token in [ann.token, None] {
        let expired = Caller {
            token,
            expires_at: Some(server.clock.now()),
            ..ann.clone()
        };
        assert!(!is_good(&expired).await, "{token:?}");
    }
    let admin = Caller {
        scopes: Scopes::of(&Scope::ALL),
        ..ann.clone()
    };
    assert!(!is_good(&admin).await, "she is no administrator");
    server.auth.sign_out(&ann).await.unwrap();
    assert!(!is_good(&ann).await);
}

#[tokio::test]
async fn nobody_gives_more_than_they_have() {
    let server = Server::new();
    let (ann, _) = server.register("Ann").await;
    let give = async |caller: &Caller, scopes: &[Scope]| {
        let names = Scopes::of(scopes).names();
        let issued = server.auth.issue(&server.rates, caller, "x", &names);
        code(issued.await)
    };
    let missing = (403, "missing_scope");
    assert_eq!(give(&ann, &[Scope::Play, Scope::Bot]).await, (200, ""));
    for power in [Scope::Service, Scope::Admin] {
        assert_eq!(give(&ann, &[power]).await, missing);
    }
    let everything = server.admin("Root", &Scope::ALL).await;
    let no_session = (403, "session_required");
    assert_eq!(give(&everything, &[Scope::Play]).await, no_session);
    let token = server.add_token(&ann, Scopes::of(&Scope::ALL), None).await;
    let service = server.auth.authenticate(&token).await.unwrap();
    assert!(
        !service.scopes.contains(Scope::Admin),
        "she is no administrator"
    );
    assert_eq!(give(&service, &[Scope::Read]).await, no_session);
}

#[tokio::test]
async fn an_account_has_so_many_tokens_and_no_more() {
    let server = Server::with(|s| s.rate_limits = false);
    let (ann, first) = server.register("Ann").await;
    let issue = async || {
        let issued = server.auth.issue(&server.rates, &ann, "x", &["play"]);
        code(issued.await)
    };
    for _ in 0..PERSONAL_MAX {
        assert_eq!(issue().await, (200, ""));
    }
    assert_eq!(issue().await, (409, "too_many_tokens"));
    for _ in 1..SESSIONS_MAX {
        server.auth.open_session(ann.number()).await.unwrap();
    }
    assert!(!server.is_dead(&first).await);
    server.auth.open_session(ann.number()).await.unwrap();
    assert!(server.is_dead(&first).await, "the oldest gives way");
    let tokens = server.auth.tokens_of(ann.number()).await.unwrap();
    assert_eq!(tokens.len(), PERSONAL_MAX + SESSIONS_MAX);
}
