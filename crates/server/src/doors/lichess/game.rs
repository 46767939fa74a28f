//! The stream of a game, for one of its players: all of it first, then how it stands
//! after every change, and what the players say. It ends with the game, and not before.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, header};
use axum::response::Response;
use axum::routing::MethodFilter;
use chess::game::Game;
use chess::table::PlayerId;
use chess::tables::AnyTable;
use chess::{Color, Timestamp};
use live::room::{Audience, ChatId, Role};
use serde_json::json;
use store::TableId;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};

use super::caller::{Seat, is_bot};
use super::error::Error;
use super::{Call, ndjson, words};
use crate::auth::{Caller, Names};
use crate::http::ClientAddress;
use crate::play::names::people;
use crate::play::room::{LastRead, Occupant};
use crate::play::{App, presence, room};
use crate::rooms::bus::Happened;
use crate::rooms::crowd::Got;
use crate::rooms::here::PlayerHere;
use crate::rooms::solo::{Hold, REOPENED_WITHIN, Solo};
use crate::rooms::{Line, News, Speech, Thread, Visit, What};
use crate::stream::{Out, Position, Source};

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    Call::both(MethodFilter::GET, "/game/stream/{id}", stream).into()
}

/// How often it is said that the opponent is gone.
const GONE_EVERY: Duration = Duration::from_secs(5);

async fn stream(seat: Seat, address: ClientAddress, headers: HeaderMap) -> Result<Response, Error> {
    let who = seat.caller.number();
    // Whoever plays must be able to follow all that they play: a client has one stream of a
    // game, so their games bound these.
    let place = seat.app.rooms.place_at_game(who, address.0)?;
    let solo = Solo::Game(who, seat.game, client(&headers));
    let board = Board::open(seat.app, seat.caller, seat.game, solo).await?;
    Ok(ndjson::serve(board, place))
}

/// The client, by what it calls itself: another one may follow the same game.
pub(super) fn client(headers: &HeaderMap) -> u64 {
    let mut hasher = DefaultHasher::new();
    let agent = headers.get(header::USER_AGENT);
    agent.map(|agent| agent.as_bytes()).hash(&mut hasher);
    hasher.finish()
}

/// What was said, as the store has it.
struct Read {
    /// The lines that they do not know.
    lines: Vec<Line>,
    /// Those that may come as news as well.
    still_coming: Vec<ChatId>,
}

/// A player's stream of a game.
struct Board {
    app: App,
    caller: Caller,
    id: TableId,
    color: Color,
    /// The last version that was told.
    version: u32,
    /// Whether the end was told.
    is_over: bool,
    /// The newest line of chat that they know.
    chat: Option<ChatId>,
    /// Lines that were read from the store, and may come as news as well.
    told_already: Vec<ChatId>,
    visit: Visit,
    hold: Hold,
    pending: VecDeque<Out>,
    /// Whether the game must be looked at: being interrupted must not lose this.
    must_look: bool,
    /// The opponent is gone: since when that may be claimed, and when to say so again.
    gone: Option<(Timestamp, Instant)>,
}

impl Board {
    /// Comes to a game that has begun.
    async fn open(app: App, caller: Caller, id: TableId, solo: Solo) -> Result<Board, Error> {
        let occupant = room::glance(&app, id, Some(&caller)).await?;
        let color = occupant.game.seat_of(caller.number());
        let color = color.filter(|_| occupant.game.started_at().is_some());
        let color = color.ok_or_else(|| Error::not_found("Not your game"))?;
        let hold = app.rooms.hold(solo);
        let visit = room::come(&app, id, Some(&caller), &occupant, None);
        let mut board = Board {
            app,
            caller,
            id,
            color,
            version: 0,
            is_over: false,
            chat: None,
            told_already: Vec::new(),
            visit,
            hold,
            pending: VecDeque::new(),
            must_look: false,
            gone: None,
        };
        // Read again: what happened before they came they are not told.
        let occupant = room::glance(&board.app, id, Some(&board.caller)).await?;
        let known = board.read_chat(&occupant).await?;
        board.knows(&known);
        let game = occupant.game;
        let found = AnyTable::Chess(Arc::clone(&game));
        board.app.rooms.publish(id, Happened::Came(found));
        let names = Names::of(&board.app, people(&game)).await?;
        let now = board.app.now();
        let full = words::full(&board.app, id, &game, &names, now);
        board.say(ndjson::out(&full));
        board.told(&game);
        let here = presence::of(&board.app, id, &game);
        if let Some(opponent) = here.get(!color).filter(|_| !board.is_over) {
            board.take_presence(opponent);
        }
        Ok(board)
    }

