//! Passwords: which are good enough, and how they are kept.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{self, PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::task::spawn_blocking;

use crate::limits::queue::{Queue, Turn, spare_processors};
use crate::lock::lock;
use crate::problem::{Kind, Problem};

const LENGTH_MIN: usize = 8;
const LENGTH_MAX: usize = 256;
const COMMON: &str = include_str!("common_passwords.txt");

/// What OWASP asks for: 19 MiB, twice over, one lane.
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);
/// So many may wait for that, a few seconds' worth.
const WAITING_MAX: usize = 1_000;
/// So many of them from one address, so that nobody fills all the places.
const ADDRESS_WAITING_MAX: usize = 40;

/// Checks a password that somebody chose.
///
/// # Errors
/// `weak_password`, with the rule it breaks.
pub fn check(password: &str, name: &str) -> Result<(), Problem> {
    match broken_rule(password, name) {
        Some(rule) => {
            Err(Problem::new(Kind::Impossible, "weak_password", rule).with("field", "password"))
        }
        None => Ok(()),
    }
}

fn broken_rule(password: &str, name: &str) -> Option<&'static str> {
    let length = password.chars().count();
    if length < LENGTH_MIN {
        return Some("a password has at least 8 characters");
    }
    if length > LENGTH_MAX {
        return Some("a password has at most 256 characters");
    }
    let lowered = password.to_lowercase();
    if lowered == name.to_lowercase() {
        return Some("a password must differ from the name");
    }
    let is_common = COMMON.lines().any(|common| common == lowered);
    is_common.then_some("this is one of the passwords that are tried first")
}

/// `unauthorized`: the name or the password is wrong, and nobody learns which.
pub fn bad_credentials() -> Problem {
    let detail = "the name or the password is wrong";
    Problem::new(Kind::Unidentified, "bad_credentials", detail)
}

/// Hashes a password on this thread, in some 20 ms: for the command line.
/// A server uses [`Passwords::hash`].
///
/// # Errors
/// If the machine has no memory or randomness to give.
pub fn hash(password: &str) -> Result<String, password_hash::Error> {
    let hash: PasswordHash = argon2().hash_password(password.as_bytes())?;
    Ok(hash.to_string())
}

fn argon2() -> Argon2<'static> {
    let (memory, passes, lanes) = COST;
    let params = Params::new(memory, passes, lanes, None).expect("the cost is within bounds");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Hashes and verifies passwords, a few at a time.
pub struct Passwords {
    queue: Queue,
    waiting: Mutex<HashMap<IpAddr, usize>>,
    /// What is verified when there is nothing to verify, for the time it takes.
    nobodys: String,
}

/// The right to work on one password now. It goes along with the work, which
/// goes on even if nobody waits for it any more.
pub struct Slot {
    _turn: Turn,
}

impl Passwords {
    /// Ready to work.
    ///
    /// # Errors
    /// A sentence, if passwords cannot be hashed on this machine.
    pub fn new() -> Result<Passwords, String> {
        let nobodys = hash("nobody's password").map_err(|e| format!("passwords: {e}"))?;
        Ok(Passwords {
            queue: Queue::new(spare_processors(), WAITING_MAX),
            waiting: Mutex::default(),
            nobodys,
        })
    }

    /// Waits for a turn, among those of an address if that is limited.
    ///
    /// # Errors
    /// `rate_limited` if too many of the address wait already; `unavailable` if too many do in all,
    /// or the server stops.
    pub async fn slot(&self, from: Option<IpAddr>) -> Result<Slot, Problem> {
        let _waiting = match from {
            Some(from) => Some(self.waits(from).ok_or_else(|| Problem::rate_limited(1))?),
            None => None,
        };
        self.queue.turn().await.map(|_turn| Slot { _turn })
    }

