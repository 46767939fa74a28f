//! What players do in a game. Each is one call of what lies behind every door, and is
//! answered when it counts; what changes nothing is answered likewise, where clients
//! expect that.

use std::ops::Deref;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::routing::MethodFilter;
use chess::Color;
use chess::game::{Game, Offer};
use live::room::{Audience, Role};
use serde_json::{Value, json};

use super::Call;
use super::body::{Asked as Query, Sent, is_yes};
use super::caller::{Player, Seat, game_id};
use super::error::Error;
use crate::auth::Scope;
use crate::http::Path;
use crate::limits::rates::Rate;
use crate::play::moves::{self, Order};
use crate::play::names::Names;
use crate::play::sight::visible;
use crate::play::{App, Asked, claims, commands, offers, room};
use crate::problem::{Kind, Problem};

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    let post = MethodFilter::POST;
    let mut calls: Vec<Call> = [
        Call::both(post, "/game/{id}/move/{uci}", make_move),
        Call::both(post, "/game/{id}/abort", abort),
        Call::both(post, "/game/{id}/resign", resign),
        Call::both(post, "/game/{id}/draw/{accept}", draw),
        Call::both(post, "/game/{id}/takeback/{accept}", takeback),
        Call::both(post, "/game/{id}/claim-victory", claim_victory),
        Call::both(post, "/game/{id}/claim-draw", claim_draw),
        Call::both(post, "/game/{id}/chat", speak),
        Call::both(MethodFilter::GET, "/game/{id}/chat", said),
    ]
    .into_iter()
    .flatten()
    .collect();
    calls.push(Call::post("/api/board/game/{id}/berserk", berserk));
    calls.push(Call::post("/api/round/{id}/add-time/{seconds}", add_time));
    calls
}

/// `{"ok": true}`.
pub(super) type Done = Result<Json<Value>, Error>;

/// It is done, or need not be.
pub(super) fn done() -> Done {
    Ok(Json(json!({ "ok": true })))
}

/// Makes a move. Whoever offers a draw with it and is offered one has agreed: then the
/// game is over, and the move is not made.
async fn make_move(
    seat: Seat,
    Path((_, uci)): Path<(String, String)>,
    Query(query): Query,
) -> Done {
    let offers_draw = query.flag("offeringDraw");
    let asked = seat.asked(Rate::Move).await;
    if offers_draw {
        let game = own_game(&seat).await?;
        if game.offer(Offer::Draw) == Some(!game.color) {
            match offers::accept(&asked, seat.game, Offer::Draw).await {
                Ok(_) => return done(),
                // It has just been withdrawn: then the move counts.
                Err(problem) if problem.code == "no_offer" => {}
                Err(problem) => return Err(problem.into()),
            }
        }
    }
    let order = Order {
        text: &uci,
        offers_draw,
        ..Order::default()
    };
    moves::make(&asked, seat.game, &order).await?;
    done()
}

/// Calls the game off, before both have moved.
async fn abort(seat: Seat) -> Done {
    let asked = seat.asked(Rate::Command).await;
    own_game(&seat).await?;
    commands::abort(&asked, seat.game).await?;
    done()
}

/// Gives up; before both have moved that calls the game off.
async fn resign(seat: Seat) -> Done {
    let asked = seat.asked(Rate::Command).await;
    let game = own_game(&seat).await?;
    if game.ply() < 2 {
        let aborted = commands::abort(&asked, seat.game).await;
        match aborted {
            // The second has just moved.
            Err(problem) if problem.code == "too_late_to_abort" => {}
            aborted => {
                aborted?;
                return done();
            }
        }
    }
    commands::resign(&asked, seat.game).await?;
    done()
}

/// `yes` offers a draw, or accepts one; `no` declines it.
async fn draw(seat: Seat, path: Path<(String, String)>) -> Done {
    offer(&seat, path, Offer::Draw).await
}

/// `yes` asks to take back a move, or lets the opponent; `no` declines, or withdraws.
async fn takeback(seat: Seat, path: Path<(String, String)>) -> Done {
    offer(&seat, path, Offer::Takeback).await
}