    fn say(&mut self, out: Out) {
        self.pending.push_back(out);
    }

    /// They know of the game up to here.
    fn told(&mut self, game: &Game) {
        self.version = game.version();
        if game.ending().is_some() && !self.is_over {
            self.is_over = true;
            self.hold.done();
            self.say(Out::close(1000, "the game is over"));
        }
    }

    /// Takes in news.
    fn take(&mut self, news: &News) {
        match news.what() {
            What::Changed(change) if change.after.version() > self.version && !self.is_over => {
                let line = state_of(&self.app, self.id, news, &change.after);
                match line {
                    Some(line) => self.say(line),
                    None => return self.must_look = true,
                }
                self.told(&change.after);
            }
            What::Said(speech) => self.take_line(speech),
            What::Here(color, here, _) if *color != self.color => self.take_presence(here),
            What::Lost => self.must_look = true,
            What::Farewell => self.say(Out::BYE),
            _ => {}
        }
    }

    /// The players' lines, and of what is said to the observers one's own. Whoever plays
    /// as a person is told only what is said to the room.
    fn say_line(&mut self, line: &Line, speaker: &str) {
        let facts = &line.facts;
        let who = self.caller.number();
        let is_own = facts.from == who;
        let room = match facts.audience {
            Audience::Room => "player",
            Audience::Observers if is_own && is_bot(&self.caller.person) => "spectator",
            Audience::Observers => return,
        };
        let is_said = facts.role == Role::Player && !facts.is_notice;
        if !is_said || line.text.is_empty() {
            return;
        }
        self.say(ndjson::out(&json!({
            "type": "chatLine",
            "room": room,
            "username": speaker,
            "text": line.text,
        })));
    }

    fn take_line(&mut self, speech: &Speech) {
        let id = speech.line.id;
        let was_told = self.told_already.iter().position(|told| *told == id);
        if let Some(index) = was_told {
            self.told_already.swap_remove(index);
        } else if !speech.is_kept_from(Some(self.caller.number())) {
            self.chat = self.chat.max(Some(id));
            self.say_line(&speech.line, &speech.speaker.name);
        }
    }

    /// What was said since they were told last.
    async fn read_chat(&self, occupant: &Occupant) -> Result<Read, Error> {
        let Occupant { game, viewer } = occupant;
        let last = self.chat.map(|line| LastRead {
            line,
            has_seen_end: Some(self.is_over),
            observed: None,
        });
        let now = self.app.now();
        let history = room::history(&self.app, self.id, game, viewer, last, now).await?;
        let still_coming = history.still_coming(game, viewer, now);
        let lines = history.new;
        Ok(Read {
            lines,
            still_coming,
        })
    }

    /// These lines they know.
    fn knows(&mut self, read: &Read) {
        let newest = read.lines.iter().map(|line| line.id).max();
        self.chat = newest.max(self.chat);
        self.told_already.clone_from(&read.still_coming);
    }

    fn take_presence(&mut self, here: &PlayerHere) {
        match here.claim_at {
            Some(at) => {
                self.gone = Some((at, Instant::now()));
            }
            None if self.gone.take().is_some() => {
                self.say(ndjson::out(
                    &json!({ "type": "opponentGone", "gone": false }),
                ));
            }
            None => {}
        }
    }

