//! One running engine.

use std::process::Stdio;
use std::time::Duration;

use chess::rules::Variant;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout, timeout_at};

use super::lines::Lines;
use super::words::{self, Info};
use super::{EngineConfig, Fault, Time};
use crate::engine::{Limits, Score};
use crate::situation::Situation;
use crate::{Answer, By};

/// How long an engine may take to start: some load large networks.
pub(crate) const START: Duration = Duration::from_secs(10);

/// What an engine said it can do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ability {
    variants: Vec<String>,
    /// Names, and what is said of each: `spin default 16 min 1 max 1024`.
    options: Vec<(String, String)>,
}

impl Ability {
    fn learn(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix("option name ") else {
            return;
        };
        let Some((name, kind)) = rest.split_once(" type ") else {
            return;
        };
        // Nobody has that many options.
        if self.options.len() < 1000 {
            self.options.push((name.to_owned(), kind.to_owned()));
        }
        if name == "UCI_Variant" {
            let named = kind.split(" var ").skip(1);
            self.variants = named.map(|name| name.trim().to_owned()).collect();
        }
    }

    fn has(&self, option: &str) -> bool {
        self.kind(option).is_some()
    }

    fn kind(&self, option: &str) -> Option<&str> {
        let mut options = self.options.iter();
        let known = options.find(|(known, _)| known.eq_ignore_ascii_case(option));
        known.map(|(_, kind)| kind.as_str())
    }

