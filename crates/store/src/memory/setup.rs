//! The first administrator of a server, in memory.

use super::people::People;
use crate::{Creation, Error, FirstAdmin, Installed};

impl People {
    pub(crate) fn setup_code(&mut self, new: u64, except: &str) -> Option<u64> {
        match self.has_admin(except) {
            true => self.setup_code = None,
            false => drop(self.setup_code.get_or_insert(new)),
        }
        self.setup_code
    }

    pub(crate) fn needs_setup(&self, except: &str) -> bool {
        self.setup_code.is_some() && !self.has_admin(except)
    }

    pub(crate) fn install(&mut self, first: FirstAdmin) -> Result<Installed, Error> {
        if self.has_admin(&first.except) {
            return Ok(Installed::Before);
        }
        if self.setup_code != Some(first.code) {
            return Ok(Installed::WrongCode);
        }
        match self.create(first.new)? {
            Creation::Created(account) => {
                self.setup_code = None;
                self.audit(first.audit);
                Ok(Installed::Made(Box::new(account)))
            }
            Creation::NameTaken | Creation::IdentityTaken => Ok(Installed::NameTaken),
        }
    }

    fn has_admin(&self, except: &str) -> bool {
        let mut accounts = self.accounts.values();
        accounts.any(|a| a.is_admin && a.deleted_at.is_none() && a.id != except)
    }
}
