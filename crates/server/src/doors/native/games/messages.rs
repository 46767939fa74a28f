//! A game's changes as messages: what the log keeps is what streams are told.

use std::sync::OnceLock;

use chess::game::{Ending, Entry, Event, Game, MoveReport};
use chess::rules::Board;
use chess::table::{PlayerId, State};
use chess::{Color, Millis};
use serde::Serialize;
use store::RatedGame;
use utoipa::ToSchema;

use super::view::{ClocksView, RatingChange, Sides, color_name, rating_changes};
use crate::auth::Names;
use crate::text_time::rfc3339;

/// One thing that happened. A change may be several: a move, and the end it
/// brought about.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Message {
    #[serde(flatten)]
    change: Change,
    #[serde(flatten)]
    stamp: Stamp,
}

/// What every change comes with.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Stamp {
    /// The version the change made.
    version: u32,
    /// When it was accepted.
    #[schema(format = DateTime)]
    at: String,
    /// The clocks after it, where it concerns them: whole seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Sides<u32>>)]
    clock: Option<Option<Sides<u32>>>,
    /// The same in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Sides<u32>>)]
    clock_ms: Option<Option<Sides<u32>>>,
    /// When they showed this.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    clock_at: Option<String>,
}

impl Message {
    /// The version the change made.
    pub(crate) fn version(&self) -> u32 {
        self.stamp.version
    }
}

/// What can happen to a game.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Change {
    /// The game was made.
    Created {
        /// Who made it.
        creator: String,
        /// The only one who may join.
        opponent: Option<String>,
        /// The position.
        fen: String,
    },
    /// The opponent has joined.
    Started {
        /// Who joined.
        player: String,
        /// Their color.
        color: &'static str,
        /// White's id.
        white: Option<String>,
        /// Black's id.
        black: Option<String>,
        /// `GM`, `BOT`, ...
        white_title: Option<String>,
        /// `GM`, `BOT`, ...
        black_title: Option<String>,
        /// The position.
        fen: String,
        /// `white` or `black`.
        to_move: &'static str,
    },
    /// A move was made.
    Move(Box<Moved>),
    /// The game has ended. Comes again if an operator changes the result.
    GameOver {
        /// `COMPLETED`.
        state: &'static str,
        /// `white_wins`, `black_wins`, `draw` or `aborted`.
        result: &'static str,
        /// Why.
        reason: &'static str,
        /// `white`, `black` or `null`.
        winner: Option<&'static str>,
        /// Who ended it; `null`: the server or an operator.
        by: Option<&'static str>,
        /// What the game did to the ratings of its players, if it counted.
        #[serde(skip_serializing_if = "Option::is_none")]
        ratings: Option<Sides<RatingChange>>,
        /// Why the invited player declined, if they said so.
        #[serde(skip_serializing_if = "Option::is_none")]
        decline_reason: Option<&'static str>,
    },
    /// Names were invited to a private game.
    Invited {
        /// Whose.
        names: Vec<String>,
    },
    /// An illegal move, in a game that counts them.
    IllegalAttempt {
        /// Who tried it.
        color: &'static str,
        /// How many that side has tried by now.
        attempts: u8,
    },
    /// A draw, a takeback or a pause is offered.
    Offer {
        /// `draw`, `takeback` or `pause`.
        offer: &'static str,
        /// `white` or `black`.
        by: &'static str,
    },
    /// It was declined; by whoever had made it: withdrawn. A move of the
    /// opponent declines it without saying so.
    OfferDeclined {
        /// `draw`, `takeback` or `pause`.
        offer: &'static str,
        /// `white` or `black`.
        by: &'static str,
    },
    /// Moves were taken back.
    Takeback {
        /// How many half-moves.
        plies: u16,
        /// Who agreed to it.
        by: &'static str,
        /// The half-moves that are left.
        ply: u32,
        /// The position.
        fen: String,
        /// `white` or `black`.
        to_move: &'static str,
    },
    /// The clocks have stopped.
    Paused {
        /// `white`, `black`, or `null` for the server or an operator.
        by: Option<&'static str>,
        /// When the game is aborted if it has not gone on.
        adjourned_until: Option<String>,
    },
    /// One side is ready to go on; `RESUMED` follows when both are.
    ResumeAsked {
        /// `white` or `black`.
        by: &'static str,
        /// Who is ready by now.
        resume_by: Vec<&'static str>,
    },
    /// The game goes on.
    Resumed {
        /// `white`, `black`, or `null` for the server or an operator.
        by: Option<&'static str>,
    },
    /// A player gave the opponent time.
    TimeAdded {
        /// Whose clock.
        color: &'static str,
        /// How much.
        ms: u32,
    },
    /// The server gave back the time of its own downtime.
    TimeCredited {
        /// Whose clock.
        color: &'static str,
        /// How much.
        ms: u32,
    },
    /// In correspondence: a player is on vacation, and their clock stands still.
    VacationBegan {
        /// Who.
        color: &'static str,
        /// When it ends by itself.
        until: String,
        /// When the side to move loses by time now, unless the game is paused.
        move_deadline: Option<String>,
    },
    /// A player is back from vacation before the time.
    VacationEnded {
        /// Who.
        color: &'static str,
        /// When the side to move loses by time now, unless the game is paused.
        move_deadline: Option<String>,
    },
    /// An operator has set the clocks.
    ClockSet {},
    /// A guest has become an account, or goes by another name. Streams are told by `STATE`
    /// with `resync`.
    Reseated {
        /// White's id.
        white: Option<String>,
        /// Black's id.
        black: Option<String>,
    },
}