    /// Whether it takes an option with that value, and why not. Engines pass over what they do not take.
    pub(crate) fn takes(&self, option: &str, value: &str) -> Result<(), String> {
        let Some(kind) = self.kind(option) else {
            return Err(format!("it has no option {option}"));
        };
        let words: Vec<&str> = kind.split_whitespace().collect();
        let bound = |name: &str| -> Option<i64> {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse().ok()
        };
        match (words.first(), bound("min"), bound("max")) {
            (Some(&"spin"), Some(min), Some(max)) => {
                let fits = value.parse().is_ok_and(|n| (min..=max).contains(&n));
                let why = || format!("its {option} is from {min} to {max}, not {value}");
                fits.then_some(()).ok_or_else(why)
            }
            (Some(&"check"), ..) if !matches!(value, "true" | "false") => {
                Err(format!("its {option} is true or false, not {value}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether it plays that variant.
    pub(crate) fn plays(&self, variant: Variant) -> bool {
        match (variant, words::variant(variant)) {
            (Variant::Chess960, _) => self.has("UCI_Chess960"),
            (_, None) => true,
            (_, Some(name)) => self.variants.iter().any(|known| known == name),
        }
    }
}

/// A process. It is killed when this is dropped, and its end is waited for by [`Process::end`].
pub(crate) struct Process {
    child: Child,
    to: ChildStdin,
    from: Lines<ChildStdout>,
    pub(crate) ability: Ability,
    /// What it was last told to play.
    set_to: Option<Variant>,
}

impl Process {
    /// Starts an engine with so many megabytes for its table, if it is ready within `patience`.
    pub(crate) async fn start(
        config: &EngineConfig,
        megabytes: u32,
        patience: Duration,
    ) -> Result<Process, Fault> {
        let not_started = |error: std::io::Error| Fault::NotStarted(error.to_string());
        let mut child = Command::new(&config.path)
            .args(&config.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C at a terminal is meant for whoever started it.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(not_started)?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(to), Some(from)) = pipes else {
            return Err(Fault::NotStarted("it has no pipes".into()));
        };
        let mut process = Process {
            child,
            to,
            from: Lines::new(from),
            ability: Ability::default(),
            set_to: None,
        };
        let ready = timeout(patience.min(START), process.greet(config, megabytes)).await;
        match ready.unwrap_or(Err(Fault::Hung)) {
            Ok(()) => Ok(process),
            Err(fault) => {
                process.end().await;
                Err(fault)
            }
        }
    }

    async fn greet(&mut self, config: &EngineConfig, megabytes: u32) -> Result<(), Fault> {
        self.tell("uci").await?;
        loop {
            let line = self.from.next().await?;
            if line == "uciok" {
                break;
            }
            self.ability.learn(&line);
        }
        let own = [("Hash", megabytes.to_string()), ("Threads", "1".to_owned())];
        for (name, value) in own {
            if self.ability.has(name) {
                self.tell(&format!("setoption name {name} value {value}"))
                    .await?;
            }
        }
        for (name, value) in &config.options {
            self.tell(&format!("setoption name {name} value {value}"))
                .await?;
        }
        self.wait_until_ready().await
    }

    async fn wait_until_ready(&mut self) -> Result<(), Fault> {
        self.tell("isready").await?;
        self.from.begin();
        while self.from.next().await? != "readyok" {}
        Ok(())
    }

    async fn tell(&mut self, line: &str) -> Result<(), Fault> {
        let line = format!("{line}\n");
        self.to
            .write_all(line.as_bytes())
            .await
            .map_err(|_| Fault::Died)
    }

    /// Another game: what it remembers of the one before does not count.
    pub(crate) async fn new_game(&mut self) -> Result<(), Fault> {
        let ready = async {
            self.tell("ucinewgame").await?;
            self.wait_until_ready().await
        };
        timeout(START, ready).await.unwrap_or(Err(Fault::Hung))
    }

    /// The engine's move. Whatever happens, this returns at most `patience` after `time`; after a part of that the
    /// engine is told to stop.
    pub(crate) async fn ask(
        &mut self,
        situation: &Situation,
        limits: Limits,
        time: Time,
        patience: Duration,
    ) -> Result<Answer, Fault> {
        if !self.ability.plays(situation.variant()) {
            return Err(Fault::NotAble);
        }
        let late = Instant::now() + time.most() + patience / 5;
        let asked = timeout_at(late, self.put(situation, limits, time)).await;
        asked.unwrap_or(Err(Fault::Hung))?;
        let mut info = Info::default();
        match timeout_at(late, self.hear(&mut info)).await {
            Ok(best) => answer(situation, &best?, info),
            Err(_) => {
                let stopped = async {
                    self.tell("stop").await?;
                    self.hear(&mut info).await
                };
                let best = timeout_at(late + patience * 4 / 5, stopped).await;
                let best = best.unwrap_or(Err(Fault::Hung))?;
                answer(situation, &best, info)
            }
        }
    }

    async fn put(
        &mut self,
        situation: &Situation,
        limits: Limits,
        time: Time,
    ) -> Result<(), Fault> {
        self.from.begin();
        let variant = situation.variant();
        if self.set_to != Some(variant) {
            let name = words::variant(variant).unwrap_or("chess");
            if self.ability.has("UCI_Variant") {
                self.tell(&format!("setoption name UCI_Variant value {name}"))
                    .await?;
            }
            if self.ability.has("UCI_Chess960") {
                let numbered = variant == Variant::Chess960;
                self.tell(&format!("setoption name UCI_Chess960 value {numbered}"))
                    .await?;
            }
            self.wait_until_ready().await?;
            self.set_to = Some(variant);
        }
        self.tell(&words::position(situation)).await?;
        self.tell(&words::go(limits, time)).await
    }

    /// Waits for the move and remembers what was said about it.
    async fn hear(&mut self, info: &mut Info) -> Result<String, Fault> {
        loop {
            let line = self.from.next().await?;
            if let Some(best) = line.strip_prefix("bestmove") {
                let best = best.split_whitespace().next().unwrap_or_default();
                return Ok(best.to_owned());
            }
            if line.starts_with("info ") {
                let news = words::info(&line);
                info.depth = news.depth.or(info.depth);
                info.nodes = news.nodes.or(info.nodes);
                info.score = news.score.or(info.score);
                info.line = news.line.or_else(|| info.line.take());
            }
        }
    }

    /// Ends the process, however it is, and waits until it is gone.
    pub(crate) async fn end(mut self) {
        if let Err(error) = self.child.kill().await {
            tracing::warn!(%error, "an engine could not be ended");
        }
    }

    /// Its number, while it runs.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }
}

fn answer(situation: &Situation, best: &str, info: Info) -> Result<Answer, Fault> {
    let board = situation.board();
    let shown: String = best.chars().take(20).collect();
    let m = words::legal(board, best).ok_or(Fault::Rubbish(shown))?;
    let line = words::line(board, &info.line.unwrap_or_default());
    let line = if line.first() == Some(&m) {
        line
    } else {
        vec![m]
    };
    Ok(Answer {
        m,
        score: info.score.unwrap_or(Score::Centipawns(0)),
        line,
        depth: info.depth.unwrap_or(0),
        nodes: info.nodes.unwrap_or(0),
        by: By::Uci,
    })
}
