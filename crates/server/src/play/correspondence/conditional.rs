//! Conditional moves: kept for their owner alone, and played for them.
//!
//! An answer is an ordinary move of its owner's, brought to the table right after the
//! move it answers and as of the same moment. If the server ends in between, whoever
//! reads the game next finds the answer still to be given.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chess::Color;
use chess::game::{
    Command, Conditional, ConditionalMoves, Game, HALF_MOVES_MAX, MoveCommand, Phase, Refusal,
};
use chess::table::{Actor, PlayerId};
use live::{Outcome, With};
use store::{Plan, TableId};
use tokio::time::Instant;

use super::super::App;
use super::super::sight::visible;
use crate::auth::{Caller, Scope};
use crate::limits::rates::Rate;
use crate::problem::{Kind, Problem};

/// Plans looked at in one go.
const PAGE: u32 = 200;
/// How long a game is left alone in which an answer is held back. Whatever sets it free is
/// followed at once.
const HELD_FOR: Duration = Duration::from_secs(300);

/// What a player has planned in a game.
pub(crate) struct Planned {
    /// Their move, the answer, and so on.
    pub(crate) lines: Vec<Vec<String>>,
    /// The half-moves played in the position the lines begin with.
    pub(crate) ply: u32,
}

/// The caller's own conditional moves.
///
/// # Errors
/// `game_not_found`, `not_a_player`; `not_allowed` in any other game.
pub(crate) async fn show(app: &App, caller: &Caller, id: TableId) -> Result<Planned, Problem> {
    let (game, seat) = own(app, caller, id).await?;
    planned(app, caller, id, &game, seat).await
}

/// Replaces the caller's conditional moves; no lines take them away.
///
/// # Errors
/// As [`show`]; `missing_scope`, `rate_limited`; `game_not_active`; `wrong_turn` on the
/// caller's own move; `bad_conditional_moves` with the line and the half-move.
pub(crate) async fn set(
    app: &App,
    caller: &Caller,
    id: TableId,
    lines: &[Vec<String>],
) -> Result<Planned, Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())?;
    let (game, seat) = own(app, caller, id).await?;
    if lines.is_empty() {
        for plan in own_plan(app, caller.number(), id).await? {
            app.store.change_plan(plan, None).await?;
        }
        return planned(app, caller, id, &game, seat).await;
    }
    if !matches!(game.phase(), Phase::Active | Phase::Paused { .. }) {
        let state = game.phase().state();
        return Err(Refusal::GameNotActive { state }.into());
    }
    if game.turn() == seat {
        return Err(own_move(&game));
    }
    let moves = ConditionalMoves::read(&game, lines).map_err(|bad| {
        let problem = Problem::new(Kind::Impossible, "bad_conditional_moves", bad.to_string());
        problem
            .with("line", bad.line)
            .with("half_move", bad.half_move)
    })?;
    app.store
        .set_plan(plan(id, caller.number(), &moves))
        .await?;
    // The opponent may have moved meanwhile.
    follow_through(app, id).await;
    show(app, caller, id).await
}

/// A game by days, and the caller's side in it.
async fn own(app: &App, caller: &Caller, id: TableId) -> Result<(Arc<Game>, Color), Problem> {
    let game = visible(app, id, Some(caller)).await?;
    let seat = game.seat_of(caller.number());
    let seat = seat.ok_or(Refusal::NotAPlayer)?;
    if !game.terms().control.is_by_days() {
        let why = "conditional moves are for games with days per move";
        return Err(Refusal::NotAllowed(why).into());
    }
    Ok((game, seat))
}

fn own_move(game: &Game) -> Problem {
    let detail = "it is your move: play it, then say how you answer theirs";
    Problem::new(Kind::Conflict, "wrong_turn", detail)
        .with("current_ply", game.ply())
        .with("to_move", game.turn().fold_wb("white", "black"))
}

async fn own_plan(app: &App, owner: PlayerId, id: TableId) -> Result<Vec<Plan>, Problem> {
    let mut plans = app.store.plans_of(id).await?;
    plans.retain(|plan| plan.account == owner);
    Ok(plans)
}

async fn planned(
    app: &App,
    caller: &Caller,
    id: TableId,
    game: &Game,
    seat: Color,
) -> Result<Planned, Problem> {
    let plans = own_plan(app, caller.number(), id).await?;
    let moves = plans.first().map(moves_of);
    let left = moves.and_then(|moves| match moves.stand(game, seat) {
        Conditional::Waits(left) => Some(left),
        Conditional::Held | Conditional::Answers(_) => Some(moves),
        Conditional::Gone => None,
    });
    Ok(Planned {
        ply: left.as_ref().map_or(game.ply(), |left| left.ply),
        lines: left.map(|left| left.lines().to_vec()).unwrap_or_default(),
    })
}

fn moves_of(plan: &Plan) -> ConditionalMoves {
    ConditionalMoves::from_text(plan.ply, plan.version, &plan.lines)
}

fn plan(table: TableId, account: PlayerId, moves: &ConditionalMoves) -> Plan {
    Plan {
        table,
        account,
        version: moves.version,
        ply: moves.ply,
        lines: moves.text(),
    }
}

/// Something happened in a game: what was planned for it is played before anybody is
/// answered.
pub(crate) async fn after_change(app: &App, id: TableId, after: &Game) {
    if after.terms().control.is_by_days() && after.phase() == Phase::Active {
        follow_through(app, id).await;
    }
}

