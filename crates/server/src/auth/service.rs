//! Who bears a token, and who somebody is: asked of the store once, then
//! remembered.
//!
//! What is remembered is dropped the moment it changes. Whoever changes an account
//! or revokes a token in the store without asking here says so with
//! [`Auth::forget_person`] and [`Auth::forget_tokens`]; what is done at another
//! node of a shared store is heard of within a second (`heard`).

use std::collections::HashMap;
use std::sync::Arc;

use chess::Timestamp;
use chess::table::PlayerId;
use store::{Account, IdMap, Store, TokenKind};

use super::bars::barred;
use super::cache::Cache;
use super::heard::LastHeard;
use super::jwt::{self, Jwt};
use super::passwords::Passwords;
use super::{Caller, Person, Scope, Scopes, names, secrets};
use crate::clock::Clock;
use crate::limits::places::Places;
use crate::problem::Problem;
use crate::settings::{Member, Registration, Secret, Settings};

/// How many tokens are remembered, in some 100 bytes each.
const TOKENS_MAX: usize = 500_000;
/// How many people are remembered, in some 200 bytes each.
const PEOPLE_MAX: usize = 500_000;
/// No token is longer than that.
const BEARER_MAX: usize = 8 * 1024;

/// Knows who people are; cheap to clone.
#[derive(Clone)]
pub struct Auth(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) passwords: Passwords,
    pub(super) registration: Registration,
    pub(super) invite_code: Option<Secret>,
    pub(super) session_ms: u64,
    members: Vec<Member>,
    jwt: Option<Jwt>,
    pub(super) tokens: Cache<[u8; 32], Known>,
    pub(super) people: Cache<PlayerId, Arc<Person>>,
    /// The streams to close when a token dies.
    pub(super) places: Places,
    pub(super) last_heard: LastHeard,
}

/// What is remembered of a token.
#[derive(Clone, Copy)]
pub(super) struct Known {
    account: PlayerId,
    scopes: Scopes,
    is_session: bool,
    expires_at: Option<Timestamp>,
}

impl Auth {
    /// Ready to recognise people.
    ///
    /// # Errors
    /// A sentence naming the setting that is wrong.
    pub fn new(
        store: Store,
        clock: Clock,
        places: Places,
        settings: &Settings,
    ) -> Result<Auth, String> {
        Ok(Auth(Arc::new(Inner {
            store,
            last_heard: LastHeard::at(clock.now()),
            clock,
            passwords: Passwords::new()?,
            registration: settings.registration,
            invite_code: settings.invite_code.clone(),
            members: settings.members.clone(),
            session_ms: u64::from(settings.session_days) * 86_400_000,
            jwt: Jwt::new(settings)?,
            tokens: Cache::new(TOKENS_MAX),
            people: Cache::new(PEOPLE_MAX),
            places,
        })))
    }

    /// Reads the keys of outside tokens again. What an old key had vouched for
    /// is checked anew.
    pub fn reload_keys(&self) {
        let Some(jwt) = &self.0.jwt else {
            return;
        };
        match jwt.reload() {
            Ok(()) => {
                self.0.tokens.clear();
                tracing::info!("the keys of outside tokens were read again");
            }
            Err(why) => tracing::error!(why, "the keys of outside tokens stay as they were"),
        }
    }

    /// Lets nobody wait for their password any more: the server stops.
    pub fn stop(&self) {
        self.0.passwords.stop();
    }

    /// Who bears the token, and what they may do with it.
    ///
    /// # Errors
    /// `unauthorized` if it is not a good one.
    pub async fn authenticate(&self, bearer: &str) -> Result<Caller, Problem> {
        let refused = || Problem::unauthorized("the token is not one that this server accepts");
        if bearer.len() > BEARER_MAX {
            return Err(refused());
        }
        let hash = secrets::hash(bearer);
        let known = match self.0.tokens.get(&hash) {
            Ok(known) => known,
            Err(miss) => {
                let known = self.look_up(bearer, &hash).await?.ok_or_else(refused)?;
                miss.keep(known);
                known
            }
        };
        if known.expires_at.is_some_and(|end| end <= self.now()) {
            self.0.tokens.forget(&hash);
            return Err(Problem::unauthorized("the token has expired"));
        }
        // Whoever has become somebody else does not act as them by an old token.
        let person = self.one(known.account).await?;
        let person = person.filter(|person| !person.deleted && person.alias_of.is_none());
        let person = person.ok_or_else(refused)?;
        if person.is_barred {
            return Err(barred());
        }
        let scopes = if person.is_admin {
            known.scopes
        } else {
            known.scopes.without(Scope::Admin)
        };
        if scopes.is_empty() {
            return Err(refused());
        }
        Ok(Caller {
            person,
            scopes,
            token: (!jwt::is_jwt(bearer)).then_some(hash),
            is_session: known.is_session,
            expires_at: known.expires_at,
        })
    }

