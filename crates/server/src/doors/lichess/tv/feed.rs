//! A channel, live: the game that it shows, position by position, and then the next.

use std::collections::VecDeque;

use chess::Color;
use serde_json::{Value, json};
use store::TableId;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::{Channel, orientation, shown};
use crate::auth::Caller;
use crate::doors::lichess::caller::Base;
use crate::doors::lichess::export::Page;
use crate::doors::lichess::export::card::User;
use crate::doors::lichess::ndjson;
use crate::doors::lichess::vocab;
use crate::doors::lichess::watch::{Told, clocks};
use crate::play::look::look;
use crate::play::{App, Sight, room, tv};
use crate::problem::Problem;
use crate::rooms::{Begun, Visit};
use crate::stream::{Out, Source};

/// Somebody who watches a channel.
pub(super) struct Feed {
    app: App,
    caller: Option<Caller>,
    base: Base,
    channel: Channel,
    begun: Receiver<Begun>,
    /// What is shown now.
    on_air: Option<OnAir>,
    /// What could be shown next: looked for among all, or the game that has just begun.
    next: Next,
    pending: VecDeque<Out>,
}

struct OnAir {
    visit: Visit,
    told: Told,
    /// Whether the game must be looked at: being interrupted must lose nothing.
    is_stale: bool,
}

#[derive(Clone, Copy)]
enum Next {
    Any,
    Just(TableId),
    /// Nothing runs: whatever begins.
    Nothing,
}

impl Feed {
    /// Nothing is shown yet.
    pub(super) fn open(app: App, caller: Option<Caller>, base: Base, channel: Channel) -> Feed {
        Feed {
            begun: app.rooms.beginnings(),
            app,
            caller,
            base,
            channel,
            on_air: None,
            next: Next::Any,
            pending: VecDeque::new(),
        }
    }

    /// Finds a game to show.
    async fn find(&self) -> Result<Option<(OnAir, Sight)>, Problem> {
        let app = &self.app;
        match self.next {
            Next::Nothing => Ok(None),
            Next::Just(id) => match look(app, id, None).await {
                Ok(sight) => self.take(&[sight]).await,
                Err(_) => Ok(None),
            },
            Next::Any => {
                let known = app.guide.games(app).await?;
                if let Some(found) = self.take(&known).await? {
                    return Ok(Some(found));
                }
                // What has begun since then is not among them.
                self.take(&tv::running(app).await?).await
            }
        }
    }

    /// Comes to the first of these that still runs.
    async fn take(&self, games: &[Sight]) -> Result<Option<(OnAir, Sight)>, Problem> {
        let app = &self.app;
        for candidate in shown(app, games, self.channel).await? {
            let id = candidate.id;
            // As nobody in particular, also who plays there.
            let Ok(visit) = room::visit(app, id, None).await else {
                continue;
            };
            let sight = look(app, id, None).await?;
            if sight.game.ending().is_none() {
                let on_air = OnAir {
                    visit,
                    told: Told::default(),
                    is_stale: false,
                };
                return Ok(Some((on_air, sight)));
            }
        }
        Ok(None)
    }

    /// `{"t": "featured"}`: which game, who plays, how it stands.
    async fn featured(&self, sight: &Sight) -> Result<Value, Problem> {
        let page = Page::of(&self.app, vec![sight.clone()]).await?;
        let card = page.card(&self.base, sight);
        let left = clocks(sight);
        let player = |color: Color| {
            let side = card.players.get(color);
            json!({
                "color": vocab::color(color),
                "user": side.user.as_ref().map(User::json),
                "rating": side.rating.map(|rating| rating.points),
                "seconds": left.as_ref().map(|left| left.get(color).as_secs()),
            })
        };
        Ok(json!({
            "t": "featured",
            "d": {
                "id": card.id,
                "orientation": vocab::color(orientation(&sight.game)),
                "players": Color::ALL.map(player),
                "fen": sight.game.board().fen(),
            },
        }))
    }

    /// Shows the next game, or waits for one.
    async fn change(&mut self) -> Result<(), Problem> {
        if let Some((mut on_air, sight)) = self.find().await? {
            let featured = self.featured(&sight).await?;
            on_air.told.news(&sight);
            self.pending.push_back(ndjson::out(&featured));
            self.on_air = Some(on_air);
            self.next = Next::Any;
            return Ok(());
        }
        self.next = Next::Nothing;
        self.next = match self.begun.recv().await {
            Ok(Begun { id, .. }) => Next::Just(id),
            Err(RecvError::Lagged(_)) => Next::Any,
            Err(RecvError::Closed) => return Err(Problem::unavailable()),
        };
        Ok(())
    }

    /// Waits for the next positions of what is shown.
    async fn go_on(&mut self) -> Result<(), Problem> {
        let Some(on_air) = &mut self.on_air else {
            return Ok(());
        };
        if !on_air.is_stale && !on_air.visit.is_stirred().await {
            return Err(Problem::unavailable());
        }
        on_air.is_stale = true;
        let sight = look(&self.app, on_air.visit.table(), None).await?;
        on_air.is_stale = false;
        let news = on_air.told.news(&sight).into_iter();
        let news = news.map(|told| ndjson::out(&json!({ "t": "fen", "d": told })));
        self.pending.extend(news);
        if sight.game.ending().is_some() {
            self.on_air = None;
        }
        Ok(())
    }
}

impl Source for Feed {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    async fn next(&mut self) -> Out {
        loop {
            if let Some(out) = self.pending.pop_front() {
                return out;
            }
            let done = match self.on_air {
                Some(_) => self.go_on().await,
                None => self.change().await,
            };
            if done.is_err() {
                return Out::close(1013, "try again later");
            }
        }
    }
}