/// A move.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Moved {
    /// The half-move, from 1.
    ply: u32,
    /// As on a score sheet.
    move_number: u32,
    /// Who moved.
    color: &'static str,
    /// The mover's id.
    player: Option<String>,
    /// In UCI.
    r#move: String,
    /// In standard algebraic notation.
    san: String,
    /// The position after it.
    fen: String,
    /// `white` or `black`.
    to_move: &'static str,
    /// The mover's stage of the time control, from 0.
    stage: u8,
    /// Whether the side to move is in check.
    check: bool,
    /// Whether a draw was offered with it.
    offer_draw: bool,
    /// `ACTIVE`, or `COMPLETED` if `GAME_OVER` follows.
    game_state: &'static str,
    /// What was given back for the network's delay.
    #[serde(skip_serializing_if = "Option::is_none")]
    lag_ms: Option<u32>,
}

/// What happened after that version, in order; all of it after version 0.
pub(crate) fn messages_since(
    game: &Game,
    since: u32,
    names: &Names,
    rated: Option<&RatedGame>,
) -> Vec<Message> {
    let mut replay = game.replay();
    let mut messages = Vec::new();
    for (version, entry) in (1..).zip(game.entries()) {
        if version == 1 {
            let first = || message(&entry, 1, created(replay.game(), names), None);
            messages.extend((since == 0).then(first));
            continue;
        }
        if version <= since {
            replay.step(&entry);
            continue;
        }
        let before = replay.game().board().clone();
        replay.step(&entry);
        let after = replay.game();
        // What the ratings are after it is known of the last change alone.
        let rated = rated.filter(|_| version == game.version());
        let report = &OnceLock::new();
        messages.extend(messages_of(&before, &entry, after, names, report, rated));
    }
    messages
}

/// The messages of one change that led from `before` to `after`; the report of a
/// move may have been made already.
pub(crate) fn messages_of(
    before: &Board,
    entry: &Entry,
    after: &Game,
    names: &Names,
    report: &OnceLock<MoveReport>,
    rated: Option<&RatedGame>,
) -> impl Iterator<Item = Message> + use<> {
    let over = |ending, by| over(ending, by, rated);
    let first = match &entry.event {
        Event::Ended { .. } | Event::ResultChanged { .. } => None,
        event => Some(told(before, event, after, names, report)),
    };
    let end = match &entry.event {
        Event::Moved { ending, .. } | Event::IllegalAttempt { ending, .. } => {
            ending.map(|ending| over(ending, None))
        }
        Event::Ended { ending, by } => Some(over(*ending, *by)),
        Event::ResultChanged { ending } => Some(over(*ending, None)),
        _ => None,
    };
    let (version, at) = (after.version(), after.last_at());
    let clocks = ClocksView::at(after, at);
    let told = [first, end].map(|change| {
        let change = change?;
        let clocks = change.is_timed().then(|| clocks.clone());
        Some(message(entry, version, change, clocks))
    });
    told.into_iter().flatten()
}

fn message(entry: &Entry, version: u32, change: Change, clocks: Option<ClocksView>) -> Message {
    let at = rfc3339(entry.at);
    Message {
        change,
        stamp: Stamp {
            version,
            at,
            clock: clocks.as_ref().map(|clocks| clocks.clock),
            clock_ms: clocks.as_ref().map(|clocks| clocks.clock_ms),
            clock_at: clocks.map(|clocks| clocks.clock_at),
        },
    }
}

fn created(game: &Game, names: &Names) -> Change {
    Change::Created {
        creator: names.id(game.creator()),
        opponent: game.opponent().map(|p| names.id(p)),
        fen: game.board().fen(),
    }
}

