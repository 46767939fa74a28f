//! One node: the real binary on a port that it keeps over restarts.

use std::fs::OpenOptions;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tokio::task::block_in_place;

use crate::process::{ARBITER, Server};

/// A node that may run.
pub(crate) struct Node {
    pub(crate) address: SocketAddr,
    directory: PathBuf,
    /// Its variables of the environment.
    settings: Vec<(&'static str, String)>,
    server: Option<Server>,
}

impl Node {
    /// A node that does not run yet, with a directory of its own.
    pub(crate) fn new(directory: &Path, settings: Vec<(&'static str, String)>) -> Node {
        std::fs::create_dir(directory).expect("a directory");
        let listener = servers::listen();
        Node {
            address: listener.local_addr().expect("an address"),
            directory: directory.to_owned(),
            settings,
            server: None,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Starts it. Blocks until it says where it is.
    pub(crate) fn start(&mut self) {
        let mut log = OpenOptions::new();
        let log = log.create(true).append(true).open(self.log());
        let mut command = Command::new(ARBITER);
        command
            .arg("serve")
            .current_dir(&self.directory)
            .env_clear()
            .env("ARBITER_LISTEN", self.address.to_string())
            .env("ARBITER_RATE_LIMITS", "off")
            .env("ARBITER_LOG", "info")
            .envs(self.settings.iter().cloned())
            .stdin(Stdio::null())
            .stderr(log.expect("a log"));
        let started = block_in_place(|| Server::start(&mut command));
        let server = started.unwrap_or_else(|| panic!("a node does not start: {}", self.told()));
        assert_eq!(server.url, self.url());
        self.server = Some(server);
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        let server = self.server.take().expect("the node runs");
        block_in_place(|| server.kill());
    }

    /// SIGTERM, and waits until it has ended, as it must.
    pub(crate) fn stop(&mut self) {
        let server = self.server.take().expect("the node runs");
        let status = block_in_place(|| server.stop());
        assert!(status.success(), "{status}: {}", self.told());
    }

    /// What it logged.
    pub(crate) fn told(&self) -> String {
        std::fs::read_to_string(self.log()).unwrap_or_default()
    }

    fn log(&self) -> PathBuf {
        self.directory.join("log")
    }
}