async fn offer(seat: &Seat, Path((_, accept)): Path<(String, String)>, what: Offer) -> Done {
    let asked = seat.asked(Rate::Command).await;
    let game = own_game(seat).await?;
    let is_offered = game.offer(what) == Some(!game.color);
    let offered = match is_yes(&accept) {
        true if is_offered => offers::accept(&asked, seat.game, what).await,
        true => offers::offer(&asked, seat.game, what).await,
        false => offers::decline(&asked, seat.game, what).await,
    };
    match offered {
        Err(problem) if !is_idle(&problem) => Err(problem.into()),
        _ => done(),
    }
}

/// Whether an offer or an answer changes nothing, of which clients are not told.
fn is_idle(problem: &Problem) -> bool {
    let idle = ["too_soon", "not_allowed", "no_offer", "offer_pending"];
    idle.contains(&problem.code)
}

/// Claims the win of an opponent who left.
async fn claim_victory(seat: Seat) -> Done {
    let asked = seat.asked(Rate::Command).await;
    own_game(&seat).await?;
    claims::win(&asked, seat.game).await?;
    done()
}

/// Claims a draw, by the board or because the opponent left.
async fn claim_draw(seat: Seat) -> Done {
    let asked = seat.asked(Rate::Command).await;
    own_game(&seat).await?;
    claims::draw(&asked, seat.game).await?;
    done()
}

/// Half the time for more points: in arenas, which there are none of.
async fn berserk(seat: Seat) -> Done {
    own_game(&seat).await?;
    Err(Error::refused("Berserk is only possible in arenas"))
}

/// Gives the opponent time.
async fn add_time(
    State(app): State<App>,
    player: Player,
    Path((id, seconds)): Path<(String, String)>,
) -> Done {
    let scopes = [Scope::ChallengeWrite, Scope::BotPlay, Scope::BoardPlay];
    let caller = player.with(&scopes)?;
    let seconds = seconds.parse();
    let seconds = seconds.map_err(|_| Error::form("seconds", "Numeric value expected"))?;
    let asked = Asked::new(&app, &caller);
    commands::add_time(&asked, game_id(&id)?, seconds).await?;
    done()
}

/// The longest line; what is more is cut.
const TEXT_MAX: usize = 140;

/// Speaks to the room, or to the observers.
async fn speak(seat: Seat, Sent(sent): Sent) -> Done {
    own_game(&seat).await?;
    let audience = match sent.text("room") {
        Some("spectator") => Audience::Observers,
        _ => Audience::Room,
    };
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text = sent.text("text").unwrap_or_default().chars().map(plain);
    let longest = TEXT_MAX.min(seat.app.settings.chat_characters);
    let text: String = text.take(longest).collect();
    if text.trim().is_empty() {
        return done();
    }
    let said = room::say(&seat.app, seat.game, &seat.caller, &text, audience).await;
    match said {
        // Clients greet before they move, and a refusal would keep them from moving:
        // what may not be said is not said.
        Err(problem) if problem.kind == Kind::Unavailable => Err(problem.into()),
        _ => done(),
    }
}

/// What the players said to each other.
async fn said(seat: Seat) -> Done {
    let (app, id) = (&seat.app, seat.game);
    own_game(&seat).await?;
    let occupant = room::glance(app, id, Some(&seat.caller)).await?;
    let now = app.now();
    let history = room::history(app, id, &occupant.game, &occupant.viewer, None, now).await?;
    let lines = history.new.into_iter().filter(|line| {
        let facts = &line.facts;
        facts.audience == Audience::Room && facts.role == Role::Player && !facts.is_notice
    });
    let lines: Vec<_> = lines.collect();
    let names = Names::of(app, lines.iter().map(|line| line.facts.from)).await?;
    let lines = lines.iter().map(|line| {
        let person = names.get(line.facts.from);
        json!({ "user": person.map_or("?", |person| &person.name), "text": line.text })
    });
    Ok(Json(lines.collect()))
}

/// A game of the caller's, as it stands.
struct OwnGame {
    game: Arc<Game>,
    color: Color,
}

impl Deref for OwnGame {
    type Target = Game;
    fn deref(&self) -> &Game {
        &self.game
    }
}

/// Insists that the caller plays there, and that there is a game: what waits is none.
async fn own_game(seat: &Seat) -> Result<OwnGame, Error> {
    let game = visible(&seat.app, seat.game, Some(&seat.caller)).await?;
    let color = game.seat_of(seat.caller.number());
    match color.filter(|_| game.started_at().is_some()) {
        Some(color) => Ok(OwnGame { game, color }),
        None => Err(Error::not_found("Not your game")),
    }
}
