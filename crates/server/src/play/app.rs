//! Everything a request handler needs, in one place.

use std::ops::Deref;
use std::sync::Arc;

use chess::Timestamp;
use chess::skill::Match;
use store::Store;

use super::analysis::Analyst;
use super::components::Components;
use super::events::Events;
use super::figures::Figures;
use super::house::House;
use super::keys::Keys;
use super::matchmaking::Matchmaker;
use super::move_counts::MoveCounts;
use super::notify::Notifier;
use super::place::Unfinished;
use super::purged::Purged;
use super::ratings::Ratings;
use super::readiness::Readiness;
use super::scores::Scores;
use super::tasks::Tasks;
use super::tv::Guide;
use crate::auth::Auth;
use crate::clock::Clock;
use crate::games::Games;
use crate::limits::connections::Connections;
use crate::limits::queue::Queue;
use crate::limits::rates::RateLimits;
use crate::outside::Outside;
use crate::picture::gallery::Gallery;
use crate::rooms::Rooms;
use crate::settings::Settings;

/// The running server, cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What the server is made of.
pub struct Parts {
    /// What the operator chose.
    pub settings: Settings,
    /// The games of chess that run.
    pub games: Games,
    /// The matches of skill chess that run.
    pub matches: Games<Match>,
    /// Who watches them, and what they are told.
    pub rooms: Rooms,
    /// Accounts, tokens, lists: whatever is not a running game.
    pub store: Store,
    /// Who callers are.
    pub auth: Auth,
    /// Those who wait for an opponent.
    pub matchmaker: Matchmaker,
    /// Tells those who are not looking.
    pub notifier: Notifier,
    /// The bots that live here.
    pub house: House,
    /// Whoever goes through finished games.
    pub analyst: Analyst,
    /// Idempotency keys whose first request is still being answered.
    pub keys: Keys,
    /// Pictures of boards.
    pub gallery: Gallery,
    /// The moves of long games.
    pub scores: Scores,
    /// How many games players have.
    pub unfinished: Unfinished,
    /// What games did to ratings.
    pub ratings: Ratings,
    /// What runs and anybody may see.
    pub(crate) guide: Guide,
    /// How moves were answered.
    pub move_counts: MoveCounts,
    /// How the server was doing.
    pub figures: Figures,
    /// What others are told.
    pub events: Events,
    /// Those who have a long game gone through.
    pub(crate) replays: Queue,
    /// How much each caller may ask for.
    pub rates: RateLimits,
    /// Who is connected.
    pub connections: Connections,
    /// Targets that users name.
    pub outside: Outside,
    /// The XMPP server that this one joined.
    pub components: Components,
    /// What was forgotten.
    pub purged: Purged,
    /// What must go on, and whether it does.
    pub tasks: Tasks,
    /// Whether the store works.
    pub readiness: Readiness,
    /// What time it is.
    pub clock: Clock,
}

impl App {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> App {
        App(Arc::new(parts))
    }

    /// The time of the games.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What the machine's clock shows: for whatever is no event of a game.
    pub fn wall(&self) -> Timestamp {
        self.clock.wall()
    }
}

impl Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl AsRef<Auth> for App {
    fn as_ref(&self) -> &Auth {
        &self.auth
    }
}
