//! Guests who become somebody: by registering, or because an account takes them over.

use chess::table::PlayerId;
use store::{Account, AccountKind, Adopting, Adoption, Becoming, GuestRegistration};

use super::accounts::{carried_through, username_taken};
use super::bars::barred;
use super::{Auth, Caller, Scopes, secrets};
use crate::problem::{Kind, Problem};

impl Auth {
    /// A guest becomes an account.
    pub(super) async fn register_guest(
        &self,
        guest: PlayerId,
        new: GuestRegistration,
    ) -> Result<Account, Problem> {
        let auth = self.clone();
        let became = carried_through(async move {
            let became = auth.0.store.register_guest(guest, new).await;
            auth.forget_person(guest);
            match became {
                // Somebody was quicker by the blink of an eye.
                Err(store::Error::Conflict) => Ok(Becoming::NameTaken),
                became => became,
            }
        });
        match became.await? {
            Becoming::Became(account) => Ok(account),
            Becoming::NameTaken => Err(username_taken()),
            Becoming::NotAGuest => {
                let detail = "this guest is somebody by now: sign in";
                Err(Problem::new(Kind::Conflict, "not_allowed", detail))
            }
        }
    }

    /// The caller takes over the guest who bears that token, which is dead then. Tells who
    /// it was. Once more is the same once more.
    ///
    /// # Errors
    /// `missing_scope`; `not_allowed` for a guest; `bad_guest_token`; `own_game` if the
    /// two have played with each other, or do.
    pub(crate) async fn adopt(&self, caller: &Caller, token: &str) -> Result<PlayerId, Problem> {
        caller.require_all(Scopes::SESSION)?;
        if caller.person.kind == AccountKind::Guest {
            let detail = "a guest takes nobody over: register, or sign in";
            return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
        }
        let hash = secrets::hash(token);
        let Some(held) = self.0.store.token_by_hash(&hash).await? else {
            let alias = self.0.store.alias_by_token(hash).await?;
            let own = alias.filter(|alias| alias.alias_of == Some(caller.number()));
            return own.map(|alias| alias.number).ok_or_else(bad_guest_token);
        };
        let is_over = held.expires_at.is_some_and(|end| end <= self.now());
        if is_over
            || Scopes::from_bits(held.scopes)
                .missing(Scopes::SESSION)
                .is_some()
        {
            return Err(bad_guest_token());
        }
        let guest = held.account;
        let account = self.0.store.account_by_number(guest).await?;
        if account.is_some_and(|account| account.barred_at.is_some()) {
            return Err(barred());
        }
        let adopting = Adopting {
            guest,
            by: caller.number(),
            token: hash,
        };
        match self.take_over(adopting).await? {
            Adoption::Adopted => Ok(guest),
            Adoption::NotAGuest => Err(bad_guest_token()),
            Adoption::OwnGame => {
                let detail = "you have played with this guest: nobody plays with themselves";
                Err(Problem::new(Kind::Conflict, "own_game", detail))
            }
        }
    }

    async fn take_over(&self, adopting: Adopting) -> Result<Adoption, Problem> {
        let auth = self.clone();
        let taken = carried_through(async move {
            let Adopting { guest, by, .. } = adopting;
            // Their hashes are needed even if nobody knows whether the write took place.
            let tokens = auth.0.store.tokens_of(guest).await?;
            let taken = auth.0.store.adopt_guest(adopting).await;
            if taken != Ok(Adoption::OwnGame) {
                auth.forget_person(guest);
                auth.forget_person(by);
                auth.end_tokens(guest, tokens.iter().map(|token| &token.hash));
            }
            taken
        });
        taken.await
    }
}

fn bad_guest_token() -> Problem {
    let detail = "guest_token: this is no token of a guest";
    Problem::new(Kind::Impossible, "bad_guest_token", detail).with("field", "guest_token")
}
