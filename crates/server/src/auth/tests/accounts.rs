//! Registering, signing in, changing, deleting.

use store::AccountKind;

use super::*;
use crate::settings::Registration;

#[tokio::test]
async fn whoever_registers_is_signed_in_and_can_sign_in_again() {
    let server = Server::new();
    let (caller, token) = server.register("Ann").await;
    assert_eq!((&*caller.person.id, &*caller.person.name), ("ann", "Ann"));
    assert_eq!(caller.scopes, Scopes::SESSION);
    assert_eq!(
        code(server.try_register("ANN").await),
        (409, "username_taken")
    );
    let (account, session) = server.sign_in("aNN", PASSWORD).await.unwrap();
    assert_eq!(account.number, caller.number());
    assert_ne!(session.token, token);
    assert!(!server.is_dead(&token).await && !server.is_dead(&session.token).await);
    assert_eq!(
        server
            .auth
            .person_by_name("ANN")
            .await
            .unwrap()
            .unwrap()
            .number,
        caller.number()
    );
    assert!(server.auth.person_by_name("bob").await.unwrap().is_none());
}

#[tokio::test]
async fn nobody_learns_whether_a_name_exists() {
    let server = Server::new();
    server.register("Ann").await;
    let wrong = server.sign_in("Ann", "wrong horse").await.unwrap_err();
    let unknown = server.sign_in("Bob", "wrong horse").await.unwrap_err();
    assert_eq!(
        (wrong.status().as_u16(), wrong.code),
        (401, "bad_credentials")
    );
    assert_eq!(wrong.detail, unknown.detail);
    assert_eq!(wrong.kind, unknown.kind);
    let (guest, _) = server
        .auth
        .become_guest(&server.rates, HOME, None)
        .await
        .unwrap();
    assert_eq!(
        code(server.sign_in(&guest.name, "").await),
        (401, "bad_credentials")
    );
}

const ELSEWHERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

async fn tries(server: &Server, from: IpAddr, name: &str, password: &str) -> u16 {
    let result = server
        .auth
        .sign_in(&server.rates, from, name, password.into())
        .await;
    code(result).0
}

#[tokio::test]
async fn wrong_passwords_are_limited_where_they_come_from() {
    let server = Server::with(|s| s.wrong_passwords_per_minute = 3);
    server.register("Ann").await;
    server.register("Bob").await;
    for _ in 0..3 {
        assert_eq!(tries(&server, HOME, "Ann", "wrong horse").await, 401);
    }
    assert_eq!(tries(&server, HOME, "ann", PASSWORD).await, 429);
    assert_eq!(tries(&server, ELSEWHERE, "Ann", PASSWORD).await, 200);
    assert_eq!(tries(&server, HOME, "Bob", PASSWORD).await, 200);
}

#[tokio::test]
async fn wrong_passwords_of_an_address_and_of_a_name_are_limited_ten_times_looser() {
    let server = Server::with(|s| {
        s.wrong_passwords_per_minute = 1;
        s.sign_ins_per_minute = 1_000;
    });
    for n in 0..10 {
        let name = format!("nobody-{n}");
        assert_eq!(tries(&server, HOME, &name, "wrong horse").await, 401);
    }
    assert_eq!(tries(&server, HOME, "Carl", "wrong horse").await, 429);
    for n in 0..10 {
        let from = IpAddr::from([192, 0, 2, n]);
        assert_eq!(tries(&server, from, "Ann", "wrong horse").await, 401);
    }
    let next = IpAddr::from([192, 0, 2, 99]);
    assert_eq!(tries(&server, next, "Ann", "wrong horse").await, 429);
    assert_eq!(tries(&server, next, "Bob", "wrong horse").await, 401);
}

#[tokio::test]
async fn right_passwords_count_too() {
    let server = Server::with(|s| s.sign_ins_per_minute = 2);
    server.register("Ann").await;
    server.register("Bob").await;
    for status in [200, 200, 429] {
        assert_eq!(tries(&server, HOME, "Ann", PASSWORD).await, status);
    }
    assert_eq!(tries(&server, HOME, "Bob", PASSWORD).await, 200);
    assert_eq!(tries(&server, ELSEWHERE, "Ann", PASSWORD).await, 200);
    let free = Server::with(|s| (s.sign_ins_per_minute, s.rate_limits) = (1, false));
    free.register("Ann").await;
    for _ in 0..3 {
        assert_eq!(tries(&free, HOME, "Ann", PASSWORD).await, 200);
    }
}

#[tokio::test]
async fn invitations_cannot_be_guessed_by_the_dozen() {
    let server = Server::with(|s| {
        s.registration = Registration::Invite;
        s.invite_code = Some("xyzzy".into());
        s.wrong_passwords_per_minute = 2;
    });
    for guess in ["plugh", "plover"] {
        let guessed = server.invited("Ann", None, Some(guess)).await;
        assert_eq!(code(guessed), (403, "registration_closed"));
    }
    let right = server.invited("Ann", None, Some("xyzzy")).await;
    assert_eq!(code(right), (429, "rate_limited"));
}