/// [`follow`], also if whoever asked goes away meanwhile.
async fn follow_through(app: &App, id: TableId) {
    let app = app.clone();
    let following = tokio::spawn(async move { follow(&app, id).await });
    if following.await.is_err() {
        tracing::error!(table = %id, "playing what was planned panicked");
    }
}

/// What a look at a game's plans led to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// An answer was played.
    Played,
    /// Nothing, because something holds an answer back.
    Held,
    /// Nothing more is to be done.
    Done,
}

/// Plays what the players planned for the game as it is, one after the other, and forgets
/// what it has left. Whether an answer is held back.
pub(super) async fn follow(app: &App, id: TableId) -> bool {
    // Both may have planned; longer than their lines it cannot take.
    for _ in 0..=2 * HALF_MOVES_MAX {
        match step(app, id).await {
            Ok(Step::Played) => app.rooms.slow().count_played(),
            Ok(step) => return step == Step::Held,
            // Whoever reads the game next tries again.
            Err(problem) => {
                let code = problem.code;
                tracing::warn!(table = %id, code, "what was planned could not be looked at");
                return false;
            }
        }
    }
    false
}

async fn step(app: &App, id: TableId) -> Result<Step, Problem> {
    let plans = app.store.plans_of(id).await?;
    let mut step = Step::Done;
    if plans.is_empty() {
        return Ok(step);
    }
    let game = match app.games.newest(id).await {
        Ok(game) => game,
        Err(live::Failure::NotFound) => return drop_all(app, plans).await,
        Err(failure) => return Err(failure.into()),
    };
    for before in plans {
        let Some(seat) = game.seat_of(before.account) else {
            app.store.change_plan(before, None).await?;
            continue;
        };
        match moves_of(&before).stand(&game, seat) {
            Conditional::Waits(left) if left.ply == before.ply => {}
            Conditional::Waits(left) => {
                let after = plan(id, before.account, &left);
                app.store.change_plan(before, Some(after)).await?;
            }
            Conditional::Held => step = Step::Held,
            Conditional::Answers(text) => return answer(app, &game, before, text).await,
            Conditional::Gone => {
                app.store.change_plan(before, None).await?;
            }
        }
    }
    Ok(step)
}

/// Plays an answer, as of the moment of the move it answers.
async fn answer(app: &App, game: &Game, plan: Plan, text: String) -> Result<Step, Problem> {
    let command = Command::Move(MoveCommand {
        ply: Some(game.ply() + 1),
        version: Some(game.version()),
        ..MoveCommand::new(&text)
    });
    let who = Actor::Player(plan.account);
    let submitted = app
        .games
        .submit(plan.table, who, command, game.last_at(), With::default());
    match submitted.await? {
        Outcome::Changed { .. } => Ok(Step::Played),
        // Its owner was quicker, with this move or another.
        Outcome::Already { .. } => Ok(Step::Done),
        Outcome::Refused {
            why: Refusal::IllegalMove(_) | Refusal::BadMove(_) | Refusal::UnclearMove(_),
            ..
        } => {
            tracing::error!(table = %plan.table, "a planned move cannot be played");
            app.store.change_plan(plan, None).await?;
            Ok(Step::Done)
        }
        Outcome::Refused { .. } => Ok(Step::Done),
    }
}

async fn drop_all(app: &App, plans: Vec<Plan>) -> Result<Step, Problem> {
    for plan in plans {
        app.store.change_plan(plan, None).await?;
    }
    Ok(Step::Done)
}

/// Games in which an answer is held back, and until when they are left alone.
#[derive(Default)]
pub(super) struct HeldBack(HashMap<TableId, Instant>);

impl HeldBack {
    /// Those that were left alone for long enough are looked at again.
    fn pass(&mut self, now: Instant) {
        self.0.retain(|_, until| *until > now);
    }

    fn has(&self, id: TableId) -> bool {
        self.0.contains_key(&id)
    }

    fn add(&mut self, id: TableId, now: Instant) {
        self.0.insert(id, now + HELD_FOR);
    }
}

/// Looks at the plans whose games have gone on or ended without them.
pub(super) async fn catch_up(app: &App, held: &mut HeldBack) {
    held.pass(Instant::now());
    let mut after = None;
    loop {
        let page = match app.store.stale_plans(after, PAGE).await {
            Ok(page) => page,
            Err(error) => return tracing::warn!(%error, "plans could not be looked at"),
        };
        for plan in &page {
            let is_ours = app.games.live().has_share(plan.table.number());
            if is_ours && !held.has(plan.table) && follow(app, plan.table).await {
                held.add(plan.table, Instant::now());
            }
        }
        let Some(last) = page.last().filter(|_| page.len() == PAGE as usize) else {
            return;
        };
        after = Some((last.table, last.account));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_holds_an_answer_back_is_left_alone_for_minutes() {
        let [one, other] = [1, 2].map(|number| TableId::from_number(number).expect("an id"));
        let now = Instant::now();
        let mut held = HeldBack::default();
        held.add(one, now);
        held.pass(now + HELD_FOR / 2);
        assert!(held.has(one) && !held.has(other));
        held.pass(now + HELD_FOR);
        assert!(!held.has(one));
    }
}
