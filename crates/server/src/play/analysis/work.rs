//! Going through the games that wait, one at a time.

use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bots::review::{Standing, accuracy, judge, loss};
use bots::{Situation, openings};
use chess::game::Ending;
use chess::rules::Move;
use chess::{Millis, Timestamp};
use store::Analysis;
use tokio::time::sleep;

use super::{Hand, MoveReport, Report};
use crate::lock::lock;
use crate::play::App;
use crate::problem::Problem;

/// How often the store is asked for games that this node was not told of.
const ALONE: Duration = Duration::from_secs(30);
const AMONG_OTHERS: Duration = Duration::from_secs(3);
/// Whoever is not heard of for so long has lost the game it was at.
const LEASE: Millis = Millis::from_secs(30);
/// How often it is said that it goes on, and how far it is; and how often the room is told.
const KEEP: Duration = Duration::from_secs(2);
const TELL: Duration = Duration::from_millis(250);
/// After a failure.
const PAUSE: Duration = Duration::from_secs(1);

/// Goes through games for ever.
pub async fn run(app: App) {
    let every = match app.store.is_shared() {
        true => AMONG_OTHERS,
        false => ALONE,
    };
    if !app.store.is_shared()
        && let Err(error) = app.store.free_analyses().await
    {
        tracing::warn!(%error, "what the last run was at has to wait");
    }
    loop {
        let rest = match next(&app).await {
            Ok(true) => continue,
            Ok(false) => every,
            Err(problem) => {
                tracing::warn!(?problem, "a game could not be analysed now");
                PAUSE
            }
        };
        tokio::select! {
            () = app.analyst.wake.notified() => {}
            () = sleep(rest) => {}
        }
    }
}

/// Goes through the next game. Whether there was one.
async fn next(app: &App) -> Result<bool, Problem> {
    let now = app.now();
    let Some(taken) = app.store.take_analysis(now, now + LEASE).await? else {
        return Ok(false);
    };
    let mut work = Work::new(app, taken);
    let report = work.report().await;
    *lock(&app.analyst.now) = None;
    let report = match report {
        Ok(report) => report,
        Err(problem) => {
            work.put_off().await;
            return Err(problem);
        }
    };
    let Some(report) = report else {
        // Somebody else is at it.
        return Ok(true);
    };
    let text = serde_json::to_string(&report).map_err(|_| Problem::unavailable())?;
    let Analysis { table, attempt, .. } = work.analysis;
    if app.store.finish_analysis(table, attempt, text).await? {
        app.analyst.done.fetch_add(1, Ordering::Relaxed);
        work.tell(work.analysis.total);
    }
    Ok(true)
}

/// One game.
struct Work<'a> {
    app: &'a App,
    analysis: Analysis,
    done: u32,
    kept_at: Instant,
    told_at: Option<Instant>,
    /// From when on those who watch know of the end, too.
    told_from: Option<Timestamp>,
}

/// What was found in one position.
struct Seen {
    standing: Standing,
    best: Option<Move>,
    text: Option<String>,
}

