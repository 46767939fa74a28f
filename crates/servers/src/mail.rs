//! A mail server and a push service that say what came.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::script::Script;

/// Where they are.
#[derive(Clone, Debug)]
pub struct Mail {
    /// Of the mail server: `smtp://...`.
    pub smtp: String,
    /// Where to ask what came, and of the push service: see `scripts/mail.py`.
    pub url: String,
}

/// One that all tests of this process share; `None` if what it takes is not on this
/// machine and may not be installed, which only `CI=true` forbids.
///
/// # Panics
/// If it does not start.
pub fn mail() -> Option<Mail> {
    static SERVER: OnceLock<Option<Mutex<(Script, Mail)>>> = OnceLock::new();
    let server = SERVER.get_or_init(|| {
        let (script, said) = Script::start("mail", &[])?;
        let (smtp, url) = said.split_once(' ').expect("it says where both are");
        let mail = Mail {
            smtp: smtp.to_owned(),
            url: url.to_owned(),
        };
        Some(Mutex::new((script, mail)))
    });
    let server = server.as_ref()?.lock();
    Some(server.unwrap_or_else(PoisonError::into_inner).1.clone())
}
