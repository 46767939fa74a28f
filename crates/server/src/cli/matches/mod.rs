//! `arbiter match`: games between two programs, and what they say about strength.
//!
//! It opens no store, and asks no server but for a bot that plays there. `who` is who
//! plays, `remote` such a bot and `web` the way to it, `file` what is kept of a match
//! while it runs.

mod file;
mod remote;
mod web;
mod who;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bots::Situation;
use bots::matches::statistics::Difference;
use bots::matches::{
    NO_MOVE, Plan, Player, Record, Sprt, Tally, Verdict, openings, pgn, run as play,
};
use bots::pace::Clock;
use chess::Color;
use chess::clock::TimeControl;
use chess::pgn::read_control;
use chess::rules::Variant;
use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;

use self::file::File;
use self::who::Who;
use super::say::say;
use super::{Outcome, progress};

/// What Ctrl-C ends a program with.
const INTERRUPTED: u8 = 130;

/// Play games between two programs and say which is stronger, and how surely
///
/// A PLAYER is one of
///   beginner, easy, medium, hard, expert, master
///       a level of the built-in engine; `expert,engine=/usr/games/stockfish` lets a
///       UCI engine play for the level, as a server does that has one
///   built-in
///       the built-in engine as well as it can
///   a program, by its path or its name if that is in PATH
///       a UCI engine; options follow: `stockfish,UCI_LimitStrength=true,UCI_Elo=2000`
///   the address of a server
///       a bot that plays there: `http://127.0.0.1:7878,token-file=FILE` (or the variable
///       ARBITER_TOKEN) by its token, `...,account=NAME` by its name; it is challenged
/// Programs and `built-in` take `nodes=N` and `depth=N`, and everybody `name=NAME`.
///
/// Each opening is played twice, with both colours. A game follows from the seed and
/// its number, so that a match of built-in players limited by nodes is the same on
/// every machine. With --jsonl every finished game is written down at once, and the
/// same command goes on where it was interrupted.
///
/// Examples:
///   arbiter match easy beginner --games 200
///   arbiter match ./mine ./old --time-control 10+0.1 --sprt 0,10 --games 5000 --jsonl new.jsonl
///   arbiter match master stockfish,UCI_LimitStrength=true,UCI_Elo=2400 --time-control 10+0.1 --pgn out.pgn
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// Who plays
    #[arg(value_name = "PLAYER")]
    first: String,
    /// Against whom
    #[arg(value_name = "OPPONENT")]
    second: String,
    /// How many games; with --sprt at most
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// How many at once [default: one per processor]
    #[arg(long, short, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: Option<u16>,
    /// Chance: openings, and the mistakes of the levels
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What is played, such as chess960 or atomic
    #[arg(long, default_value = "standard")]
    variant: String,
    /// Where games begin: a file of positions (EPD or FEN, one per line) or of games (.pgn)
    /// [default: named openings, or a few moves by chance]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How many half-moves of each game of a PGN file are the opening
    #[arg(long, default_value_t = 8, value_name = "PLIES")]
    opening_plies: usize,
    /// A clock, in seconds: 10+0.1 [default: none]
    #[arg(long, value_name = "TIME+INCREMENT")]
    time_control: Option<String>,
    /// How many positions those look at who have no `nodes` of their own and no clock
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// A longer game is drawn
    #[arg(long, default_value_t = 400, value_name = "PLIES")]
    max_plies: usize,
    /// Stop when it is clear whether PLAYER is stronger by ELO1, or only by ELO0
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// How often each of the two wrong answers of the test may be given
    #[arg(long, default_value_t = 0.05, value_name = "SHARE")]
    sprt_error: f64,
    /// Write every finished game here, and go on with the games that are there
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Write all games here in the end
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// A match that can begin.
struct Prepared {
    plan: Plan,
    who: [Who; 2],
    sprt: Option<Sprt>,
    file: File,
    done: Vec<Record>,
}