    async fn look_up(&self, bearer: &str, hash: &[u8; 32]) -> Result<Option<Known>, Problem> {
        if secrets::is_token(bearer) {
            let token = self.0.store.token_by_hash(hash).await?;
            let token = token.filter(|token| secrets::are_equal(&token.hash, hash));
            return Ok(token.map(|token| Known {
                account: token.account,
                scopes: Scopes::from_bits(token.scopes),
                is_session: token.kind == TokenKind::Session,
                expires_at: token.expires_at,
            }));
        }
        match &self.0.jwt {
            Some(jwt) if jwt::is_jwt(bearer) => {
                if jwt.look_for_key(bearer) {
                    self.0.tokens.clear();
                }
                let vouched = jwt.verify(bearer, self.now())?;
                if self.0.store.is_identity_blocked(&vouched.identity).await? {
                    return Err(barred());
                }
                let expires_at = Some(vouched.expires_at);
                let name = vouched.preferred_name.as_deref();
                let account = self.outside_account(vouched.identity, name).await?;
                Ok(Some(Known {
                    account: account.number,
                    scopes: Scopes::SESSION,
                    is_session: true,
                    expires_at,
                }))
            }
            _ => Ok(None),
        }
    }

    /// Whether a caller's token would still be accepted, for all that it
    /// allowed them.
    ///
    /// # Errors
    /// Why the store cannot say.
    pub async fn is_still_good(&self, caller: &Caller) -> Result<bool, store::Error> {
        if caller.expires_at.is_some_and(|end| end <= self.now()) {
            return Ok(false);
        }
        let person = self.one(caller.number()).await?;
        let is_there = |person: &Arc<Person>| {
            !person.deleted && !person.is_barred && person.alias_of.is_none()
        };
        let Some(person) = person.filter(is_there) else {
            return Ok(false);
        };
        if caller.scopes.contains(Scope::Admin) && !person.is_admin {
            return Ok(false);
        }
        match &caller.token {
            Some(hash) if !self.0.tokens.has(hash) => {
                Ok(self.0.store.token_by_hash(hash).await?.is_some())
            }
            _ => Ok(true),
        }
    }

    /// Someone by number: who they have become, if they were a guest.
    ///
    /// # Errors
    /// Why the store cannot say.
    pub async fn person(&self, number: PlayerId) -> Result<Option<Arc<Person>>, store::Error> {
        let found = self.one(number).await?;
        match found.as_ref().and_then(|person| person.alias_of) {
            Some(owner) => self.one(owner).await,
            None => Ok(found),
        }
    }

    /// The account of that number itself.
    async fn one(&self, number: PlayerId) -> Result<Option<Arc<Person>>, store::Error> {
        let miss = match self.0.people.get(&number) {
            Ok(person) => return Ok(Some(person)),
            Err(miss) => miss,
        };
        let account = self.0.store.account_by_number(number).await?;
        Ok(account.map(|account| {
            let person = Arc::new(self.person_of(account));
            miss.keep(Arc::clone(&person));
            person
        }))
    }

    /// Several at once, guests as those whom they have become; those who do not exist are
    /// left out.
    ///
    /// # Errors
    /// Why the store cannot say.
    pub async fn people(
        &self,
        numbers: &[PlayerId],
    ) -> Result<IdMap<PlayerId, Arc<Person>>, store::Error> {
        let mut people = self.several(numbers).await?;
        let owners: Vec<PlayerId> = people.values().filter_map(|one| one.alias_of).collect();
        if owners.is_empty() {
            return Ok(people);
        }
        let owners = self.several(&owners).await?;
        for person in people.values_mut() {
            let owner = person.alias_of.and_then(|owner| owners.get(&owner));
            if let Some(owner) = owner {
                *person = Arc::clone(owner);
            }
        }
        Ok(people)
    }

