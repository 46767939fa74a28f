//! What concerns an account, as it happens: challenges, games that begin, games that end.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use chess::game::{Ending, Event, Game};
use chess::table::{PlayerId, State as Phase, Table};
use live::room::{Inbox, Unheard};
use serde_json::{Value, json};
use store::{ListQuery, RatedGame, TableId};

use super::account::running;
use super::caller::{Base, Player};
use super::challenge::{Challenges, declined};
use super::error::Error;
use super::words::Info;
use super::{Call, ndjson};
use crate::auth::{Caller, Names, Scope};
use crate::games::Listed;
use crate::http::ClientAddress;
use crate::limits::rates::Rate;
use crate::play::names::people;
use crate::play::{App, ratings};
use crate::rooms::news::GameChange;
use crate::rooms::solo::{Hold, Solo};
use crate::rooms::{News, What};
use crate::stream::{Out, Source};

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    vec![Call::get("/api/stream/event", stream)]
}

/// Games, and challenges, that are told of when somebody comes.
const PENDING_MAX: u32 = 100;

async fn stream(
    State(app): State<App>,
    player: Player,
    Base(base): Base,
    address: ClientAddress,
) -> Result<Response, Error> {
    let scopes = [Scope::ChallengeRead, Scope::BotPlay, Scope::BoardPlay];
    let caller = player.with(&scopes)?;
    // Two processes with one token would chase each other without end.
    app.rates.check(Rate::OwnStream, caller.number())?;
    let place = app.rooms.place(Some(caller.number()), address.0)?;
    let events = Events::open(app, caller, base).await?;
    Ok(ndjson::serve(events, place))
}

/// How far the account was told of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Challenge,
    Start,
}

/// The stream.
struct Events {
    app: App,
    caller: Caller,
    base: String,
    lane: Inbox<News>,
    hold: Hold,
    pending: VecDeque<Out>,
    /// What has been taken from the lane and is not told yet.
    news: Option<News>,
    /// Whether news were lost: being interrupted must not lose this.
    must_look: bool,
    /// Challenges and games that are not over, so that each is told of once.
    told: HashMap<TableId, Told>,
}

/// What is to be said of a game, and how far it is told then; nothing: it is over.
type Said = (TableId, Option<Told>, Option<Value>);

impl Events {
    async fn open(app: App, caller: Caller, base: String) -> Result<Events, Error> {
        let player = caller.number();
        let hold = app.rooms.hold(Solo::Own(player, token(&caller)));
        let lane = app.rooms.follow(player);
        let mut events = Events {
            app,
            caller,
            base,
            lane,
            hold,
            pending: VecDeque::new(),
            news: None,
            must_look: true,
            told: HashMap::new(),
        };
        events.look().await?;
        Ok(events)
    }

    /// Says whatever there is and was not said: games that run, challenges that wait.
    /// What was known and is no longer there is over.
    async fn look(&mut self) -> Result<(), Error> {
        let player = self.caller.number();
        let mut said = Vec::new();
        for (id, game) in running(&self.app, player, PENDING_MAX).await? {
            if self.told.get(&id) != Some(&Told::Start) {
                let start = self.game("gameStart", id, &game, None).await?;
                said.push((id, Some(Told::Start), start));
            }
        }
        for (id, game) in waiting(&self.app, player).await? {
            if !self.told.contains_key(&id) {
                let is_in = game.opponent() == Some(player);
                let told = match is_in {
                    true => Some(self.challenge("challenge", id, &game).await?),
                    false => None,
                };
                said.push((id, Some(Told::Challenge), told));
            }
        }
        // Only what is gone is read by itself.
        let known: Vec<TableId> = self.told.keys().copied().collect();
        for id in known {
            if !said.iter().any(|(of, ..)| *of == id) {
                let game = self.app.games.newest(id).await?;
                if game.ending().is_some() {
                    said.push(self.ended(id, &game, None).await?);
                }
            }
        }
        for one in said {
            self.note(one);
        }
        self.must_look = false;
        Ok(())
    }

    fn note(&mut self, (id, told, value): Said) {
        match told {
            Some(told) => drop(self.told.insert(id, told)),
            None => drop(self.told.remove(&id)),
        }
        self.pending.extend(value.as_ref().map(ndjson::out));
    }

    /// What a change means for the account; nothing if that was said.
    async fn change(&self, change: &GameChange) -> Result<Option<Said>, Error> {
        let (id, game) = (change.id, &*change.after);
        let told = self.told.get(&id).copied();
        let was_over = change.before.as_ref().is_some_and(|b| b.ending().is_some());
        if game.ending().is_some() {
            return match was_over {
                true => Ok(None),
                false => Ok(Some(self.ended(id, game, change.rated.as_ref()).await?)),
            };
        }
        let has_begun = game.started_at().is_some();
        let begins = matches!(change.event, None | Some(Event::Joined { .. }));
        if has_begun {
            // Of what had begun before somebody came they were told.
            if told == Some(Told::Start) || !(begins || told.is_some()) {
                return Ok(None);
            }
            let start = self.game("gameStart", id, game, None).await?;
            return Ok(Some((id, Some(Told::Start), start)));
        }
        if told.is_some() || game.opponent().is_none() || change.event.is_some() {
            return Ok(None);
        }
        let said = self.challenge("challenge", id, game).await?;
        Ok(Some((id, Some(Told::Challenge), Some(said))))
    }

