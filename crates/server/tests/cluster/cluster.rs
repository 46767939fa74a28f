//! Nodes that share a database and a bus, with a load balancer in front.
//!
//! One test has the machine at a time: they kill what others would need.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use servers::{Haproxy, Nats, Postgres, Proxy};
use tempfile::TempDir;
use tokio::task::block_in_place;
use tokio::time::sleep;

use crate::has_bus;
use crate::node::Node;
use crate::way::{Way, Ways};

/// The longest a node may take until it is ready.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often it is asked.
const LOOK: Duration = Duration::from_millis(20);
/// How long the way of a far node is, each way.
const FAR: Duration = Duration::from_millis(40);
/// How much of each log is printed when a test fails.
const LOG_LINES: usize = 60;

/// How a cluster is built.
#[derive(Clone, Copy, Default)]
pub(crate) struct Plan {
    /// Whether each node has a way of its own to the store, which can be cut.
    pub(crate) has_ways: bool,
    /// A node that reaches store and bus by a long way.
    pub(crate) far_node: Option<usize>,
    /// Whether the nodes know of a replica.
    pub(crate) has_replica: bool,
}

/// The nodes, and all they need.
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<Node>,
    /// Each node's way to the store, if it has one of its own.
    pub(crate) store_ways: Vec<Proxy>,
    pub(crate) ways: Ways,
    postgres: &'static Postgres,
    bus: Option<&'static Mutex<Nats>>,
    is_store_stopped: bool,
    is_bus_killed: bool,
    far_ways: Vec<Proxy>,
    _balancer: Haproxy,
    _directory: TempDir,
    // The last to go: then it is the next test's turn.
    _turn: tokio::sync::MutexGuard<'static, ()>,
}

static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

fn shared_postgres() -> Option<&'static Postgres> {
    static POSTGRES: OnceLock<Option<Postgres>> = OnceLock::new();
    POSTGRES.get_or_init(Postgres::start_own).as_ref()
}

fn shared_nats() -> Option<&'static Mutex<Nats>> {
    static NATS: OnceLock<Option<Mutex<Nats>>> = OnceLock::new();
    let nats = NATS.get_or_init(|| servers::nats().map(Mutex::new));
    nats.as_ref()
}

impl Cluster {
    /// Starts so many nodes on a new database; `None` if something is missing on
    /// this machine that may not be installed.
    pub(crate) async fn start(count: usize, plan: Plan) -> Option<Cluster> {
        let turn = TURN.lock().await;
        let postgres = block_in_place(shared_postgres)?;
        let bus = match has_bus() {
            false => None,
            true => Some(block_in_place(shared_nats)?),
        };
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mut far_ways: Vec<Proxy> = Vec::new();
        let (mut store_ways, mut nodes) = (Vec::new(), Vec::new());
        block_in_place(|| {
            let database = postgres.database();
            for number in 1..=count {
                let mut settings = vec![("ARBITER_STORE", database.clone())];
                if let Some(bus) = bus {
                    settings.push(("ARBITER_BUS", lock(bus).url().to_owned()));
                    settings.push(("ARBITER_NODE_NAME", format!("node{number}")));
                }
                if plan.has_replica {
                    settings.push(("ARBITER_REPLICA", postgres.replica_url(&database)));
                }
                if plan.has_ways {
                    store_ways.extend(lead(&mut settings, "ARBITER_STORE"));
                }
                if plan.far_node == Some(number - 1) {
                    far_ways.extend(lead(&mut settings, "ARBITER_STORE"));
                    far_ways.extend(lead(&mut settings, "ARBITER_BUS"));
                }
                let place = directory.path().join(format!("node{number}"));
                nodes.push(Node::new(&place, settings));
            }
        });
        for way in &far_ways {
            way.delay(FAR);
        }
        let addresses: Vec<_> = nodes.iter().map(|node| node.address).collect();
        let balancer = block_in_place(|| Haproxy::start(&addresses))?;
        let urls: Vec<String> = nodes.iter().map(Node::url).collect();
        let mut cluster = Cluster {
            nodes,
            store_ways,
            far_ways,
            ways: Ways::new(urls, balancer.url()),
            postgres,
            bus,
            is_store_stopped: false,
            is_bus_killed: false,
            _balancer: balancer,
            _directory: directory,
            _turn: turn,
        };
        for number in 0..count {
            cluster.start_node(number).await;
        }
        cluster.ready(&cluster.ways.balanced()).await;
        Some(cluster)
    }

    /// Starts a node and waits until it says that it is ready.
    pub(crate) async fn start_node(&mut self, number: usize) {
        self.nodes[number].start();
        self.ready(&self.ways.only(number)).await;
    }

    /// Waits until whoever is there says that it is ready.
    pub(crate) async fn ready(&self, way: &Way) {
        let begun = Instant::now();
        while way.try_once(None, "/ready").await != Some(200) {
            assert!(begun.elapsed() < PATIENCE, "a node is never ready");
            sleep(LOOK).await;
        }
    }

    /// Brings a far node near, so that looking at everything in the end takes no time.
    pub(crate) fn come_near(&self) {
        for way in &self.far_ways {
            way.delay(Duration::ZERO);
        }
    }

    pub(crate) fn stop_store(&mut self) {
        self.is_store_stopped = true;
        block_in_place(|| self.postgres.stop_immediately());
    }

    pub(crate) fn start_store(&mut self) {
        block_in_place(|| self.postgres.start());
        self.is_store_stopped = false;
    }

    pub(crate) fn kill_bus(&mut self) {
        self.is_bus_killed = true;
        let bus = self.bus.expect("there are several nodes");
        block_in_place(|| lock(bus).kill());
    }

    pub(crate) fn start_bus(&mut self) {
        let bus = self.bus.expect("there are several nodes");
        block_in_place(|| lock(bus).start());
        self.is_bus_killed = false;
    }

    /// What must not be in any log.
    pub(crate) fn check_logs(&self) {
        for node in &self.nodes {
            let told = node.told();
            assert!(!told.contains("panicked"), "{told}");
        }
    }
}

fn lock(bus: &Mutex<Nats>) -> MutexGuard<'_, Nats> {
    bus.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a way of its own to what a setting names.
fn lead(settings: &mut [(&'static str, String)], name: &str) -> Option<Proxy> {
    let (_, url) = settings.iter_mut().find(|(known, _)| *known == name)?;
    let (proxy, through) = Proxy::to_url(url);
    *url = through;
    Some(proxy)
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if std::thread::panicking() {
            for (number, node) in (1..).zip(&self.nodes) {
                let told = node.told();
                let lines: Vec<&str> = told.lines().collect();
                let last = &lines[lines.len().saturating_sub(LOG_LINES)..];
                eprintln!("--- node {number}\n{}", last.join("\n"));
            }
        }
        // The next test finds what it needs.
        if self.is_store_stopped {
            self.start_store();
        }
        if self.is_bus_killed {
            self.start_bus();
        }
    }
}