fn over(ending: Ending, by: Option<Color>, rated: Option<&RatedGame>) -> Change {
    Change::GameOver {
        state: State::Completed.name(),
        result: ending.result(),
        reason: ending.reason(),
        winner: ending.winner().map(color_name),
        by: by.map(color_name),
        ratings: rated.map(rating_changes),
        decline_reason: ending.decline_reason().map(|reason| reason.name()),
    }
}

fn moved(before: &Board, report: MoveReport, after: &Game, names: &Names) -> Moved {
    let mover = !report.to_move;
    Moved {
        ply: report.ply,
        move_number: before.move_number(),
        color: color_name(mover),
        player: after.seats().get(mover).map(|player| names.id(player)),
        r#move: report.uci,
        san: report.san,
        fen: report.fen,
        to_move: color_name(report.to_move),
        stage: after.stage(mover),
        check: report.check,
        offer_draw: false,
        game_state: report.state.name(),
        lag_ms: None,
    }
}

impl Change {
    /// Whether it comes with the clocks.
    fn is_timed(&self) -> bool {
        !matches!(
            self,
            Change::Created { .. }
                | Change::Invited { .. }
                | Change::IllegalAttempt { .. }
                | Change::Offer { .. }
                | Change::OfferDeclined { .. }
                | Change::ResumeAsked { .. }
        )
    }
}

fn told(
    before: &Board,
    event: &Event,
    after: &Game,
    names: &Names,
    report: &OnceLock<MoveReport>,
) -> Change {
    let id = |player: Option<PlayerId>| player.map(|player| names.id(player));
    let title = |player: Option<PlayerId>| player.and_then(|player| names.title(player));
    match event {
        Event::Created(_) | Event::Ended { .. } | Event::ResultChanged { .. } => {
            unreachable!("told by those who call")
        }
        Event::Moved {
            uci,
            offers_draw,
            lag,
            ..
        } => {
            let report = report.get_or_init(|| MoveReport::of(before, *uci, after));
            Change::Move(Box::new(Moved {
                offer_draw: *offers_draw,
                lag_ms: (*lag > Millis::ZERO).then_some(lag.0),
                ..moved(before, report.clone(), after, names)
            }))
        }
        Event::Joined { player, color, .. } => Change::Started {
            player: names.id(*player),
            color: color_name(*color),
            white: id(after.seats().white),
            black: id(after.seats().black),
            white_title: title(after.seats().white),
            black_title: title(after.seats().black),
            fen: after.board().fen(),
            to_move: color_name(after.turn()),
        },
        Event::Invited(players) => Change::Invited {
            names: players.iter().map(|p| names.id(*p)).collect(),
        },
        Event::IllegalAttempt { .. } => Change::IllegalAttempt {
            color: color_name(after.turn()),
            attempts: *after.illegal_attempts().get(after.turn()),
        },
        Event::Offered { offer, by } => Change::Offer {
            offer: offer.name(),
            by: color_name(*by),
        },
        Event::OfferDeclined { offer, by } => Change::OfferDeclined {
            offer: offer.name(),
            by: color_name(*by),
        },
        Event::Reseated { .. } => Change::Reseated {
            white: id(after.seats().white),
            black: id(after.seats().black),
        },
        Event::TakenBack { plies, by, .. } => Change::Takeback {
            plies: *plies,
            by: color_name(*by),
            ply: after.ply(),
            fen: after.board().fen(),
            to_move: color_name(after.turn()),
        },
        event => clock_event(event, after),
    }
}

/// What stops the clocks, lets them go on, or sets them.
fn clock_event(event: &Event, after: &Game) -> Change {
    match event {
        Event::Paused { by } => Change::Paused {
            by: by.map(color_name),
            adjourned_until: after.adjourned_until().map(rfc3339),
        },
        Event::ResumeAsked { by } => Change::ResumeAsked {
            by: color_name(*by),
            resume_by: after.resume_by().map(color_name).into_iter().collect(),
        },
        Event::Resumed { by } => Change::Resumed {
            by: by.map(color_name),
        },
        Event::TimeAdded { to, gift } => Change::TimeAdded {
            color: color_name(*to),
            ms: gift.0,
        },
        Event::TimeCredited { credit } => Change::TimeCredited {
            color: color_name(after.turn()),
            ms: credit.0,
        },
        Event::VacationBegan { by, until } => Change::VacationBegan {
            color: color_name(*by),
            until: rfc3339(*until),
            move_deadline: after.move_deadline().map(rfc3339),
        },
        Event::VacationEnded { by } => Change::VacationEnded {
            color: color_name(*by),
            move_deadline: after.move_deadline().map(rfc3339),
        },
        _ => Change::ClockSet {},
    }
}
