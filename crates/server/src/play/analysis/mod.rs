//! Going through games after their end: how each position stood, what was best, and how
//! well both sides played.
//!
//! Whoever asks puts the game last in a line that the store keeps. Each node takes one game
//! at a time from it (`work`), under a lease, and asks the engines behind all who play. How
//! moves are judged is [`bots::review`].

pub mod work;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use bots::Situation;
use bots::openings::{self, Opening};
use bots::review::Standing;
use chess::game::Game;
use chess::pgn::Eval;
use serde::{Deserialize, Serialize};
use store::{Analysis, AnalysisAsked, NewAnalysis, TableId};
use tokio::sync::Notify;

use super::create::is_guest;
use super::look::Sight;
use super::{App, Asked, look};
use crate::auth::Scope;
use crate::limits::rates::Rate;
use crate::lock::lock;
use crate::problem::{Kind, Problem};

/// So many games wait at most, and so many of one account's.
const WAITING_MAX: u32 = 1_000;
const OWN_WAITING_MAX: u32 = 10;
/// A guest costs nothing to become.
const GUEST_WAITING_MAX: u32 = 2;
/// When to ask again while too many wait, in seconds.
const LATER: u32 = 60;

/// Whoever goes through games at this node.
#[derive(Default)]
pub struct Analyst {
    wake: Notify,
    now: Mutex<Option<Hand>>,
    done: AtomicU64,
}

/// The game in hand.
#[derive(Clone, Copy)]
struct Hand {
    table: TableId,
    attempt: u32,
    /// How many half-moves were looked at.
    done: u32,
}

impl Analyst {
    /// How many games were gone through.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }
}

/// Leaves the game in hand to whoever comes next: this server stops.
pub async fn give_back(app: &App) {
    let Some(Hand { table, attempt, .. }) = lock(&app.analyst.now).take() else {
        return;
    };
    if let Err(error) = app.store.keep_analysis(table, attempt, None, 0).await {
        tracing::debug!(%error, %table, "the lease of an analysis runs out");
    }
}

/// What is known about how a game was played.
pub(crate) enum Known {
    /// It is not known yet.
    Open {
        /// Whether somebody is at it.
        is_running: bool,
        /// Half-moves that were looked at.
        done: u32,
        /// Of how many.
        total: u32,
    },
    /// All of it.
    Done(Report),
}

/// How a game was played. This is also how it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// ECO code and name.
    pub(crate) opening: Option<(String, String)>,
    /// From 0 to 100; White's, then Black's. None without a move.
    pub(crate) accuracy: [Option<f64>; 2],
    pub(crate) moves: Vec<MoveReport>,
}

/// How one half-move was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MoveReport {
    /// How the position after it stands, from White's view, unless it is won by force.
    pub(crate) eval_cp: Option<i32>,
    /// In how many moves White mates, or Black if negative; 0 if the game is won.
    pub(crate) mate: Option<i32>,
    /// The best move in its place, in UCI.
    pub(crate) best: Option<String>,
    /// `inaccuracy`, `mistake` or `blunder`.
    pub(crate) judgement: Option<String>,
}

impl MoveReport {
    /// In two fields, one of which there is.
    fn standing(standing: Standing) -> (Option<i32>, Option<i32>) {
        match standing {
            Standing::Centipawns(value) => (Some(value), None),
            Standing::Mate(moves) => (None, Some(moves)),
            Standing::Over(None) => (Some(0), None),
            Standing::Over(Some(_)) => (None, Some(0)),
        }
    }

    /// As PGN writes it; a position that is won has nothing to evaluate.
    fn eval(&self) -> Option<Eval> {
        match (self.eval_cp, self.mate) {
            (Some(value), _) => Some(Eval::Centipawns(value)),
            (None, Some(0) | None) => None,
            (None, Some(moves)) => Some(Eval::Mate(moves)),
        }
    }
}