#[tokio::test]
async fn registrations_are_limited_by_address() {
    let server = Server::with(|s| s.registrations_burst = 2);
    server.register("Ann").await;
    assert_eq!(
        code(server.try_register("x").await),
        (422, "bad_username"),
        "does not count"
    );
    server
        .auth
        .become_guest(&server.rates, HOME, Some("Bob"))
        .await
        .unwrap();
    assert_eq!(
        code(server.try_register("Eve").await),
        (429, "rate_limited")
    );
    let free = Server::with(|s| (s.registrations_burst, s.rate_limits) = (1, false));
    for name in ["a1", "a2", "a3"] {
        free.register(name).await;
    }
}

#[tokio::test]
async fn registration_may_be_closed_or_by_invitation() {
    let closed = Server::with(|s| s.registration = Registration::Closed);
    assert_eq!(
        code(closed.try_register("Ann").await),
        (403, "registration_closed")
    );
    let guest = closed.auth.become_guest(&closed.rates, HOME, None).await;
    assert_eq!(code(guest), (403, "registration_closed"));
    let server = Server::with(|s| {
        s.registration = Registration::Invite;
        s.invite_code = Some("open sesame".into());
    });
    assert_eq!(
        code(server.try_register("Ann").await),
        (403, "registration_closed")
    );
    let wrong = server.invited("Ann", None, Some("open sesam")).await;
    assert_eq!(code(wrong), (403, "registration_closed"));
    let (ann, session) = server
        .invited("Ann", None, Some("open sesame"))
        .await
        .unwrap();
    let session = server.auth.authenticate(&session.token).await.unwrap();
    let by_session = server.invited("Bob", Some(&session), None).await;
    assert_eq!(code(by_session), (403, "registration_closed"));
    let change = ProfileChange {
        is_admin: Some(true),
        ..ProfileChange::default()
    };
    server
        .store
        .change_profile(ann.number, change)
        .await
        .unwrap();
    server.auth.forget_person(ann.number);
    let token = server
        .add_token(&session, Scopes::of(&[Scope::Admin]), None)
        .await;
    let admin = server.auth.authenticate(&token).await.unwrap();
    assert!(server.invited("Bob", Some(&admin), None).await.is_ok());
}

#[tokio::test]
async fn a_new_password_needs_the_old_one_and_ends_every_other_token() {
    let server = Server::new();
    let (caller, token) = server.register("Ann").await;
    let (_, other) = server.sign_in("Ann", PASSWORD).await.unwrap();
    let personal = server.add_token(&caller, Scopes::SESSION, None).await;
    assert!(!server.is_dead(&other.token).await && !server.is_dead(&personal).await);
    let nothing = ProfileChange::default;
    let wrong = server
        .change(&caller, nothing(), Some(("wrong", "battery staple")))
        .await;
    assert_eq!(code(wrong), (401, "bad_credentials"));
    let weak = server
        .change(&caller, nothing(), Some((PASSWORD, "password")))
        .await;
    assert_eq!(code(weak), (422, "weak_password"));
    server
        .change(&caller, nothing(), Some((PASSWORD, "battery staple")))
        .await
        .unwrap();
    assert!(!server.is_dead(&token).await, "the one that was used stays");
    assert!(server.is_dead(&other.token).await && server.is_dead(&personal).await);
    assert_eq!(
        code(server.sign_in("Ann", PASSWORD).await),
        (401, "bad_credentials")
    );
    assert!(server.sign_in("Ann", "battery staple").await.is_ok());
    let (_, guest) = server
        .auth
        .become_guest(&server.rates, HOME, None)
        .await
        .unwrap();
    let guest = server.auth.authenticate(&guest.token).await.unwrap();
    let none = server
        .change(&guest, nothing(), Some(("", "battery staple")))
        .await;
    assert_eq!(code(none), (409, "not_allowed"));
}

#[tokio::test]
async fn a_deleted_account_leaves_a_number_and_no_way_in() {
    let server = Server::new();
    let (caller, token) = server.register("Ann").await;
    server.auth.delete_account(caller.number()).await.unwrap();
    assert!(server.is_dead(&token).await);
    assert_eq!(
        code(server.sign_in("Ann", PASSWORD).await),
        (401, "bad_credentials")
    );
    let person = server.auth.person(caller.number()).await.unwrap().unwrap();
    assert!(person.deleted && person.name.starts_with("deleted-"));
    let late = server.add_token(&caller, Scopes::SESSION, None).await;
    assert!(server.is_dead(&late).await, "even one that is added later");
    assert!(server.try_register("Ann").await.is_ok());
}

#[tokio::test]
async fn people_are_found_by_number_many_at_once() {
    let server = Server::new();
    let (ann, _) = server.register("Ann").await;
    let new = server.auth.blank("Bob".into(), AccountKind::Registered);
    let bob = server.auth.create(new).await.unwrap().unwrap();
    let nobody = chess::table::PlayerId::new(99).unwrap();
    let numbers = [ann.number(), bob.number, nobody, bob.number];
    let people = server.auth.people(&numbers).await.unwrap();
    assert_eq!(people.len(), 2);
    assert_eq!(people[&bob.number].name, "Bob");
    assert!(server.auth.person(nobody).await.unwrap().is_none());
    let change = ProfileChange {
        title: Some(Some("GM".into())),
        ..ProfileChange::default()
    };
    server
        .store
        .change_profile(bob.number, change)
        .await
        .unwrap();
    server.auth.forget_person(bob.number);
    let people = server.auth.people(&numbers).await.unwrap();
    assert_eq!(people[&bob.number].title.as_deref(), Some("GM"));
}
