//! A NATS server that can be killed.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::script::Script;

/// A running NATS server, which ends when this is dropped, or with the process.
pub struct Nats {
    script: Script,
    url: String,
}

/// Where a NATS server is that all tests of this process share; `None` as for [`nats`].
///
/// # Panics
/// If the server does not start.
pub fn shared_nats() -> Option<String> {
    static SERVER: OnceLock<Option<Mutex<Nats>>> = OnceLock::new();
    let server = SERVER.get_or_init(|| nats().map(Mutex::new)).as_ref()?;
    let server = server.lock().unwrap_or_else(PoisonError::into_inner);
    Some(server.url.clone())
}

/// A new NATS server; `None` if there is none on this machine and none may be
/// installed, which only `CI=true` forbids.
///
/// # Panics
/// If the server does not start.
pub fn nats() -> Option<Nats> {
    nats_with(&[])
}

/// The same, with options of `nats-server`.
///
/// # Panics
/// If the server does not start.
pub fn nats_with(options: &[&str]) -> Option<Nats> {
    let (script, url) = Script::start("nats", options)?;
    Some(Nats { script, url })
}

impl Nats {
    /// Where it is, the same for as long as it lives.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The process that started it: for whoever wants to know what it uses.
    pub fn pid(&self) -> u32 {
        self.script.pid()
    }

    /// Ends it as a power cut would: when this returns it is gone.
    ///
    /// # Panics
    /// If the script has ended.
    pub fn kill(&mut self) {
        assert_eq!(self.script.tell("kill"), "done", "the server is killed");
    }

    /// Starts it again, at the same URL: when this returns it listens.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(&mut self) {
        assert_eq!(self.script.tell("start"), "done", "the server starts");
    }
}
