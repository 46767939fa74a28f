//! The game of two who were paired.

use chess::Color;
use chess::game::{ColorChoice, Command, Creation, Event, Game};
use chess::pairing::{Origin, Pair, Pool, Seeker};
use chess::rules::{Start, Variant};
use chess::table::Actor;
use live::{Failure, Outcome, With};
use rand::RngExt;
use store::TableId;

use crate::play::place::new_id;
use crate::play::{App, ratings};
use crate::problem::Problem;

/// Makes their game, or has one join the other's. Whether it was made: if one of the
/// two has gone or plays by now, there is nothing.
pub(super) async fn open(app: &App, pool: &Pool, pair: &Pair) -> Result<bool, Problem> {
    let seekers = || [&pair.seekers.white, &pair.seekers.black].into_iter();
    let tickets = seekers().filter_map(|seeker| match seeker.origin {
        Origin::Ticket(id) => Some(id),
        Origin::OpenGame { .. } => None,
    });
    let with = With {
        tickets: tickets.collect(),
        ..With::default()
    };
    match pair.open_game() {
        Some(number) => {
            let comes = seekers().find(|s| matches!(s.origin, Origin::Ticket(_)));
            match (TableId::from_number(number), comes) {
                (Some(id), Some(comes)) => join(app, pool, id, comes, pair, with).await,
                _ => Ok(false),
            }
        }
        None => make(app, pool, pair, with).await,
    }
}

async fn make(app: &App, pool: &Pool, pair: &Pair, with: With) -> Result<bool, Problem> {
    let game = paired(app, pool, pair).await?;
    let id = new_id();
    match app.games.create(id, game, None, with).await {
        Ok(_) => Ok(true),
        // One of the two is gone, or the id is taken: whoever still waits is paired anew.
        Err(Failure::Taken) => Ok(false),
        Err(failure) => Err(failure.into()),
    }
}

async fn paired(app: &App, pool: &Pool, pair: &Pair) -> Result<Game, Problem> {
    let (white, black) = (pair.seekers.white.player, pair.seekers.black.player);
    let start = match pool.variant {
        Variant::Chess960 => Start::Chess960(rand::rng().random_range(0..960)),
        _ => Start::Usual,
    };
    let creation = Creation {
        // Which side each has is not for whoever counts as the creator to say.
        color: ColorChoice::Random,
        opponent: Some(black),
        start,
        ..Creation::open(white, pool.terms())
    };
    let ratings = ratings::at_start(app, white, black, pool.category()).await?;
    let now = app.now();
    let mut game = Game::create(now, creation)?;
    let joined = Event::Joined {
        player: black,
        color: Color::Black,
        ratings: ratings.by_color(Color::Black),
    };
    game.evolve(now, &joined);
    Ok(game)
}

async fn join(
    app: &App,
    pool: &Pool,
    id: TableId,
    comes: &Seeker,
    pair: &Pair,
    with: With,
) -> Result<bool, Problem> {
    let is_white = pair.seekers.white.origin == comes.origin;
    let (toss, creator) = match is_white {
        true => (Color::White, pair.seekers.black.player),
        false => (Color::Black, pair.seekers.white.player),
    };
    let command = Command::Join {
        toss,
        by_code: false,
        ratings: ratings::at_start(app, creator, comes.player, pool.category()).await?,
    };
    let who = Actor::Player(comes.player);
    let submitted = app.games.submit(id, who, command, app.now(), with);
    Ok(matches!(submitted.await?, Outcome::Changed { .. }))
}