    /// Says that the opponent is gone, and for how long they may still be.
    fn say_gone(&mut self) {
        if let Some((at, next)) = &mut self.gone {
            let left = at.since(self.app.now());
            *next = Instant::now() + GONE_EVERY;
            let gone = json!({
                "type": "opponentGone",
                "gone": true,
                "claimWinInSeconds": left.0.div_ceil(1_000),
            });
            self.say(ndjson::out(&gone));
        }
    }

    /// News were lost: how the game stands now, and what was said, says it all.
    async fn look(&mut self) -> Result<(), Error> {
        let game = self.app.games.newest(self.id).await?;
        let occupant = room::admit(&self.app, self.id, Some(&self.caller), Arc::clone(&game));
        let occupant = occupant.await?;
        let read = self.read_chat(&occupant).await?;
        let speakers = read.lines.iter().map(|line| line.facts.from);
        let names = Names::of(&self.app, speakers).await?;
        // From here on nothing interrupts, so that they are told all of it or none.
        self.knows(&read);
        for line in &read.lines {
            let speaker = names.get(line.facts.from);
            self.say_line(line, speaker.map_or("?", |person| &person.name));
        }
        if game.version() > self.version && !self.is_over {
            let now = self.app.now();
            let line = words::state_line(&self.app, self.id, &game, now);
            self.say(Out::Text(line, Position::default()));
            self.told(&game);
        }
        Ok(())
    }
}

/// How the game stands, put into words once for both players.
fn state_of(app: &App, id: TableId, news: &News, game: &Arc<Game>) -> Option<Out> {
    let words = news.words::<Board>(0, |_| vec![words::state_line(app, id, game, app.now())]);
    let line = words?.first()?.clone();
    Some(Out::Text(line, Position::default()))
}

/// When to ask a store again that could not say.
const ASK_AGAIN: Duration = Duration::from_millis(500);

impl Source for Board {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        Some(&self.caller)
    }

    fn table(&self) -> Option<TableId> {
        Some(self.id)
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
                // The stream must not end in mid-game, so a store that cannot say is
                // asked until it can.
                match Box::pin(self.look()).await {
                    Ok(()) => self.must_look = false,
                    Err(_) => tokio::time::sleep(ASK_AGAIN).await,
                }
                continue;
            }
            let gone_at = self.gone.map(|(_, next)| next);
            let say_gone = async {
                match gone_at {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                got = self.visit.recv(self.version) => match got {
                    Ok(Got::News(news)) => self.take(&news),
                    Ok(Got::Begun) => {}
                    Ok(Got::Removed) | Err(RecvError::Closed) => return Out::BYE,
                    Err(RecvError::Lagged(_)) => {
                        self.app.rooms.note_resync();
                        self.must_look = true;
                    }
                },
                // Two that were opened at once at two nodes may each have ended the other,
                // so it is looked afterwards whether one is there.
                () = self.hold.over() => {
                    return Out::close(1000, "another stream took its place");
                }
                () = say_gone => self.say_gone(),
            }
        }
    }
}

/// A stream that ends in mid-game and is not there again soon ends the player's own
/// streams: these clients come back to a game only when they are told of it anew.
impl Drop for Board {
    fn drop(&mut self) {
        if !self.is_over {
            let (app, id, player) = (self.app.clone(), self.id, self.caller.number());
            let rooms = app.rooms.clone();
            rooms.spawn(
                Thread::Telling,
                async move { missed(&app, id, player).await },
            );
        }
    }
}

async fn missed(app: &App, id: TableId, player: PlayerId) {
    tokio::time::sleep(REOPENED_WITHIN).await;
    let game = app.games.read(id, None).await;
    if game.is_ok_and(|game| game.ending().is_none()) {
        app.rooms.end_unless_reopened(player, id).await;
    }
}
