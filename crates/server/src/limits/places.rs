//! How many streams anyone may have open, and how they are closed when their
//! token dies.
//!
//! Each node counts its own: they bound what one process carries, and who has
//! streams at several nodes costs each of them no more than it allows.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chess::table::PlayerId;
use tokio::sync::watch;

use crate::limits::rates::whole;
use crate::problem::Problem;
use crate::settings::Settings;

/// The streams that are open, by account and by address.
#[derive(Clone)]
pub struct Places(Arc<Inner>);

struct Inner {
    per_account: usize,
    per_address: usize,
    is_limited: bool,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    accounts: HashMap<PlayerId, Account>,
    addresses: HashMap<IpAddr, usize>,
}

struct Account {
    streams: usize,
    /// Those of them that count for what an account may have.
    counted: usize,
    /// Changes whenever a token or a right of the account may have died.
    changed: watch::Sender<()>,
}

impl Places {
    /// As many as the operator chose.
    pub fn new(settings: &Settings) -> Places {
        Places(Arc::new(Inner {
            per_account: settings.sockets_per_account,
            per_address: settings.sockets_per_address,
            is_limited: settings.rate_limits,
            open: Mutex::default(),
        }))
    }

    /// Takes a place for one more stream.
    ///
    /// # Errors
    /// `too_many_streams`.
    pub fn take(
        &self,
        account: Option<PlayerId>,
        address: Option<IpAddr>,
    ) -> Result<Place, Problem> {
        self.take_one(account, address, true)
    }

    /// Takes a place for a stream that something else bounds for each account, as its games
    /// bound the streams of them: it counts for the address alone.
    ///
    /// # Errors
    /// `too_many_streams`.
    pub fn take_of_game(&self, account: PlayerId, address: IpAddr) -> Result<Place, Problem> {
        self.take_one(Some(account), Some(address), false)
    }

    fn take_one(
        &self,
        account: Option<PlayerId>,
        address: Option<IpAddr>,
        is_counted: bool,
    ) -> Result<Place, Problem> {
        let address = address.map(whole);
        let mut open = self.open();
        let by_account = account
            .and_then(|a| open.accounts.get(&a))
            .map_or(0, |a| a.counted);
        let by_address = address
            .and_then(|a| open.addresses.get(&a))
            .map_or(0, |n| *n);
        let whose = if is_counted && by_account >= self.0.per_account {
            Some(("account", self.0.per_account))
        } else if by_address >= self.0.per_address {
            Some(("address", self.0.per_address))
        } else {
            None
        };
        if let Some((whose, max)) = whose.filter(|_| self.0.is_limited) {
            return Err(Problem::too_many_streams(whose, max));
        }
        if let Some(address) = address {
            *open.addresses.entry(address).or_default() += 1;
        }
        let changes = account.map(|account| {
            let account = open.accounts.entry(account).or_insert_with(|| Account {
                streams: 0,
                counted: 0,
                changed: watch::Sender::new(()),
            });
            account.streams += 1;
            account.counted += usize::from(is_counted);
            account.changed.subscribe()
        });
        drop(open);
        Ok(Place {
            places: self.clone(),
            account,
            is_counted,
            address,
            changes,
        })
    }

    /// Whether a stream of that account is open here.
    pub fn has(&self, account: PlayerId) -> bool {
        self.open().accounts.contains_key(&account)
    }

    /// Everybody who has a stream open here, at most so many.
    pub fn everybody(&self, limit: usize) -> Vec<PlayerId> {
        let open = self.open();
        open.accounts.keys().copied().take(limit).collect()
    }

    /// Changes whenever something of an account that has a stream open may have.
    pub fn changes(&self, account: PlayerId) -> Option<watch::Receiver<()>> {
        let open = self.open();
        let account = open.accounts.get(&account);
        account.map(|account| account.changed.subscribe())
    }

    /// Something of the account may have died: its streams look again.
    pub fn look_again(&self, account: PlayerId) {
        if let Some(account) = self.open().accounts.get(&account) {
            account.changed.send_replace(());
        }
    }

    /// Something of anybody may have died: all streams look again.
    pub fn all_look_again(&self) {
        for account in self.open().accounts.values() {
            account.changed.send_replace(());
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to have one stream open; given back when dropped.
pub struct Place {
    places: Places,
    account: Option<PlayerId>,
    is_counted: bool,
    address: Option<IpAddr>,
    changes: Option<watch::Receiver<()>>,
}

impl Place {
    /// Waits until a token or a right of the account may have died.
    pub async fn changed(&mut self) {
        if let Some(changes) = &mut self.changes
            && changes.changed().await.is_ok()
        {
            return;
        }
        std::future::pending().await
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.places.open();
        if let Some(account) = self.account
            && let Some(entry) = open.accounts.get_mut(&account)
        {
            entry.streams -= 1;
            entry.counted -= usize::from(self.is_counted);
            if entry.streams == 0 {
                open.accounts.remove(&account);
            }
        }
        if let Some(address) = self.address
            && let Some(streams) = open.addresses.get_mut(&address)
        {
            *streams -= 1;
            if *streams == 0 {
                open.addresses.remove(&address);
            }
        }
    }
}
