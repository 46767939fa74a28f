//! Who could play whom: those with a ticket, and those whose open game waits for
//! anybody.

use std::collections::HashMap;

use chess::game::Game;
use chess::pairing::{Blocks, Colors, Origin, Pool, Seeker};
use chess::rules::Start;
use chess::table::{PlayerId, State};
use store::{ListQuery, Ticket};

use crate::games::Listed;
use crate::play::{App, ratings, standing};
use crate::problem::Problem;

/// Open games that are looked at: the newest, since those are the likeliest to last.
const OPEN_MAX: u32 = 200;

/// Those who wait in one pool.
pub(super) struct Pooled {
    pub(super) pool: Pool,
    pub(super) seekers: Vec<Seeker>,
}

/// Those with a ticket, by pool; those with an open game where somebody has a ticket.
pub(super) async fn by_pool(app: &App, tickets: &[Ticket]) -> Result<Vec<Pooled>, Problem> {
    let mut pools: HashMap<&str, Vec<Seeker>> = HashMap::new();
    for ticket in tickets {
        let pool = ticket.wish.pool.as_str();
        pools.entry(pool).or_default().push(ticket.seeker());
    }
    let mut pooled: Vec<Pooled> = pools
        .into_iter()
        .filter_map(|(pool, seekers)| match pool.parse() {
            Ok(pool) => Some(Pooled { pool, seekers }),
            Err(_) => {
                tracing::error!(pool, "somebody waits for games that nobody knows");
                None
            }
        })
        .collect();
    if !pooled.is_empty() {
        add_open_games(app, &mut pooled).await?;
    }
    Ok(pooled)
}

async fn add_open_games(app: &App, pooled: &mut [Pooled]) -> Result<(), Problem> {
    let query = ListQuery {
        kind: Some(Game::KIND),
        state: Some(State::Waiting),
        // Challenges would crowd out what waits for anybody.
        is_addressed: Some(false),
        known_at: Some(app.now()),
        limit: OPEN_MAX,
        ..ListQuery::default()
    };
    let listed = app.games.list(query).await?;
    let open = listed.into_iter().filter_map(|Listed { place, game, .. }| {
        let game = game.filter(|game| is_for_anybody(game))?;
        let pool = Pool::of(game.terms())?;
        Some((place, game, pool))
    });
    let open: Vec<_> = open.collect();
    // How strong they all are is asked at once.
    let mut creators: Vec<PlayerId> = open.iter().map(|(_, game, _)| game.creator()).collect();
    creators.sort_unstable();
    creators.dedup();
    let known = app.store.ratings_of(&creators).await?;
    let now = app.now();
    for (place, game, pool) in open {
        if let Some(pooled) = pooled.iter_mut().find(|pooled| pooled.pool == pool) {
            let creation = game.creation();
            let category = pool.category();
            pooled.seekers.push(Seeker {
                origin: Origin::OpenGame {
                    id: place.table.number(),
                    color: creation.color,
                },
                player: game.creator(),
                rating: ratings::standing(&known, game.creator(), category).at(now),
                since: game.created_at(),
                range: None,
                side: None,
                colors: Colors::default(),
                last_opponent: None,
            });
        }
    }
    Ok(())
}

/// Whether a game waits for whoever comes, from the usual start.
fn is_for_anybody(game: &Game) -> bool {
    game.is_open() && matches!(game.creation().start, Start::Usual | Start::Chess960(_))
}

/// Those who may play rated games, and the tickets of those who may not. It is asked in every
/// round, and not only when somebody begins to wait: it may be decided meanwhile.
pub(super) async fn without_barred(
    app: &App,
    seekers: Vec<Seeker>,
) -> Result<(Vec<Seeker>, Vec<u64>), Problem> {
    let players: Vec<PlayerId> = seekers.iter().map(|seeker| seeker.player).collect();
    let barred = standing::barred_among(app, &players).await?;
    let (out, stay): (Vec<Seeker>, Vec<Seeker>) = seekers
        .into_iter()
        .partition(|seeker| barred.contains(&seeker.player));
    let tickets = out.into_iter().filter_map(|seeker| match seeker.origin {
        Origin::Ticket(id) => Some(id),
        Origin::OpenGame { .. } => None,
    });
    Ok((stay, tickets.collect()))
}

/// Who of these has blocked whom.
pub(super) async fn blocks(app: &App, seekers: &[Seeker]) -> Result<Blocks, Problem> {
    let players: Vec<PlayerId> = seekers.iter().map(|seeker| seeker.player).collect();
    Ok(Blocks::new(app.store.blocks_among(&players).await?))
}