    fn waits(&self, from: IpAddr) -> Option<Waiting<'_>> {
        let mut waiting = lock(&self.waiting);
        let count = waiting.entry(from).or_default();
        if *count >= ADDRESS_WAITING_MAX {
            return None;
        }
        *count += 1;
        Some(Waiting {
            passwords: self,
            from,
        })
    }

    /// Takes nobody's turn from now on: who waits for one is refused, for all of
    /// them together may wait for seconds.
    pub fn stop(&self) {
        self.queue.close();
    }

    /// Hashes a password, as it is to be stored.
    ///
    /// # Errors
    /// As [`slot`](Passwords::slot), and `unavailable` if the machine is out of memory.
    pub async fn hash(&self, password: String, from: Option<IpAddr>) -> Result<String, Problem> {
        let slot = self.slot(from).await?;
        let hashed = spawn_blocking(move || {
            let _slot = slot;
            hash(&password)
        });
        match hashed.await {
            Ok(Ok(hash)) => Ok(hash),
            Ok(Err(error)) => Err(failed(&error)),
            Err(error) => Err(failed(&error)),
        }
    }

    /// Whether it is the password. Takes as long if there is none to compare
    /// with. Gives the turn back, so that the next one can be made to wait for
    /// what follows.
    ///
    /// # Errors
    /// `unavailable` if the machine is out of memory or the hash is damaged.
    pub async fn verify(
        &self,
        slot: Slot,
        password: String,
        stored: Option<String>,
    ) -> Result<(bool, Slot), Problem> {
        let is_somebodys = stored.is_some();
        let hash = stored.unwrap_or_else(|| self.nobodys.clone());
        let verified = spawn_blocking(move || {
            (
                argon2().verify_password(password.as_bytes(), hash.as_str()),
                slot,
            )
        });
        match verified.await {
            Ok((Ok(()), slot)) => Ok((is_somebodys, slot)),
            Ok((Err(password_hash::Error::PasswordInvalid), slot)) => Ok((false, slot)),
            Ok((Err(error), _)) => Err(failed(&error)),
            Err(error) => Err(failed(&error)),
        }
    }
}

/// Counts itself among those of its address who wait, for as long as it lives.
struct Waiting<'a> {
    passwords: &'a Passwords,
    from: IpAddr,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut waiting = lock(&self.passwords.waiting);
        if let Some(count) = waiting.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.from);
            }
        }
    }
}

fn failed(error: &dyn std::error::Error) -> Problem {
    tracing::error!(%error, "a password could not be worked on");
    Problem::unavailable()
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_weak_password_is_refused() {
        for good in [
            "correct horse",
            "é9éé9éé9",
            "T7x!kq2#",
            &"x".repeat(255),
            "Ann-Ann-1",
        ] {
            assert!(check(good, "Ann-Ann").is_ok(), "{good}");
        }
        let long = "x".repeat(257);
        for bad in [
            "",
            "short",
            "é9éé9éé",
            &long,
            "ANN-annie",
            "password",
            "PassWord1",
            "12345678",
        ] {
            let error = check(bad, "Ann-Annie").unwrap_err();
            assert_eq!(
                (error.status().as_u16(), error.code),
                (422, "weak_password"),
                "{bad}"
            );
        }
    }

    #[test]
    fn the_common_ones_are_in_a_form_that_is_found() {
        for common in COMMON.lines() {
            assert!(
                common.len() >= LENGTH_MIN && common == common.to_lowercase(),
                "{common}"
            );
        }
        assert!(
            COMMON.lines().is_sorted(),
            "sorted, so that a double is seen"
        );
    }

    #[tokio::test]
    async fn a_password_is_known_by_its_hash_and_by_nothing_else() {
        let passwords = Passwords::new().unwrap();
        let hash = passwords.hash("correct horse".into(), None).await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        let verify = async |password: &str, stored: Option<&String>| {
            let slot = passwords.slot(None).await.unwrap();
            passwords
                .verify(slot, password.into(), stored.cloned())
                .await
                .unwrap()
                .0
        };
        assert!(verify("correct horse", Some(&hash)).await);
        assert!(!verify("correct horsf", Some(&hash)).await);
        assert!(!verify("", Some(&hash)).await);
        assert!(!verify("correct horse", None).await);
        assert!(
            !verify("nobody's password", None).await,
            "even the right one of nobody"
        );
    }

    #[tokio::test]
    async fn an_address_has_so_many_places_to_wait() {
        let passwords = Passwords::new().unwrap();
        let [here, there] = [1, 2].map(|n| Some(IpAddr::from([192, 0, 2, n])));
        let mut at_work = Vec::new();
        for _ in 0..spare_processors() {
            at_work.push(passwords.slot(None).await.unwrap());
        }
        let mut waiting: Vec<_> = (0..ADDRESS_WAITING_MAX)
            .map(|_| Box::pin(passwords.slot(here)))
            .collect();
        for turn in &mut waiting {
            assert!(turn.as_mut().now_or_never().is_none());
        }
        let refused = passwords.slot(here).await.err();
        assert_eq!(refused.map(|e| e.status().as_u16()), Some(429));
        assert!(passwords.slot(there).now_or_never().is_none(), "may wait");
        drop(waiting);
        assert!(lock(&passwords.waiting).is_empty());
    }
}
