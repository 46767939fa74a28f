//! What begins and ends among certain players, or of certain games.

use std::collections::{HashSet, VecDeque};
use std::future::pending;
use std::pin::Pin;
use std::time::Duration;

use chess::ByColor;
use chess::Color;
use chess::table::PlayerId;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::{Value, json};
use store::TableId;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::games_max;
use crate::auth::Caller;
use crate::doors::lichess::caller::Base;
use crate::doors::lichess::export::{Page, game, is_game};
use crate::doors::lichess::ndjson;
use crate::doors::lichess::vocab::{self, Rules, Status};
use crate::play::look::look;
use crate::play::{App, Sight, follows, room};
use crate::problem::{Kind, Problem};
use crate::rooms::{Begun, Gathering};
use crate::stream::{Out, Source};

/// After the store could not say.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// A game that has begun, or is over; nothing if nobody can say.
type Further = Pin<Box<dyn Future<Output = Option<Sight>> + Send + Sync>>;

/// A stream about several games.
pub(super) struct Several {
    app: App,
    caller: Option<Caller>,
    base: Base,
    from: From,
    /// Games that are to be looked at, and told of.
    new: VecDeque<TableId>,
    /// Games that were told of.
    known: HashSet<TableId>,
    /// Those that are not over.
    waited_for: FuturesUnordered<Further>,
    /// One that has come further and is not told of yet.
    further: Option<Sight>,
    /// Whether beginnings were lost.
    is_behind: bool,
}

/// Where games come from.
enum From {
    /// Whatever these play with each other.
    Users {
        players: HashSet<PlayerId>,
        begun: Receiver<Begun>,
    },
    /// Whatever is added.
    Added(Gathering),
}

impl Several {
    /// What begins from now on between two of these.
    pub(super) fn of_users(
        app: App,
        caller: Option<Caller>,
        base: Base,
        players: HashSet<PlayerId>,
    ) -> Several {
        let begun = app.rooms.beginnings();
        Several::new(app, caller, base, From::Users { players, begun })
    }

    /// These, and whatever is added under that name.
    pub(super) fn of_games(
        app: App,
        caller: Option<Caller>,
        base: Base,
        name: &str,
        games: Vec<TableId>,
    ) -> Several {
        let from = From::Added(app.rooms.gather(name));
        let mut several = Several::new(app, caller, base, from);
        several.add(games);
        several
    }

    fn new(app: App, caller: Option<Caller>, base: Base, from: From) -> Several {
        Several {
            app,
            caller,
            base,
            from,
            new: VecDeque::new(),
            known: HashSet::new(),
            waited_for: FuturesUnordered::new(),
            further: None,
            is_behind: false,
        }
    }

    /// What these players play already, too.
    pub(super) async fn add_current(&mut self) -> Result<(), Problem> {
        let From::Users { players, .. } = &self.from else {
            return Ok(());
        };
        let players: Vec<PlayerId> = players.iter().copied().collect();
        let playing = follows::playing(&self.app, &players).await?;
        self.add(playing.into_values());
        Ok(())
    }

    /// Notes games to be told of. Those that are over make room for others.
    fn add(&mut self, games: impl IntoIterator<Item = TableId>) {
        let most = games_max(self.caller.as_ref());
        for id in games {
            let has_room = self.waited_for.len() + self.new.len() < most;
            if has_room && self.known.insert(id) {
                self.new.push_back(id);
            }
        }
    }

    /// A game that is new, as the caller sees it; nothing if they may not, or if it is
    /// not between two of those in question.
    async fn look(&self, id: TableId) -> Option<Sight> {
        let sight = look(&self.app, id, self.caller.as_ref()).await.ok()?;
        let is_wanted = match &self.from {
            From::Users { players, .. } => {
                let among = |player: &Option<PlayerId>| {
                    player.is_some_and(|player| players.contains(&player))
                };
                sight.game.seats().iter().all(among)
            }
            From::Added(_) => true,
        };
        Some(sight).filter(|_| is_wanted)
    }

    /// What there is to say of a game, now that it has come so far. If it is not over,
    /// it is waited for.
    async fn tell(&mut self, sight: &Sight) -> Option<Out> {
        let has_begun = is_game(&sight.game);
        let line = match has_begun {
            true => Some(self.line(sight).await),
            false => None,
        };
        if sight.game.ending().is_none() {
            let (app, caller) = (self.app.clone(), self.caller.clone());
            let further = further(app, caller, sight.id, has_begun);
            self.waited_for.push(Box::pin(further));
        } else {
            self.known.remove(&sight.id);
        }
        line
    }

