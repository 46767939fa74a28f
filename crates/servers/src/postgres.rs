//! PostgreSQL.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::script::Script;

/// A PostgreSQL of one's own, which can be stopped as by a crash. It is gone with
/// this value, or with this process.
pub struct Postgres {
    script: Mutex<Script>,
}

/// The URL of a new, empty database of a server that this process shares; `None` if
/// there is no PostgreSQL on this machine and none may be installed, which only
/// `CI=true` forbids.
///
/// # Panics
/// If the server does not start.
pub fn postgres() -> Option<String> {
    static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
    let server = SERVER.get_or_init(Postgres::start_own).as_ref()?;
    Some(server.database())
}

impl Postgres {
    /// Starts a server of one's own; `None` as for [`postgres`].
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_own() -> Option<Postgres> {
        Postgres::start_with(&[])
    }

    /// The same, with settings of PostgreSQL (`fsync=on`) besides those of `scripts/postgres`,
    /// or in their place.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_with(settings: &[&str]) -> Option<Postgres> {
        let (script, _) = Script::start("postgres", settings)?;
        let script = Mutex::new(script);
        Some(Postgres { script })
    }

    /// The URL of a new, empty database.
    ///
    /// # Panics
    /// If the server is stopped.
    pub fn database(&self) -> String {
        self.ask("database")
    }

    /// Stops the server as a crash would: nobody is asked to finish.
    ///
    /// # Panics
    /// If the script is gone.
    pub fn stop_immediately(&self) {
        assert_eq!(self.ask("stop"), "stopped");
    }

    /// Starts it again where it was, and waits until it answers.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(&self) {
        assert_eq!(self.ask("start"), "started");
    }

    /// The URL of the same database on the streaming replica, which is made when it
    /// is first asked for, while the server runs.
    ///
    /// # Panics
    /// If the replica does not start.
    pub fn replica_url(&self, database: &str) -> String {
        let name = database.rsplit('/').next().expect("a URL has parts");
        format!("{}/{name}", self.ask("replica"))
    }

    /// The process that all of its processes were started by: for whoever wants to know
    /// what they use.
    pub fn pid(&self) -> u32 {
        let script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        script.pid()
    }

    fn ask(&self, line: &str) -> String {
        let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = script.tell(line);
        assert!(!answer.is_empty(), "PostgreSQL has ended");
        answer
    }
}