    /// The accounts of these numbers themselves.
    async fn several(
        &self,
        numbers: &[PlayerId],
    ) -> Result<IdMap<PlayerId, Arc<Person>>, store::Error> {
        let mut people = IdMap::default();
        let mut misses = IdMap::default();
        for number in numbers {
            match self.0.people.get(number) {
                Ok(person) => drop(people.insert(*number, person)),
                Err(miss) => drop(misses.insert(*number, miss)),
            }
        }
        if misses.is_empty() {
            return Ok(people);
        }
        let missing: Vec<_> = misses.keys().copied().collect();
        for account in self.0.store.accounts_by_numbers(&missing).await? {
            let person = Arc::new(self.person_of(account));
            if let Some(miss) = misses.remove(&person.number) {
                miss.keep(Arc::clone(&person));
            }
            people.insert(person.number, person);
        }
        Ok(people)
    }

    /// Someone by name, in whatever case.
    ///
    /// # Errors
    /// Why the store cannot say.
    pub async fn person_by_name(&self, name: &str) -> Result<Option<Arc<Person>>, store::Error> {
        if name.len() > names::NAME_MAX {
            return Ok(None);
        }
        let account = self
            .0
            .store
            .account_by_id(&name.to_ascii_lowercase())
            .await?;
        Ok(account.map(|account| Arc::new(self.person_of(account))))
    }

    /// Someone by UUID.
    ///
    /// # Errors
    /// Why the store cannot say.
    pub async fn person_by_uuid(
        &self,
        uuid: [u8; 16],
    ) -> Result<Option<Arc<Person>>, store::Error> {
        let account = self.0.store.account_by_uuid(uuid).await?;
        Ok(account.map(|account| Arc::new(self.person_of(account))))
    }

    /// Several by name, in whatever case, with one question: by their ids.
    /// Those who do not exist are left out.
    ///
    /// # Errors
    /// Why the store cannot say.
    pub async fn people_by_names(
        &self,
        names: &[String],
    ) -> Result<HashMap<String, Arc<Person>>, store::Error> {
        let possible = names.iter().filter(|name| name.len() <= names::NAME_MAX);
        let ids = possible.map(|name| name.to_ascii_lowercase()).collect();
        let accounts = self.0.store.accounts_by_ids(ids).await?;
        let accounts = accounts.into_iter().map(|account| {
            let person = Arc::new(self.person_of(account));
            (person.id.clone(), person)
        });
        let mut people: HashMap<String, Arc<Person>> = accounts.collect();
        // A name that somebody had leads to them.
        for person in people.values_mut() {
            if person.alias_of.is_some()
                && let Some(owner) = self.person(person.number).await?
            {
                *person = owner;
            }
        }
        Ok(people)
    }

    fn person_of(&self, account: Account) -> Person {
        Person::from(account).among(&self.0.members)
    }

    /// Forgets who somebody is: what they are now is in the store.
    pub fn forget_person(&self, number: PlayerId) {
        self.0.people.forget(&number);
        self.0.places.look_again(number);
    }

    /// Tokens of an account have ended: nobody goes on with them, nor with a
    /// stream that they opened.
    pub(super) fn end_tokens<'a>(
        &self,
        account: PlayerId,
        hashes: impl IntoIterator<Item = &'a [u8; 32]>,
    ) {
        self.forget_tokens(hashes);
        self.0.places.look_again(account);
    }

    /// Forgets tokens that were revoked in the store.
    pub fn forget_tokens<'a>(&self, hashes: impl IntoIterator<Item = &'a [u8; 32]>) {
        for hash in hashes {
            if let Some(known) = self.0.tokens.forget(hash) {
                self.0.places.look_again(known.account);
            }
        }
    }

    /// The machine's time: what it means outside of the games, tokens mean.
    pub(crate) fn now(&self) -> Timestamp {
        self.0.clock.wall()
    }
}
