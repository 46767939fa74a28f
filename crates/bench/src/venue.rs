//! Where the servers of a run are: on what they keep their games, and how many there are.

use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use servers::{Nats, Postgres};

use crate::process::{Place, Process, Shared, cpu};

/// A PostgreSQL whose figures count: what it has acknowledged is on the disk, and checkpoints,
/// after which whole pages are logged, are far apart. The rest is as it comes.
const POSTGRES: [&str; 5] = [
    "fsync=on",
    "synchronous_commit=on",
    "max_wal_size=8GB",
    "checkpoint_timeout=15min",
    "shared_buffers=1GB",
];

/// Where the games are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A file of the server's own, as by default
    Sqlite,
    /// A real PostgreSQL, started for the run, and with several nodes a real NATS
    Postgres,
}

/// What the servers are set up on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setup {
    pub(crate) store: Kind,
    pub(crate) nodes: usize,
}

impl Setup {
    /// One process and nothing else.
    pub(crate) const EMBEDDED: Setup = Setup {
        store: Kind::Sqlite,
        nodes: 1,
    };

    /// A database, and so many nodes.
    pub(crate) const fn shared(nodes: usize) -> Setup {
        let store = Kind::Postgres;
        Setup { store, nodes }
    }

    /// What figures measured on it are called by; nothing for the default.
    pub(crate) fn name(self) -> Option<String> {
        match (self.store, self.nodes) {
            (Kind::Sqlite, _) => None,
            (Kind::Postgres, 1) => Some("PostgreSQL, one node".into()),
            (Kind::Postgres, nodes) => Some(format!("PostgreSQL and NATS, {nodes} nodes")),
        }
    }

    pub(crate) fn is_shared(self) -> bool {
        self.store == Kind::Postgres
    }
}

/// A setup that is there, until this is dropped.
pub(crate) struct Venue {
    pub(crate) setup: Setup,
    pub(crate) place: Place,
    /// The database and the bus, if there are any.
    postgres: Option<Postgres>,
    nats: Option<Nats>,
    _directory: tempfile::TempDir,
}

impl Venue {
    /// Starts what the servers need, on nothing.
    pub(crate) fn open(setup: Setup, arbiter: &Path) -> Result<Venue, String> {
        if setup.nodes == 0 || setup.nodes > 1 && !setup.is_shared() {
            return Err("several nodes need `--store postgres`, and there is at least one".into());
        }
        let directory = tempfile::Builder::new()
            .prefix("arbiter-bench")
            .tempdir()
            .map_err(|error| format!("no place for a database: {error}"))?;
        let absolute = |path: &Path| std::path::absolute(path).map_err(|e| e.to_string());
        let mut venue = Venue {
            setup,
            place: Place {
                arbiter: absolute(arbiter)?,
                settings: Some(absolute("bench/arbiter.toml".as_ref())?),
                data: directory.path().to_owned(),
                shared: None,
            },
            postgres: None,
            nats: None,
            _directory: directory,
        };
        if setup.is_shared() {
            venue.share()?;
        }
        Ok(venue)
    }

    fn share(&mut self) -> Result<(), String> {
        let missing = |what| format!("there is no {what} here and none may be installed");
        let postgres = Postgres::start_with(&POSTGRES).ok_or_else(|| missing("PostgreSQL"))?;
        if self.setup.nodes > 1 {
            self.nats = Some(servers::nats().ok_or_else(|| missing("NATS"))?);
        }
        self.place.shared = Some(Shared {
            store: postgres.database(),
            bus: self.nats.as_ref().map(|nats| nats.url().to_owned()),
        });
        self.postgres = Some(postgres);
        Ok(())
    }

    /// Starts all of its nodes.
    pub(crate) fn start(&self) -> Result<Vec<Process>, String> {
        (0..self.setup.nodes).map(|_| self.place.start()).collect()
    }

    /// Processor time so far of the database and the bus; none if there is no database.
    pub(crate) fn backing_cpu(&self) -> Option<Duration> {
        let postgres = cpu(self.postgres.as_ref()?.pid()).ok()?;
        let nats = self.nats.as_ref().and_then(|nats| cpu(nats.pid()).ok());
        Some(postgres + nats.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_nodes_need_something_to_share() {
        let setup = Setup {
            nodes: 3,
            ..Setup::EMBEDDED
        };
        let why = Venue::open(setup, "arbiter".as_ref()).err();
        assert!(why.is_some_and(|why| why.contains("--store postgres")));
    }

    #[test]
    fn figures_say_what_they_were_measured_on() {
        assert_eq!(Setup::EMBEDDED.name(), None);
        assert_eq!(
            Setup::shared(1).name().as_deref(),
            Some("PostgreSQL, one node")
        );
        assert_eq!(
            Setup::shared(3).name().as_deref(),
            Some("PostgreSQL and NATS, 3 nodes")
        );
    }
}
