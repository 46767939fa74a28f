//! Who plays in a match, as the command line names them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bots::Level;
use bots::engine::Limits;
use bots::matches::{Player, Pooled, Program};
use bots::pool::{Config, Pool, Wish};
use bots::uci::EngineConfig;

use super::remote::{Account, Called, Remote};

/// Without a clock nobody is stopped by time before that.
const PATIENCE: Duration = Duration::from_secs(3600);
/// What the tables of one player take in each game, in megabytes: half for an engine.
const MEGABYTES: u32 = 64;

/// One of the two.
pub(super) struct Who {
    /// In the records.
    pub(super) name: String,
    /// All that the strength depends on, as far as it was said. No token is in it.
    pub(super) as_given: String,
    kind: Kind,
}

enum Kind {
    /// The built-in engine, or a level with whatever engine plays for it.
    Pooled(Arc<Pool>, Wish),
    /// A UCI program, as it is.
    Program(EngineConfig, Limits),
    /// A bot at a server.
    Remote(Arc<Remote>),
}

/// The variable that has a bot's token, where the arguments of a program can be seen by others.
const TOKEN: &str = "ARBITER_TOKEN";

impl Who {
    /// Reads `NAME,OPTION=VALUE...`. Whoever has no limit of their own looks at `nodes`
    /// positions. Starts the threads, on the present runtime, and no process yet.
    ///
    /// # Errors
    /// Nobody is called that, or an option is wrong.
    pub(super) async fn read(text: &str, nodes: u64, workers: usize) -> Result<Who, String> {
        let mut parts = text.split(',');
        if text.starts_with("http://") || text.starts_with("https://") {
            return Who::remote(text).await;
        }
        let who = parts.next().unwrap_or_default();
        let mut limits = Limits::nodes(nodes);
        let (mut name, mut options, mut program) = (None, Vec::new(), None);
        let level = Level::from_name(who);
        for part in parts {
            let wrong = || format!("{text}: {part} is no option such as nodes=5000");
            let (option, value) = part.split_once('=').ok_or_else(wrong)?;
            match option {
                "name" if !value.is_empty() => name = Some(value.to_owned()),
                "engine" if level.is_some() => program = Some(found(value)?),
                "nodes" if level.is_none() => {
                    limits.nodes = value.parse().ok().filter(|n| *n > 0).ok_or_else(wrong)?;
                }
                "depth" if level.is_none() => {
                    let depth = value.parse().ok().filter(|n| (1..64).contains(n));
                    limits.depth = depth.ok_or_else(wrong)?;
                }
                _ if level.is_some() || who == "built-in" || option.is_empty() => {
                    return Err(wrong());
                }
                _ => options.push((option.to_owned(), value.to_owned())),
            }
        }
        let pooled = |wish, program: Option<PathBuf>| {
            let pool = Pool::start(Config {
                engines: program.map(EngineConfig::new).into_iter().collect(),
                workers,
                megabytes: MEGABYTES.saturating_mul(workers as u32),
                ..Config::default()
            });
            Kind::Pooled(Arc::new(pool), wish)
        };
        let kind = match level {
            Some(level) => pooled(Wish::Level(level), program),
            None if who == "built-in" => pooled(Wish::BuiltIn(limits), None),
            None => Kind::Program(
                EngineConfig {
                    options,
                    ..EngineConfig::new(found(who)?)
                },
                limits,
            ),
        };
        let own = match (level, nodes) {
            (Some(_), _) | (_, u64::MAX) => String::new(),
            _ if text.contains(",nodes=") || text.contains(",depth=") => String::new(),
            (None, nodes) => format!(",nodes={nodes}"),
        };
        let as_given = format!("{text}{own}");
        Ok(Who {
            name: name.unwrap_or_else(|| as_given.clone()),
            as_given,
            kind,
        })
    }

    /// Reads `URL,token-file=FILE`, `URL,token=TOKEN` or `URL,account=NAME`, and finds the bot.
    async fn remote(text: &str) -> Result<Who, String> {
        let mut parts = text.split(',');
        let url = parts.next().unwrap_or_default();
        let (mut account, mut name) = (None, None);
        for part in parts {
            let (option, value) = part.split_once('=').unwrap_or((part, ""));
            match option {
                "name" if !value.is_empty() => name = Some(value),
                "account" if !value.is_empty() => account = Some(Account::Name(value.into())),
                "token" if !value.is_empty() => account = Some(Account::Token(value.into())),
                "token-file" => {
                    let read = std::fs::read_to_string(value);
                    let token = read.map_err(|error| format!("{value}: {error}"))?;
                    account = Some(Account::Token(token.trim().into()));
                }
                // Not the whole of it: there may be a token.
                _ => {
                    return Err(format!(
                        "{url}: {option} is no option such as token-file=FILE"
                    ));
                }
            }
        }
        let own = || std::env::var(TOKEN).ok().map(Account::Token);
        let account = account.or_else(own).ok_or_else(|| {
            format!("{url}: whose bot? Say token-file=FILE, account=NAME, or set {TOKEN}")
        })?;
        let remote = Remote::find(url, account).await?;
        Ok(Who {
            name: name.map_or_else(|| remote.place(), str::to_owned),
            as_given: remote.place(),
            kind: Kind::Remote(Arc::new(remote)),
        })
    }

    /// Whether it plays at a server.
    pub(super) fn is_remote(&self) -> bool {
        matches!(self.kind, Kind::Remote(_))
    }

    /// As the match knows it.
    pub(super) fn player(&self) -> Arc<dyn Player> {
        let name = self.name.clone();
        match &self.kind {
            Kind::Pooled(pool, wish) => Arc::new(Pooled {
                name,
                pool: Arc::clone(pool),
                wish: *wish,
                time: PATIENCE,
            }),
            Kind::Program(config, limits) => {
                Arc::new(Program::new(name, config.clone(), *limits, MEGABYTES / 2))
            }
            Kind::Remote(remote) => Arc::new(Called(name, Arc::clone(remote))),
        }
    }

    /// Why the games say nothing about this player: a pool goes on with the built-in
    /// engine where an engine fails.
    pub(super) fn fault(&self) -> Option<String> {
        let Kind::Pooled(pool, _) = &self.kind else {
            return None;
        };
        let failed = pool.counts().faults > 0;
        failed.then(|| format!("{}: its engine hung, ended or answered rubbish", self.name))
    }

    /// Ends what was started for it.
    pub(super) async fn close(&self) {
        if let Kind::Pooled(pool, _) = &self.kind {
            pool.close().await;
        }
    }
}

/// A program by its path, or by its name where programs are.
fn found(name: &str) -> Result<PathBuf, String> {
    use std::os::unix::fs::PermissionsExt;
    let mut places: Vec<PathBuf> = match std::env::var_os("PATH") {
        Some(path) => std::env::split_paths(&path).collect(),
        None => Vec::new(),
    };
    // Debian has games in a directory of their own.
    places.push("/usr/games".into());
    if name.contains('/') {
        places = vec![PathBuf::new()];
    }
    let mut programs = places.into_iter().map(|place| place.join(name));
    let is_program = |path: &PathBuf| {
        let meta = path.metadata();
        meta.is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    programs.find(is_program).ok_or_else(|| {
        let levels = Level::ALL.map(Level::name).join(", ");
        format!("{name} is no program, and none of {levels}, built-in")
    })
}