/// Has a game gone through, unless it was.
///
/// # Errors
/// `missing_scope`, `rate_limited`, `game_not_found`; `game_not_over`; `too_many_analyses`,
/// `analyses_full`.
pub(crate) async fn ask(asked: &Asked<'_>, id: TableId) -> Result<Known, Problem> {
    asked.may(&[Scope::Play], Rate::Command)?;
    let (app, caller) = (asked.app, asked.caller);
    let sight = look::look(app, id, Some(caller)).await?;
    must_be_over(&sight)?;
    let own_max = match is_guest(&caller.person) {
        true => GUEST_WAITING_MAX,
        false => OWN_WAITING_MAX,
    };
    let new = NewAnalysis {
        table: id,
        by: caller.number(),
        at: asked.received,
        total: sight.game.ply(),
        own_max,
        all_max: WAITING_MAX,
    };
    match app.store.ask_analysis(new).await? {
        AnalysisAsked::Queued(analysis) => {
            app.analyst.wake.notify_one();
            known(app, analysis)
        }
        AnalysisAsked::There(analysis) => known(app, analysis),
        AnalysisAsked::TooManyOwn => {
            let detail = format!("{own_max} of your games wait to be analysed already");
            Err(Problem::new(Kind::TooMuch, "too_many_analyses", detail).after(LATER))
        }
        AnalysisAsked::Full => {
            let detail = "too many games wait to be analysed";
            Err(Problem::new(Kind::Unavailable, "analyses_full", detail).after(LATER))
        }
    }
}

/// What is known of a game that somebody sees.
///
/// # Errors
/// `game_not_over`; `no_analysis`: nobody has asked for it.
pub(crate) async fn of(app: &App, sight: &Sight) -> Result<Known, Problem> {
    must_be_over(sight)?;
    match app.store.analysis(sight.id).await? {
        Some(analysis) => known(app, analysis),
        None => {
            let detail = "nobody has had this game analysed: POST asks for it";
            Err(Problem::new(Kind::Missing, "no_analysis", detail))
        }
    }
}

/// How the positions after each half-move stand, if that is known.
///
/// # Errors
/// `unavailable`.
pub(crate) async fn evals(app: &App, sight: &Sight) -> Result<Vec<Option<Eval>>, Problem> {
    if sight.game.ending().is_none() {
        return Ok(Vec::new());
    }
    let analysis = app.store.analysis(sight.id).await?;
    let report = match analysis.and_then(|analysis| analysis.result) {
        Some(text) => read(&text)?,
        None => return Ok(Vec::new()),
    };
    Ok(report.moves.iter().map(MoveReport::eval).collect())
}

/// The opening that was played, if it has a name.
pub(crate) fn opening(game: &Game) -> Option<Opening> {
    let mut situation = Situation::new(game.terms().variant, game.start_board());
    for played in game.line().iter().take(openings::PLIES_MAX) {
        let m = played.in_position(situation.board());
        situation.play(m);
    }
    openings::name(&situation)
}

/// Nobody is told how a game stands that they may still play, or do not know the end of.
fn must_be_over(sight: &Sight) -> Result<(), Problem> {
    match sight.game.ending() {
        Some(_) => Ok(()),
        None => {
            let detail = "a game is analysed when it is over";
            Err(Problem::new(Kind::Conflict, "game_not_over", detail))
        }
    }
}

fn known(app: &App, analysis: Analysis) -> Result<Known, Problem> {
    if let Some(text) = &analysis.result {
        return read(text).map(Known::Done);
    }
    let here = *lock(&app.analyst.now);
    let here = here.filter(|hand| hand.table == analysis.table);
    let is_leased = analysis.leased_until.is_some_and(|until| until > app.now());
    Ok(Known::Open {
        is_running: here.is_some() || is_leased,
        done: here.map_or(analysis.done, |hand| hand.done),
        total: analysis.total,
    })
}

fn read(text: &str) -> Result<Report, Problem> {
    serde_json::from_str(text).map_err(|error| {
        tracing::error!(%error, "an analysis cannot be read");
        Problem::unavailable()
    })
}
