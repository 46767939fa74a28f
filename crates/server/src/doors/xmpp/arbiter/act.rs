//! Carrying out what somebody wants: each by one function of `play`.

use std::net::{IpAddr, Ipv6Addr};

use chess::game::{ColorChoice, Phase};
use chess::table::{PlayerId, State};
use store::{OutsideIdentity, TableId};

use super::super::{Door, identity};
use super::request::Wish;
use crate::play::lists::{self, Only, Wanted};
use crate::play::look::look;
use crate::play::moves::{self, Order};
use crate::play::terms::{NewGame, Players};
use crate::play::{Asked, claims, commands, create, join, offers, rematch};
use crate::problem::Problem;

/// What the answer says.
pub(super) enum Done {
    /// That it is done.
    Plain,
    /// Which game came of it.
    Game(TableId),
}

/// Carries it out.
///
/// # Errors
/// Why not.
pub(super) async fn act(
    door: &Door,
    asked: &Asked<'_>,
    jid: &jid::BareJid,
    id: Option<TableId>,
    wish: Wish,
) -> Result<Done, Problem> {
    match wish {
        Wish::Create(new) => made(asked, *new).await,
        Wish::Challenge { to, game } => challenge(door, asked, &to, *game).await,
        Wish::AcceptCode(code) => {
            let from = stand_in(asked.caller.number());
            let joined = join::by_code(asked, from, &code, None).await?;
            Ok(Done::Game(joined.id))
        }
        Wish::Link(code) => {
            let who = OutsideIdentity {
                issuer: identity::LINKED.into(),
                subject: jid.as_str().into(),
            };
            let (app, caller) = (asked.app, asked.caller);
            app.auth.link(&app.rates, caller, &code, who).await?;
            Ok(Done::Plain)
        }
        Wish::Accept | Wish::DeclineChallenge | Wish::Rematch | Wish::DeclineRematch => {
            let say = || Problem::bad_request("id: say which game").with("field", "id");
            meeting(asked, id.ok_or_else(say)?, wish).await
        }
        wish => {
            let id = match id {
                Some(id) => id,
                None => only_game(asked).await?,
            };
            play(asked, id, wish).await
        }
    }
}

/// Whatever is done in a game that runs.
async fn play(asked: &Asked<'_>, id: TableId, wish: Wish) -> Result<Done, Problem> {
    match wish {
        Wish::Move { text, ply } => {
            let order = Order {
                text: &text,
                ply,
                ..Order::default()
            };
            moves::make(asked, id, &order).await?;
        }
        Wish::Resign => drop(commands::resign(asked, id).await?),
        Wish::Abort => abort(asked, id).await?,
        Wish::AddTime(seconds) => drop(commands::add_time(asked, id, seconds).await?),
        Wish::Offer(what) => match offers::offer(asked, id, what).await {
            // Two takebacks would be two positions; here it means that theirs is accepted.
            Err(problem) if problem.code == "offer_pending" => {
                drop(offers::accept(asked, id, what).await?);
            }
            offered => drop(offered?),
        },
        Wish::DeclineOffer(what) => drop(offers::decline(asked, id, what).await?),
        Wish::Resume => drop(commands::resume(asked, id).await?),
        Wish::ClaimWin => drop(claims::win(asked, id).await?),
        Wish::ClaimDraw => drop(claims::draw(asked, id).await?),
        _ => return Err(Problem::bad_request("this is no command to a game")),
    }
    Ok(Done::Plain)
}

/// What leads to another game, or away from it.
async fn meeting(asked: &Asked<'_>, id: TableId, wish: Wish) -> Result<Done, Problem> {
    match wish {
        Wish::Accept => Ok(Done::Game(join::by_id(asked, id).await?.id)),
        Wish::Rematch => Ok(Done::Game(rematch::offer(asked, id).await?.id)),
        Wish::DeclineRematch => {
            decline_rematch(asked, id).await?;
            Ok(Done::Plain)
        }
        _ => {
            commands::decline(asked, id, None).await?;
            Ok(Done::Plain)
        }
    }
}

/// Calls off a game, or withdraws one's own that nobody has joined.
async fn abort(asked: &Asked<'_>, id: TableId) -> Result<(), Problem> {
    let seen = look(asked.app, id, Some(asked.caller)).await?;
    let is_own = seen.game.creator() == asked.caller.number();
    match seen.game.phase() {
        Phase::Waiting if is_own => commands::cancel(asked, id).await?,
        _ => commands::abort(asked, id).await?,
    };
    Ok(())
}

async fn decline_rematch(asked: &Asked<'_>, id: TableId) -> Result<(), Problem> {
    // Whoever may not see the game hears nothing of its rematch.
    look(asked.app, id, Some(asked.caller)).await?;
    let standing = rematch::standing_at(asked.app, id).await;
    let Some((rematch, game)) = standing else {
        return Err(chess::game::Refusal::NoOffer.into());
    };
    match game.creator() == asked.caller.number() {
        true => commands::cancel(asked, rematch).await?,
        false => commands::decline(asked, rematch, None).await?,
    };
    Ok(())
}

async fn made(asked: &Asked<'_>, new: NewGame) -> Result<Done, Problem> {
    Ok(Done::Game(create::make(asked, new).await?.id))
}

/// Makes a game for somebody, who is told of it (`told.rs`).
async fn challenge(
    door: &Door,
    asked: &Asked<'_>,
    to: &jid::BareJid,
    new: NewGame,
) -> Result<Done, Problem> {
    let person = identity::find(door, to).await?;
    let person = person.ok_or_else(|| Problem::not_found("nobody of that name was ever here"))?;
    let color = match new.players {
        Players::Own { color, .. } => color,
        Players::Named { .. } => ColorChoice::Random,
    };
    let new = NewGame {
        players: Players::Own {
            color,
            opponent: Some(person.id.clone()),
        },
        ..new
    };
    made(asked, new).await
}

/// The game that is meant by who names none: the only one that runs, or that waits.
async fn only_game(asked: &Asked<'_>) -> Result<TableId, Problem> {
    let running = [State::Active, State::Paused];
    for states in [&running[..], &[State::Waiting]] {
        let mut found = Vec::new();
        for state in states {
            let wanted = Wanted {
                state: Some(*state),
                player: Some(asked.caller.person.id.clone()),
                variant: None,
                only: Only::default(),
                after: None,
                oldest_first: false,
                limit: 2,
            };
            let page = lists::page(asked.app, Some(asked.caller), wanted).await?;
            found.extend(page.games.into_iter().map(|sight| sight.id));
        }
        match found[..] {
            [] => {}
            [only] => return Ok(only),
            _ => {
                let detail = "id: you play several games; say which";
                return Err(Problem::bad_request(detail).with("field", "id"));
            }
        }
    }
    Err(Problem::game_not_found())
}

/// Whoever comes by XMPP has no address here: one of their own stands for it, where wrong
/// codes are counted by address.
fn stand_in(player: PlayerId) -> IpAddr {
    let [a, b, c, d] = player.number().to_be_bytes();
    let high = |x, y| u16::from_be_bytes([x, y]);
    Ipv6Addr::new(0xfd58, 0x4d50, high(a, b), high(c, d), 0, 0, 0, 1).into()
}
