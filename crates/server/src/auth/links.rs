//! Linking a local account with somebody whom another server vouches for: its owner asks
//! for a code, and whoever sends it from there is the owner.
//!
//! A code is signed and kept nowhere. It is good for a while, and once: it holds for the
//! next change of the account's links, whose number is signed with it, and the store
//! makes that change only if none came before it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chess::table::PlayerId;
use chess::{Millis, Timestamp};
use hmac::{Hmac, KeyInit, Mac};
use rand::RngExt;
use sha2::Sha256;
use store::{AccountKind, OutsideIdentity};

use super::{Auth, Caller, Scopes};
use crate::limits::rates::{Rate, RateLimits};
use crate::problem::{Kind, Problem};

/// How long a code is good for.
const GOOD: Millis = Millis::from_secs(600);
/// Under which name the key is kept.
const KEY: &str = "identity links";
/// So many bytes of the signature are part of a code.
const SIGNATURE: usize = 12;

impl Auth {
    /// A code by which the caller's account is linked, and how long it is good for.
    ///
    /// # Errors
    /// `missing_scope`; `not_for_guests`: only a registered account is linked;
    /// `rate_limited`.
    pub(crate) async fn link_code(
        &self,
        rates: &RateLimits,
        caller: &Caller,
    ) -> Result<(String, Timestamp), Problem> {
        caller.require_all(Scopes::SESSION)?;
        rates.check(Rate::Command, caller.number())?;
        if caller.person.kind != AccountKind::Registered {
            let detail = "only a registered account can be linked";
            return Err(Problem::new(Kind::Forbidden, "not_for_guests", detail));
        }
        let until = Timestamp((self.now() + GOOD).0 / 1000 * 1000);
        let mut code = caller.number().number().to_be_bytes().to_vec();
        code.extend((until.0 / 1000).to_be_bytes());
        let count = self.0.store.link_count(caller.number()).await?;
        code.extend(self.signature(&code, count).await?);
        Ok((URL_SAFE_NO_PAD.encode(code), until))
    }

    /// Links the account that the code is of with whoever sent it.
    ///
    /// # Errors
    /// `bad_code`: it is none, not any more, or was used; `rate_limited`.
    pub(crate) async fn link(
        &self,
        rates: &RateLimits,
        sender: &Caller,
        code: &str,
        who: OutsideIdentity,
    ) -> Result<(), Problem> {
        rates.check(Rate::Command, sender.number())?;
        let bytes = URL_SAFE_NO_PAD.decode(code).map_err(|_| bad_code())?;
        let (head, signature) = bytes.split_at_checked(12).ok_or_else(bad_code)?;
        let (number, until) = head.split_at(4);
        let number: [u8; 4] = number.try_into().map_err(|_| bad_code())?;
        let until: [u8; 8] = until.try_into().map_err(|_| bad_code())?;
        let number = PlayerId::new(u32::from_be_bytes(number)).ok_or_else(bad_code)?;
        let until = u64::from_be_bytes(until).saturating_mul(1000);
        let count = self.0.store.link_count(number).await?;
        let expected = self.signature(head, count).await?;
        let is_ours = super::secrets::are_equal(&expected, signature);
        if !is_ours || self.now().0 >= until {
            return Err(bad_code());
        }
        match self.0.store.link_identity(number, Some(who), count).await? {
            true => {
                // Whoever is in a room as one of them may be somebody else now.
                self.forget_person(sender.number());
                self.forget_person(number);
                Ok(())
            }
            false => Err(bad_code()),
        }
    }

    /// Who an account is linked with, of that issuer.
    ///
    /// # Errors
    /// Why that is not known.
    pub(crate) async fn linked(
        &self,
        number: PlayerId,
        issuer: &str,
    ) -> Result<Option<String>, Problem> {
        let known = self.0.store.outside_identity(number).await?;
        let linked = known.filter(|who| who.issuer == issuer);
        Ok(linked.map(|who| who.subject))
    }

    /// Ends a link of the caller's account.
    ///
    /// # Errors
    /// `missing_scope`; `not_found`: there is no such link; `rate_limited`.
    pub(crate) async fn unlink(
        &self,
        rates: &RateLimits,
        caller: &Caller,
        who: &OutsideIdentity,
    ) -> Result<(), Problem> {
        caller.require_all(Scopes::SESSION)?;
        rates.check(Rate::Command, caller.number())?;
        // Counted first: whatever is linked meanwhile is not what is to end.
        let (store, number) = (&self.0.store, caller.number());
        let count = store.link_count(number).await?;
        let known = store.outside_identity(number).await?;
        let is_linked = known.as_ref() == Some(who);
        match is_linked && store.link_identity(number, None, count).await? {
            true => {
                self.forget_person(caller.number());
                Ok(())
            }
            false => Err(Problem::not_found("there is no such link")),
        }
    }

    /// Of a code that is good if the account's links were changed that often.
    async fn signature(&self, head: &[u8], count: u64) -> Result<Vec<u8>, Problem> {
        let new: [u8; 32] = rand::rng().random();
        let key = self.0.store.server_secret(KEY, new.to_vec()).await?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|_| Problem::unavailable())?;
        mac.update(head);
        mac.update(&count.to_be_bytes());
        let mut signature = mac.finalize().into_bytes().to_vec();
        signature.truncate(SIGNATURE);
        Ok(signature)
    }
}

fn bad_code() -> Problem {
    let detail = "the code is not one, not any more, or was used";
    Problem::new(Kind::Forbidden, "bad_code", detail)
}
