//! Two servers over one store: what one takes back, the other takes back too.

use store::{OutsideIdentity, Revocation, Revoked};

use super::*;

impl Server {
    /// Another one over the same store.
    fn beside(&self) -> Server {
        Server::over(self.store.clone(), Clock::start(None), |_| {})
    }

    /// Hears what ended since that number, as with a heartbeat; the last number.
    async fn hear(&self, known: u64) -> u64 {
        let asked = self.clock.now();
        let ended = self.store.revocations_since(known).await.unwrap();
        self.auth.heard(known, &ended, asked);
        ended.last().map_or(known, |last| last.number)
    }
}

#[tokio::test]
async fn a_token_that_one_server_takes_back_is_dead_at_the_other_once_it_hears() {
    let here = Server::shared();
    let there = here.beside();
    let (ann, token) = here.register("Ann").await;
    let (_, other) = here.sign_in("Ann", PASSWORD).await.unwrap();
    assert!(!there.is_dead(&token).await && !there.is_dead(&other.token).await);
    here.auth.sign_out(&ann).await.unwrap();
    assert!(here.is_dead(&token).await);
    assert!(!there.is_dead(&token).await, "it has not heard");
    let known = there.hear(0).await;
    assert!(there.is_dead(&token).await);
    assert!(!there.is_dead(&other.token).await);
    here.auth.revoke_all(ann.number()).await.unwrap();
    there.hear(known).await;
    assert!(there.is_dead(&other.token).await);
}

#[tokio::test]
async fn what_one_server_changes_of_an_account_is_known_to_the_other() {
    let here = Server::shared();
    let there = here.beside();
    let (ann, token) = here.register("Ann").await;
    let title = async || {
        let person = there.auth.person(ann.number()).await.unwrap();
        person.unwrap().title.clone()
    };
    assert_eq!(title().await, None);
    let change = ProfileChange {
        title: Some(Some("GM".into())),
        ..ProfileChange::default()
    };
    here.auth.alter(ann.number(), change).await.unwrap();
    let known = there.hear(0).await;
    assert_eq!(title().await.as_deref(), Some("GM"));
    assert!(!there.is_dead(&token).await);
    here.auth.bar(ann.number()).await.unwrap();
    let known = there.hear(known).await;
    assert!(there.auth.authenticate(&token).await.is_err());
    here.auth.unbar(ann.number()).await.unwrap();
    here.auth.delete_account(ann.number()).await.unwrap();
    there.hear(known).await;
    assert!(
        there
            .auth
            .person(ann.number())
            .await
            .unwrap()
            .unwrap()
            .deleted
    );
}

#[tokio::test]
async fn a_stream_ends_though_its_token_is_not_remembered() {
    let here = Server::shared();
    let there = here.beside();
    let (ann, _) = here.register("Ann").await;
    let mut place = there.auth.0.places.take(Some(ann.number()), None).unwrap();
    here.auth.sign_out(&ann).await.unwrap();
    there.hear(0).await;
    tokio::time::timeout(std::time::Duration::from_secs(5), place.changed())
        .await
        .expect("it looks again");
    assert!(!there.auth.is_still_good(&ann).await.unwrap());
}

#[tokio::test]
async fn a_server_that_missed_something_forgets_everything() {
    let here = Server::shared();
    let there = here.beside();
    let (ann, token) = here.register("Ann").await;
    assert!(!there.is_dead(&token).await);
    let mut place = there.auth.0.places.take(Some(ann.number()), None).unwrap();
    here.auth.sign_out(&ann).await.unwrap();
    let another = Revocation {
        number: 7,
        what: Revoked::Account(chess::table::PlayerId::new(99).unwrap()),
    };
    there.auth.heard(5, &[another], there.clock.now());
    assert!(there.is_dead(&token).await, "6 may have been about it");
    tokio::time::timeout(std::time::Duration::from_secs(5), place.changed())
        .await
        .expect("all streams look again");
}

#[tokio::test]
async fn an_identity_that_is_blocked_has_outside_tokens_checked_anew() {
    let here = Server::shared();
    let there = here.beside();
    let (_, token) = here.register("Ann").await;
    assert!(!there.is_dead(&token).await);
    assert!(there.auth.0.tokens.has(&secrets::hash(&token)));
    let who = OutsideIdentity {
        issuer: "https://id.example".into(),
        subject: "x".into(),
    };
    here.auth.block(who).await.unwrap();
    there.hear(0).await;
    assert!(!there.auth.0.tokens.has(&secrets::hash(&token)));
    assert!(!there.is_dead(&token).await);
}

/// Time goes on without a word from the store: then it is asked before anything changes.
#[tokio::test]
async fn who_changes_something_is_confirmed_by_the_store_unless_it_was_heard_lately() {
    let here = Server::shared();
    let there = here.beside();
    let (ann, token) = here.register("Ann").await;
    let caller = there.auth.authenticate(&token).await.unwrap();
    there.auth.confirm(&caller).await.unwrap();
    here.auth.sign_out(&ann).await.unwrap();
    assert_eq!(
        code(there.auth.confirm(&caller).await),
        (200, ""),
        "heard lately"
    );
    there.auth.0.last_heard.long_ago();
    assert!(!there.is_dead(&token).await, "it may still read");
    assert_eq!(
        code(there.auth.confirm(&caller).await),
        (401, "unauthorized")
    );
    assert!(there.is_dead(&token).await, "it was learnt by that");
    let (bob, token) = here.register("Bob").await;
    let caller = there.auth.authenticate(&token).await.unwrap();
    there.auth.confirm(&caller).await.unwrap();
    here.auth.bar(bob.number()).await.unwrap();
    assert_eq!(code(there.auth.confirm(&caller).await), (403, "barred"));
    here.store.close();
    assert_eq!(code(there.auth.confirm(&caller).await).0, 503);
    there.auth.heard(0, &[], there.clock.now());
    assert_eq!(code(there.auth.confirm(&caller).await).0, 200);
}

/// More servers do not mean more guesses.
#[tokio::test]
async fn wrong_passwords_are_counted_by_all_servers_together() {
    let here = Server::shared();
    here.register("Ann").await;
    let servers = [here.beside(), here.beside(), here.beside()];
    let most = Settings::default().wrong_passwords_per_minute;
    let mut wrong = 0;
    for server in servers.iter().cycle().take(3 * most as usize) {
        match code(server.sign_in("Ann", "wrong horse").await) {
            (401, _) => wrong += 1,
            refused => assert_eq!(refused, (429, "rate_limited")),
        }
    }
    // One may come back while the test runs.
    assert!((most..=most + 1).contains(&wrong), "{wrong}");
    let refused = code(here.sign_in("Ann", PASSWORD).await);
    assert_eq!(refused, (429, "rate_limited"), "also where nobody guessed");
}