impl<'a> Work<'a> {
    fn new(app: &'a App, analysis: Analysis) -> Work<'a> {
        let hand = Hand {
            table: analysis.table,
            attempt: analysis.attempt,
            done: 0,
        };
        *lock(&app.analyst.now) = Some(hand);
        Work {
            app,
            analysis,
            done: 0,
            kept_at: Instant::now(),
            told_at: None,
            told_from: None,
        }
    }

    /// Looks at every position; none if another node has taken it over.
    async fn report(&mut self) -> Result<Option<Report>, Problem> {
        let (app, id) = (self.app, self.analysis.table);
        let game = app.games.read(id, None).await?;
        self.told_from = game.ended_at().map(|ended| ended + game.spectator_delay());
        let whole = app.house.situation(&app.settings, &game).await?;
        let mut situation = Situation::new(whole.variant(), whole.start().clone());
        let mut seen = Vec::with_capacity(whole.moves().len() + 1);
        let Some(first) = self.look(&situation).await? else {
            return Ok(None);
        };
        seen.push(first);
        for (done, m) in (1..).zip(whole.moves()) {
            situation.play(*m);
            let Some(next) = self.look(&situation).await? else {
                return Ok(None);
            };
            seen.push(next);
            self.advance(done);
        }
        // What made it a draw is not seen in the last position.
        let is_drawn = game.ending().is_some_and(Ending::is_drawn_by_rule);
        if let Some(last) = seen.last_mut().filter(|_| is_drawn) {
            last.standing = Standing::Over(None);
        }
        Ok(Some(written(&whole, &seen)))
    }

    /// Looks at one position, and says meanwhile that it goes on; none if it does not.
    async fn look(&mut self, situation: &Situation) -> Result<Option<Seen>, Problem> {
        if let Some(standing) = Standing::of_ended(situation.board()) {
            return Ok(Some(Seen {
                standing,
                best: None,
                text: None,
            }));
        }
        let (app, id) = (self.app, self.analysis.table);
        let mut asking =
            pin!(
                app.house
                    .evaluate(&app.settings, id, situation, self.analysis.total)
            );
        let found = loop {
            let rest = KEEP.saturating_sub(self.kept_at.elapsed());
            tokio::select! {
                found = &mut asking => break found?,
                () = sleep(rest) => {
                    if !self.keep().await? {
                        return Ok(None);
                    }
                }
            }
        };
        let board = situation.board();
        Ok(Some(match found {
            Some(answer) => Seen {
                standing: Standing::found(answer.score, board.turn()),
                best: Some(answer.m),
                text: Some(board.uci_text(answer.m)),
            },
            None => Seen {
                standing: Standing::Over(None),
                best: None,
                text: None,
            },
        }))
    }

    /// Notes that so many half-moves were looked at.
    fn advance(&mut self, done: u32) {
        self.done = done;
        if let Some(hand) = &mut *lock(&self.app.analyst.now) {
            hand.done = done;
        }
        let is_time = self.told_at.is_none_or(|at| at.elapsed() >= TELL);
        // The last of them is told when all of it can be read.
        if is_time && done < self.analysis.total {
            self.told_at = Some(Instant::now());
            self.tell(done);
        }
    }

    fn tell(&self, done: u32) {
        let Analysis { table, total, .. } = self.analysis;
        let rooms = &self.app.rooms;
        let is_for_all = self.told_from.is_some_and(|from| from <= self.app.now());
        rooms.tell_analysis(table, done, total, is_for_all);
    }

    /// Says that it goes on. Whether it may.
    async fn keep(&mut self) -> Result<bool, Problem> {
        self.kept_at = Instant::now();
        let Analysis { table, attempt, .. } = self.analysis;
        let until = Some(self.app.now() + LEASE);
        let kept = self
            .app
            .store
            .keep_analysis(table, attempt, until, self.done);
        Ok(kept.await?)
    }

    /// It failed: somebody tries again when the lease is over.
    async fn put_off(&self) {
        let Analysis { table, attempt, .. } = self.analysis;
        let until = Some(self.app.now() + LEASE);
        let put_off = self.app.store.keep_analysis(table, attempt, until, 0);
        if let Err(error) = put_off.await {
            tracing::debug!(%error, table = %table, "the lease of an analysis runs out");
        }
    }
}

/// What the positions of a game say about its moves.
fn written(whole: &Situation, seen: &[Seen]) -> Report {
    let mut mover = whole.start().turn();
    let mut losses = [Vec::new(), Vec::new()];
    let mut moves = Vec::with_capacity(whole.moves().len());
    for (played, pair) in whole.moves().iter().zip(seen.windows(2)) {
        let [before, after] = pair else { continue };
        // The best move loses nothing, whatever a look from further on says.
        let lost = match before.best == Some(*played) {
            true => 0.0,
            false => loss(before.standing, after.standing, mover),
        };
        losses[mover.fold_wb(0, 1)].push(lost);
        let (eval_cp, mate) = MoveReport::standing(after.standing);
        moves.push(MoveReport {
            eval_cp,
            mate,
            best: before.text.clone(),
            judgement: judge(lost).map(|judgement| judgement.name().to_owned()),
        });
        mover = !mover;
    }
    let opening = openings::name(whole);
    Report {
        opening: opening.map(|opening| (opening.eco.to_owned(), opening.name.to_owned())),
        accuracy: losses.each_ref().map(|losses| accuracy(losses)),
        moves,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Color;
    use chess::rules::{Spelled, Variant};

    /// A game, and what was found before each of its moves and at its end.
    fn played(moves: &[&str], seen: &[(&str, Standing)]) -> Report {
        let mut whole = Situation::usual(Variant::Standard);
        let mut found = Vec::new();
        for (n, (best, standing)) in seen.iter().enumerate() {
            let board = whole.board();
            let best = Spelled::read(best).ok().and_then(|m| board.resolve(m).ok());
            found.push(Seen {
                standing: *standing,
                best,
                text: best.map(|m| board.uci_text(m)),
            });
            if let Some(text) = moves.get(n) {
                let m = board.resolve(Spelled::read(text).expect("a move"));
                whole.play(m.expect("a legal move"));
            }
        }
        written(&whole, &found)
    }

    #[test]
    fn moves_are_judged_for_who_made_them() {
        let cp = Standing::Centipawns;
        let report = played(
            &["f3", "e5", "g4", "Qh4"],
            &[
                ("e4", cp(30)),
                ("e5", cp(-60)),
                ("e4", cp(-60)),
                ("Qh4", Standing::Mate(-1)),
                ("-", Standing::Over(Some(Color::Black))),
            ],
        );
        let judged: Vec<_> = report
            .moves
            .iter()
            .map(|m| m.judgement.as_deref())
            .collect();
        assert_eq!(judged, [Some("inaccuracy"), None, Some("blunder"), None]);
        let best: Vec<_> = report.moves.iter().map(|m| m.best.as_deref()).collect();
        assert_eq!(best, ["e2e4", "e7e5", "e2e4", "d8h4"].map(Some));
        assert_eq!(
            (report.moves[0].eval_cp, report.moves[0].mate),
            (Some(-60), None)
        );
        assert_eq!(
            (report.moves[2].eval_cp, report.moves[2].mate),
            (None, Some(-1))
        );
        assert_eq!(
            (report.moves[3].eval_cp, report.moves[3].mate),
            (None, Some(0))
        );
        assert_eq!(report.accuracy[1], Some(100.0));
        assert!(report.accuracy[0].is_some_and(|white| white < 50.0));
        assert_eq!(report.moves[2].eval(), Some(chess::pgn::Eval::Mate(-1)));
        assert_eq!(report.moves[3].eval(), None);
    }

    #[test]
    fn the_best_move_is_no_mistake_and_no_move_no_accuracy() {
        let cp = Standing::Centipawns;
        let report = played(&["e4"], &[("e4", cp(30)), ("c5", cp(-400))]);
        assert_eq!(report.moves[0].judgement, None);
        assert_eq!(report.accuracy, [Some(100.0), None]);
        let opening = report.opening.expect("it has a name");
        assert!(opening.0.starts_with('B'), "{opening:?}");
        let nothing = played(&[], &[("e4", cp(30))]);
        assert_eq!(nothing.moves, []);
        assert_eq!((nothing.opening, nothing.accuracy), (None, [None, None]));
    }

    #[test]
    fn what_is_stored_is_read_again() {
        let report = played(
            &["e4"],
            &[("d4", Standing::Centipawns(30)), ("c5", Standing::Mate(3))],
        );
        let text = serde_json::to_string(&report).expect("JSON");
        assert_eq!(super::super::read(&text).expect("a report"), report);
    }
}