pub(super) async fn run(arguments: Arguments) -> Outcome {
    let mut prepared = prepare(&arguments).await?;
    let mut score = Score {
        sprt: prepared.sprt,
        tally: Tally::default(),
        records: prepared.done.clone(),
        failed: None,
    };
    for record in &prepared.done {
        score.tally.count(record.points());
    }
    let bar = progress::counted(prepared.plan.games);
    let interrupted = tokio::select! {
        () = whole(&mut prepared, &mut score, &bar) => false,
        _ = tokio::signal::ctrl_c() => true,
    };
    bar.finish_and_clear();
    // Whoever is interrupted does not wait until engines have finished what they calculate.
    for who in prepared.who.iter().filter(|_| !interrupted) {
        who.close().await;
    }
    score.records.sort_by_key(|record| record.game);
    if let Some(path) = &arguments.pgn {
        let games = score.records.iter();
        let text: String = games
            .map(|game| pgn::write(game, "arbiter match"))
            .collect();
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let names = prepared.who.each_ref().map(|who| who.name.as_str());
    let lines = score.lines(names);
    for line in lines.iter().filter(|_| score.tally.games() > 0) {
        say!("{line}");
    }
    if let Some(why) = score.failed {
        return Err(why);
    }
    if interrupted {
        if prepared.file.is_kept() {
            eprintln!("arbiter: interrupted; the same command goes on from here");
        }
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays what is left.
async fn whole(prepared: &mut Prepared, score: &mut Score, bar: &ProgressBar) {
    bar.set_position(score.records.len() as u64);
    bar.set_message(score.short());
    if !score.is_open() {
        return;
    }
    let [first, second] = &prepared.who;
    let players: [Arc<dyn Player>; 2] = [first.player(), second.player()];
    let (file, done) = (&mut prepared.file, std::mem::take(&mut prepared.done));
    play(&prepared.plan, players, done, |record| {
        if !score.is_open() {
            // What was decided stays so, whatever the games say that were still played.
            return false;
        }
        let both = [first, second];
        let wrong = both.into_iter().find_map(Who::fault);
        if let Some(why) = wrong.or_else(|| absent(record)) {
            score.failed.get_or_insert(why);
            // Somebody else may have made a move of this game, or nobody did: it is none.
            return false;
        }
        if let Err(why) = file.add(record) {
            score.failed.get_or_insert(why);
            return false;
        }
        score.tally.count(record.points());
        score.records.push(record.clone());
        bar.inc(1);
        bar.set_message(score.short());
        score.is_open()
    })
    .await;
}

/// Who made no move, and why: such a game says nothing about strength.
fn absent(record: &Record) -> Option<String> {
    let why = record.reason.strip_prefix(NO_MOVE)?;
    let who = match record.winner() {
        Some(Color::White) => &record.black,
        _ => &record.white,
    };
    Some(format!("{who}: {why}"))
}

async fn prepare(arguments: &Arguments) -> Result<Prepared, String> {
    let variant = Variant::from_name(&arguments.variant)
        .ok_or_else(|| format!("no variant is called {}", arguments.variant))?;
    let clock = arguments.time_control.as_deref().map(clock).transpose()?;
    let sprt = match &arguments.sprt {
        None => None,
        Some(text) => Some(test(text, arguments.sprt_error)?),
    };
    let openings = starts(arguments, variant)?;
    let concurrency = match arguments.concurrency {
        Some(count) => usize::from(count),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    // Who has a clock plays as well as it allows.
    let nodes = match clock {
        None => arguments.nodes,
        Some(_) => u64::MAX,
    };
    let first = Who::read(&arguments.first, nodes, concurrency).await?;
    let mut second = Who::read(&arguments.second, nodes, concurrency).await?;
    if first.name == second.name {
        second.name.push_str(" (2)");
    }
    let who = [first, second];
    if let Some(clock) = clock.filter(|_| who.iter().any(Who::is_remote)) {
        remote::control(clock)?;
    }
    let plan = Plan {
        games: arguments.games,
        concurrency,
        seed: arguments.seed,
        openings,
        clock,
        plies_max: arguments.max_plies,
    };
    let about = json!({ "match": {
        "first": who[0].name, "second": who[1].name, "seed": plan.seed, "variant": variant.name(),
        "time_control": arguments.time_control, "max_plies": plan.plies_max,
        "openings": arguments.openings.as_ref().map(|path| path.display().to_string()),
        "opening_plies": arguments.opening_plies,
        "players": who.each_ref().map(|who| &who.as_given),
    }});
    let (file, mut done) = File::open(arguments.jsonl.as_deref(), &about)?;
    done.retain(|record| record.game < plan.games);
    if let Some(path) = &arguments.pgn
        && done.is_empty()
        && path.exists()
    {
        return Err(format!("{} is there already", path.display()));
    }
    Ok(Prepared {
        plan,
        who,
        sprt,
        file,
        done,
    })
}

/// Where games begin.
fn starts(arguments: &Arguments, variant: Variant) -> Result<Vec<Situation>, String> {
    let pairs = arguments.games.div_ceil(2) as usize;
    let Some(path) = &arguments.openings else {
        return Ok(openings::built_in(variant, pairs, arguments.seed));
    };
    let wrong = |why: String| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let is_pgn = path.extension().is_some_and(|ending| ending == "pgn");
    let read = match is_pgn {
        true => openings::from_pgn(&text, arguments.opening_plies),
        false => openings::from_epd(variant, &text),
    };
    let read = read.map_err(wrong)?;
    if let Some(other) = read.iter().find(|opening| opening.variant() != variant) {
        let found = other.variant().name();
        let name = variant.name();
        return Err(wrong(format!("a game of {found}, and {name} is played")));
    }
    let over = |opening: &Situation| opening.board().end().is_some();
    match read.iter().position(over) {
        Some(n) => Err(wrong(format!("opening {} is over already", n + 1))),
        None if read.is_empty() => Err(wrong("no openings".to_owned())),
        None => Ok(read),
    }
}

fn clock(text: &str) -> Result<Clock, String> {
    let Some(TimeControl::Fischer { initial, increment }) = read_control(text) else {
        return Err(format!("{text} is no time control such as 10+0.1"));
    };
    Ok(Clock {
        left: Duration::from_millis(u64::from(initial.0)),
        increment: Duration::from_millis(u64::from(increment.0)),
    })
}

fn test(text: &str, error: f64) -> Result<Sprt, String> {
    let bounds = text.split_once(',');
    let bounds = bounds.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    let good = |(a, b): &(f64, f64)| a.is_finite() && b.is_finite() && a < b;
    let Some((elo0, elo1)) = bounds.filter(good) else {
        return Err(format!("--sprt {text}: two differences such as 0,10"));
    };
    if !(error > 0.0 && error < 0.5) {
        return Err("--sprt-error is a share above 0 and below 0.5".to_owned());
    }
    Ok(Sprt {
        elo0,
        elo1,
        alpha: error,
        beta: error,
    })
}

/// How it stands.
struct Score {
    sprt: Option<Sprt>,
    tally: Tally,
    records: Vec<Record>,
    failed: Option<String>,
}

impl Score {
    /// Whether more games would say more.
    fn is_open(&self) -> bool {
        let decided = |sprt: &Sprt| sprt.verdict(&self.tally) != Verdict::Open;
        !self.sprt.as_ref().is_some_and(decided)
    }

    /// Beside the bar.
    fn short(&self) -> String {
        let Tally {
            wins,
            draws,
            losses,
        } = self.tally;
        format!("+{wins} ={draws} -{losses}")
    }

    /// What the match says.
    fn lines(&self, [first, second]: [&str; 2]) -> Vec<String> {
        let tally = &self.tally;
        let mut lines = vec![format!(
            "{first} - {second}: {} games, {}, {:.1} %",
            tally.games(),
            self.short(),
            tally.score() * 100.0
        )];
        let Difference { elo, low, high } = tally.difference();
        // Not "-0".
        let [elo, low, high] = [elo, low, high].map(|elo| elo.round() + 0.0);
        lines.push(format!(
            "Elo {elo:+.0} ({low:+.0} to {high:+.0} at 95 %), stronger with {:.1} %",
            tally.likelihood_of_superiority() * 100.0
        ));
        if let Some(sprt) = &self.sprt {
            let (ratio, (low, high)) = (sprt.ratio(tally), sprt.bounds());
            let verdict = match sprt.verdict(tally) {
                Verdict::Accepted => "accepted",
                Verdict::Rejected => "rejected",
                Verdict::Open => "open",
            };
            let Sprt { elo0, elo1, .. } = sprt;
            lines.push(format!(
                "SPRT {elo0:+} to {elo1:+}: {verdict}, {ratio:.2} of {low:.2} to {high:.2}"
            ));
        }
        let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
        for record in &self.records {
            *reasons.entry(&record.reason).or_default() += 1;
        }
        let reasons: Vec<String> = reasons
            .iter()
            .map(|(why, n)| format!("{why} {n}"))
            .collect();
        if !reasons.is_empty() {
            lines.push(format!("ended by: {}", reasons.join(", ")));
        }
        lines
    }
}
