//! The life of an account, over a store in memory.

mod accounts;
mod bars;
mod heard;
mod outside;
mod tokens;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess::Timestamp;
use store::{Account, NewToken, ProfileChange, Store, TokenKind};

use super::accounts::Applicant;
use super::own::Passwords;
use super::tokens::Session;
use super::{Auth, Caller, Scope, Scopes, secrets};
use crate::clock::Clock;
use crate::limits::places::Places;
use crate::limits::rates::RateLimits;
use crate::problem::Problem;
use crate::settings::Settings;

const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
const DAY_MS: u64 = 86_400_000;
const PASSWORD: &str = "correct horse";

struct Server {
    auth: Auth,
    store: Store,
    rates: RateLimits,
    clock: Clock,
}

impl Server {
    fn new() -> Server {
        Server::with(|_| {})
    }

    fn with(choose: impl FnOnce(&mut Settings)) -> Server {
        Server::by(Clock::start(None), choose)
    }

    fn by(clock: Clock, choose: impl FnOnce(&mut Settings)) -> Server {
        Server::over(Store::open("memory:").unwrap(), clock, choose)
    }

    /// One of several.
    fn shared() -> Server {
        Server::over(Store::in_memory_shared(), Clock::start(None), |_| {})
    }

    fn over(store: Store, clock: Clock, choose: impl FnOnce(&mut Settings)) -> Server {
        let mut settings = Settings::default();
        choose(&mut settings);
        let auth = Auth::new(
            store.clone(),
            clock.clone(),
            Places::new(&settings),
            &settings,
        )
        .unwrap();
        Server {
            auth,
            store,
            rates: RateLimits::new(&settings),
            clock,
        }
    }

    /// One whose games are 40 days ahead of the machine's clock, which `hand` sets.
    fn ahead(hand: &Arc<AtomicU64>, choose: impl FnOnce(&mut Settings)) -> Server {
        let machine = Arc::clone(hand);
        let wall = Arc::new(move || Timestamp(machine.load(Ordering::SeqCst)));
        let games = Timestamp(hand.load(Ordering::SeqCst) + 40 * DAY_MS);
        Server::by(Clock::over(wall, Some(games)), choose)
    }

    async fn try_register(&self, username: &str) -> Result<(Account, Session), Problem> {
        self.invited(username, None, None).await
    }

    async fn invited(
        &self,
        username: &str,
        caller: Option<&Caller>,
        invite: Option<&str>,
    ) -> Result<(Account, Session), Problem> {
        let applicant = Applicant {
            username: username.into(),
            password: PASSWORD.into(),
            email: None,
            invite: invite.map(str::to_owned),
        };
        self.auth
            .register(&self.rates, HOME, caller, applicant)
            .await
    }

    /// A new account, signed in.
    async fn register(&self, username: &str) -> (Caller, String) {
        let (_, session) = self.try_register(username).await.unwrap();
        (
            self.auth.authenticate(&session.token).await.unwrap(),
            session.token,
        )
    }

    async fn sign_in(&self, name: &str, password: &str) -> Result<(Account, Session), Problem> {
        self.auth
            .sign_in(&self.rates, HOME, name, password.into())
            .await
    }

    async fn change(
        &self,
        caller: &Caller,
        change: ProfileChange,
        password: Option<(&str, &str)>,
    ) -> Result<Account, Problem> {
        let (current, new) = password.unzip();
        let password = Passwords {
            current: current.map(str::to_owned),
            new: new.map(str::to_owned),
        };
        self.auth
            .change_profile(&self.rates, HOME, caller, change, password)
            .await
    }

    async fn is_dead(&self, token: &str) -> bool {
        let result = self.auth.authenticate(token).await;
        result.is_err_and(|e| (e.status().as_u16(), e.code) == (401, "unauthorized"))
    }

    /// An administrator with a token of these scopes.
    async fn admin(&self, name: &str, scopes: &[Scope]) -> Caller {
        let (caller, _) = self.register(name).await;
        let change = ProfileChange {
            is_admin: Some(true),
            ..ProfileChange::default()
        };
        self.store
            .change_profile(caller.number(), change)
            .await
            .unwrap();
        self.auth.forget_person(caller.number());
        let token = self.add_token(&caller, Scopes::of(scopes), None).await;
        self.auth.authenticate(&token).await.unwrap()
    }

    async fn add_token(&self, of: &Caller, scopes: Scopes, end: Option<Timestamp>) -> String {
        let (text, new) = self
            .auth
            .new_token(of.number(), TokenKind::Personal, scopes);
        let expires_at = end;
        let new = NewToken { expires_at, ..new };
        self.store.add_token(new).await.unwrap();
        text
    }
}

fn code<T>(result: Result<T, Problem>) -> (u16, &'static str) {
    result
        .map(|_| ())
        .map_or_else(|e| (e.status().as_u16(), e.code), |()| (200, ""))
}