    /// The line about a game.
    async fn line(&self, sight: &Sight) -> Out {
        match Page::of(&self.app, vec![sight.clone()]).await {
            Ok(page) => ndjson::out(&shown(sight, &page, &self.base)),
            Err(_) => Out::close(1013, "try again later"),
        }
    }

    /// Waits until something is to be done. May be interrupted at any time.
    async fn wait(&mut self) -> Result<(), Out> {
        let bye = || Err(Out::BYE);
        let further = async {
            match self.waited_for.next().await {
                Some(further) => further,
                None => pending().await,
            }
        };
        match &mut self.from {
            From::Users { players, begun } => tokio::select! {
                further = further => self.further = further,
                told = begun.recv() => match told {
                    Ok(Begun { id, players: both }) => {
                        if both.iter().all(|player| players.contains(player)) {
                            self.add([id]);
                        }
                    }
                    Err(RecvError::Lagged(_)) => self.is_behind = true,
                    Err(RecvError::Closed) => return bye(),
                },
            },
            From::Added(gathering) => tokio::select! {
                further = further => self.further = further,
                added = gathering.added() => match added {
                    Some(games) => self.add(games),
                    None => return bye(),
                },
            },
        }
        Ok(())
    }
}

/// Waits until a game has begun, or is over, as the caller may know of it.
async fn further(app: App, caller: Option<Caller>, id: TableId, has_begun: bool) -> Option<Sight> {
    let mut visit = room::visit(&app, id, caller.as_ref()).await.ok()?;
    loop {
        let sight = match look(&app, id, caller.as_ref()).await {
            Ok(sight) => sight,
            // A store that cannot say now is asked until it can.
            Err(problem) if problem.kind == Kind::Unavailable => {
                tokio::time::sleep(ASK_AGAIN).await;
                continue;
            }
            Err(_) => return None,
        };
        if sight.game.ending().is_some() || is_game(&sight.game) != has_begun {
            return Some(sight);
        }
        if !visit.is_stirred().await {
            return None;
        }
    }
}

/// `status` is a number here.
fn shown(sight: &Sight, page: &Page, base: &Base) -> Value {
    let game = &sight.game;
    let card = page.card(base, sight);
    let status = Status::of(game);
    let terms = game.terms();
    let side = |color: Color| {
        let side = card.players.get(color);
        let mut told = json!({ "userId": side.user.as_ref().map(|user| &user.id) });
        if let Some(rating) = side.rating {
            told["rating"] = json!(rating.points);
            if rating.provisional {
                told["provisional"] = json!(true);
            }
        }
        told
    };
    let players = ByColor {
        white: side(Color::White),
        black: side(Color::Black),
    };
    let mut told = json!({
        "id": card.id,
        "rated": terms.rated,
        "variant": Rules::of(game).key(),
        "speed": vocab::speed(terms.control.speed()),
        "perf": vocab::perf(vocab::category(game)),
        "createdAt": game.created_at().0,
        "status": status.id,
        "statusName": status.name,
        "players": { "white": players.white, "black": players.black },
    });
    if let Some((initial, increment)) = vocab::clock(&terms.control) {
        told["clock"] = game::clock(initial.as_secs(), increment.as_secs());
    }
    if let Some(winner) = game.ending().and_then(|ending| ending.winner()) {
        told["winner"] = json!(vocab::color(winner));
    }
    told
}

impl Source for Several {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    async fn next(&mut self) -> Out {
        loop {
            // Being interrupted must lose nothing.
            if let Some(sight) = self.further.clone() {
                let line = self.tell(&sight).await;
                self.further = None;
                if let Some(line) = line {
                    return line;
                }
                continue;
            }
            if let Some(id) = self.new.front().copied() {
                let sight = self.look(id).await;
                let line = match &sight {
                    Some(sight) => self.tell(sight).await,
                    None => {
                        self.known.remove(&id);
                        None
                    }
                };
                self.new.pop_front();
                if let Some(line) = line {
                    return line;
                }
                continue;
            }
            if self.is_behind {
                if self.add_current().await.is_err() {
                    return Out::close(1013, "try again later");
                }
                self.is_behind = false;
                continue;
            }
            if let Err(out) = self.wait().await {
                return out;
            }
        }
    }
}