    /// A game, or a challenge, is over.
    async fn ended(
        &self,
        id: TableId,
        game: &Game,
        rated: Option<&RatedGame>,
    ) -> Result<Said, Error> {
        let said = if game.started_at().is_some() {
            self.game("gameFinish", id, game, rated).await?
        } else if game.opponent().is_none() {
            None
        } else {
            let kind = match declined(game) {
                Some(_) => "challengeDeclined",
                None => "challengeCanceled",
            };
            Some(self.challenge(kind, id, game).await?)
        };
        Ok((id, None, said))
    }

    async fn game(
        &self,
        kind: &str,
        id: TableId,
        game: &Game,
        rated: Option<&RatedGame>,
    ) -> Result<Option<Value>, Error> {
        let names = Names::of(&self.app, people(game)).await?;
        let looked_up = match (rated, game.ending()) {
            (None, Some(Ending::Won { .. } | Ending::Drawn { .. })) => {
                ratings::of_game(&self.app, id, game).await?
            }
            _ => None,
        };
        let info = Info {
            app: &self.app,
            id,
            game,
            player: self.caller.number(),
            names: &names,
            rated: rated.or(looked_up.as_ref()),
            now: self.app.now(),
        };
        let info = info.event();
        Ok(info.map(|info| json!({ "type": kind, "game": info })))
    }

    async fn challenge(&self, kind: &str, id: TableId, game: &Game) -> Result<Value, Error> {
        let challenges = Challenges::of(&self.app, &self.base, [game]).await?;
        Ok(challenges.event(kind, id, game, Some(self.caller.number())))
    }

    /// What news mean; an error if the store cannot say.
    async fn tell(&self, news: &News) -> Result<Option<Said>, Error> {
        match news.what() {
            What::Changed(change) => self.change(change).await,
            What::Look(id, _) => self.standing(*id).await,
            _ => Ok(None),
        }
    }

    /// How a game stands of whose last change nobody told.
    async fn standing(&self, id: TableId) -> Result<Option<Said>, Error> {
        let game = self.app.games.newest(id).await?;
        let told = self.told.get(&id).copied();
        if game.ending().is_some() {
            return match told {
                Some(_) => Ok(Some(self.ended(id, &game, None).await?)),
                None => Ok(None),
            };
        }
        if game.started_at().is_some() {
            if told == Some(Told::Start) {
                return Ok(None);
            }
            let start = self.game("gameStart", id, &game, None).await?;
            return Ok(Some((id, Some(Told::Start), start)));
        }
        if told.is_some() || game.opponent().is_none() {
            return Ok(None);
        }
        let said = self.challenge("challenge", id, &game).await?;
        Ok(Some((id, Some(Told::Challenge), Some(said))))
    }
}

/// Challenges that wait for somebody, or that they made.
async fn waiting(app: &App, player: PlayerId) -> Result<Vec<(TableId, Arc<Game>)>, Error> {
    let query = ListQuery {
        kind: Some(Game::KIND),
        state: Some(Phase::Waiting),
        player: Some(player),
        viewer: Some(player),
        is_addressed: Some(true),
        limit: PENDING_MAX,
        ..ListQuery::default()
    };
    let found = app.games.list(query).await?;
    let found = found.into_iter().filter_map(|Listed { place, game, .. }| {
        let game = game.filter(|game| game.state() == Phase::Waiting)?;
        Some((place.table, game))
    });
    Ok(found.collect())
}

/// By what a client is known: its token.
fn token(caller: &Caller) -> u64 {
    let mut hasher = DefaultHasher::new();
    caller.token.hash(&mut hasher);
    hasher.finish()
}

impl Source for Events {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        Some(&self.caller)
    }

    fn is_player(&self) -> bool {
        true
    }

    async fn next(&mut self) -> Out {
        loop {
            if let Some(out) = self.pending.pop_front() {
                if self.pending.is_empty() {
                    self.pending = VecDeque::new();
                }
                return out;
            }
            if self.must_look {
                match Box::pin(self.look()).await {
                    Ok(()) => continue,
                    // Whoever comes again is told all there is.
                    Err(_) => return Out::close(1013, "try again later"),
                }
            }
            if let Some(news) = self.news.clone() {
                let said = Box::pin(self.tell(&news)).await;
                self.news = None;
                match said {
                    Ok(said) => said.into_iter().for_each(|said| self.note(said)),
                    Err(_) => return Out::close(1013, "try again later"),
                }
                continue;
            }
            tokio::select! {
                told = self.lane.recv() => match told {
                    Ok(news) if matches!(news.what(), What::Farewell) => return Out::BYE,
                    Ok(news) => self.news = Some(news),
                    Err(Unheard::Missed) => {
                        // What is still kept of it is older than what is looked at now.
                        self.lane.clear();
                        self.must_look = true;
                    }
                    Err(Unheard::Closed) => return Out::BYE,
                },
                () = self.hold.over() => return Out::close(1000, "another stream took its place"),
            }
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.app.rooms.unfollow(self.caller.number());
    }
}
