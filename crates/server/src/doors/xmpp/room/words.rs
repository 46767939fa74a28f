//! What happens in a game, in the words of Chesspark.

use std::sync::OnceLock;

use chess::game::{Ending, Entry, Event, Game, MoveReport, Offer};
use chess::rules::Board;
use chess::{Color, Millis, Timestamp};
use store::RatedGame;

use super::cast::{Cast, side_name, side_title};
use crate::doors::xmpp::GAME;
use crate::doors::xmpp::element::Element;
use crate::rooms::news::GameChange;

/// One message to the room: an element for programs, a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// `<game/>`, with what happened.
    pub(super) game: Element,
    /// The same for who has no chess client.
    pub(super) text: Option<String>,
}

/// Both clocks, black's first: seconds, rounded down to a tenth.
pub(super) fn times(game: &Game, at: Timestamp) -> Vec<Element> {
    let Some(clocks) = game.clocks(at) else {
        return Vec::new();
    };
    let time = |color| {
        Element::new("time", GAME)
            .with("control", game.stage(color).to_string())
            .with("side", side_name(color))
            .text(seconds(*clocks.get(color)))
    };
    vec![time(Color::Black), time(Color::White)]
}

fn seconds(time: Millis) -> String {
    format!("{}.{}", time.0 / 1000, time.0 % 1000 / 100)
}

/// The clocks alone, at that moment.
pub(super) fn clocks(cast: &Cast, game: &Game, at: Timestamp) -> Option<Told> {
    let times = times(game, at);
    (!times.is_empty()).then(|| Told {
        game: cast.game(game).children_of(times),
        text: None,
    })
}

/// A change as it is told when it happens.
pub(super) fn change(cast: &Cast, change: &GameChange) -> Vec<Told> {
    let (Some(before), Some(event)) = (&change.before, &change.event) else {
        return Vec::new();
    };
    let after = &change.after;
    let rated = change.rated.as_ref();
    told(cast, before.board(), event, after, &change.report, rated)
}

/// Every change after that version, each with the version it made.
pub(super) fn since(cast: &Cast, game: &Game, since: u32) -> Vec<(u32, Vec<Told>)> {
    let mut replay = game.replay();
    let mut all = Vec::new();
    for (version, entry) in (1..).zip(game.entries()) {
        if version == 1 {
            continue;
        }
        let before = (version > since).then(|| replay.game().board().clone());
        replay.step(&entry);
        if let Some(before) = before {
            let (Entry { event, .. }, after) = (&entry, replay.game());
            let told = told(cast, &before, event, after, &OnceLock::new(), None);
            all.push((version, told));
        }
    }
    all
}

fn told(
    cast: &Cast,
    before: &Board,
    event: &Event,
    after: &Game,
    report: &OnceLock<MoveReport>,
    rated: Option<&RatedGame>,
) -> Vec<Told> {
    let say = |what: Element, text: Option<String>| Told {
        game: cast
            .game(after)
            .child(what)
            .children_of(times(after, after.last_at())),
        text,
    };
    let over = |ending: &Ending| over(cast, after, *ending, rated);
    match event {
        Event::Moved {
            uci,
            offers_draw,
            ending,
            ..
        } => {
            let report = report.get_or_init(|| MoveReport::of(before, *uci, after));
            let (what, text) = moved(cast, before, report, after);
            let mut all = vec![say(what, Some(text))];
            if *offers_draw && ending.is_none() {
                let (what, text) = offered(cast, after, Offer::Draw, !report.to_move);
                all.push(say(what, Some(text)));
            }
            all.extend(ending.as_ref().map(over));
            all
        }
        Event::Ended { ending, .. } | Event::ResultChanged { ending } => vec![over(ending)],
        Event::IllegalAttempt { ending, .. } => ending.iter().map(over).collect(),
        Event::ClockSet { .. } => clocks(cast, after, after.last_at()).into_iter().collect(),
        event => other(cast, event, after)
            .map(|(what, text)| say(what, text))
            .into_iter()
            .collect(),
    }
}

fn moved(cast: &Cast, before: &Board, report: &MoveReport, after: &Game) -> (Element, String) {
    let (mover, number) = (!report.to_move, before.move_number());
    let what = cast
        .by("move", after, mover)
        .with("ply", report.ply.to_string())
        .with("number", number.to_string())
        .text(report.uci.as_str());
    let dots = mover.fold_wb(".", "...");
    (what, format!("{number}{dots} {}", report.san))
}

fn over(cast: &Cast, after: &Game, ending: Ending, rated: Option<&RatedGame>) -> Told {
    let rating = |color: Color| {
        rated.map(|rated| {
            let change = rated.changes.get(color);
            Element::new("rating", GAME)
                .with("side", side_name(color))
                .with("before", change.before.points().to_string())
                .with("after", change.after.points().to_string())
        })
    };
    let ratings = [Color::White, Color::Black].into_iter().filter_map(rating);
    Told {
        game: cast
            .game(after)
            .child(result(ending))
            .children_of(ratings)
            .children_of(times(after, after.last_at())),
        text: Some(format!("{} {}", ending.score(), ending.reason())),
    }
}

/// `<result reason= winner=>white_wins</result>`.
pub(super) fn result(ending: Ending) -> Element {
    Element::new("result", GAME)
        .with("reason", ending.reason())
        .with_some("winner", ending.winner().map(side_name))
        .text(ending.result())
}

fn offered(cast: &Cast, after: &Game, offer: Offer, by: Color) -> (Element, String) {
    let name = cast.name(after, by);
    let text = match offer {
        Offer::Draw => format!("{name} offers a draw."),
        Offer::Takeback => format!("{name} asks to take back."),
        Offer::Pause => format!("{name} asks for a pause."),
    };
    (cast.by(offer.name(), after, by), text)
}

/// What is no move and no end; nothing of what nobody in the room is told.
fn other(cast: &Cast, event: &Event, after: &Game) -> Option<(Element, Option<String>)> {
    let element = |name| Element::new(name, GAME);
    let name = |color| cast.name(after, color);
    let done = |name, text: &str| Some((element(name).with("done", "1"), Some(text.to_owned())));
    match event {
        Event::Joined { .. } => {
            let text = format!("{} plays {}.", name(Color::White), name(Color::Black));
            Some((element("start"), Some(text)))
        }
        Event::Offered { offer, by } => {
            let (what, text) = offered(cast, after, *offer, *by);
            Some((what, Some(text)))
        }
        Event::OfferDeclined { offer, by } => {
            let what = cast.by(offer.name(), after, *by).with("decline", "1");
            let text = format!("{} declines the {}.", name(*by), offer.name());
            Some((what, Some(text)))
        }
        Event::TakenBack { .. } => {
            let (turn, number) = (after.turn(), after.board().move_number());
            let what = element("takeback")
                .with("done", "1")
                .with("ply", after.ply().to_string())
                .with("number", number.to_string())
                .with("side", side_name(turn))
                .with("fen", after.board().fen());
            let text = format!("Taken back to {number}. {}'s move.", side_title(turn));
            Some((what, Some(text)))
        }
        Event::Paused { .. } => done("pause", "The game is paused."),
        Event::Resumed { .. } => done("resume", "The game goes on."),
        Event::ResumeAsked { by } => {
            let text = format!("{} is ready to go on.", name(*by));
            Some((cast.by("resume", after, *by), Some(text)))
        }
        Event::TimeAdded { to, gift } => {
            let what = cast.by("addtime", after, !*to);
            let given = whole_or_tenths(*gift);
            let text = format!("{} gives {given} seconds.", name(!*to));
            Some((what.with("seconds", given), Some(text)))
        }
        Event::TimeCredited { credit } => {
            let what = element("addtime").with("side", side_name(after.turn()));
            Some((what.with("seconds", whole_or_tenths(*credit)), None))
        }
        _ => None,
    }
}

fn whole_or_tenths(time: Millis) -> String {
    match time.0 % 1000 {
        0 => (time.0 / 1000).to_string(),
        _ => seconds(time),
    }
}

/// The rematch of a finished game is offered, or begins.
pub(super) fn rematch(cast: &Cast, finished: &Game, next: &GameChange, room: &str) -> Told {
    let what = Element::new("rematch", GAME)
        .with("id", next.id.number().to_string())
        .with("room", room);
    let creator = next.after.creator();
    let what = match next.after.started_at() {
        Some(_) => what.with("done", "1"),
        None => what
            .with_some("player", cast.get(creator).map(|known| known.jid.as_str()))
            .with_some("side", finished.seat_of(creator).map(side_name)),
    };
    Told {
        game: cast.game(finished).child(what),
        text: Some(format!("A rematch: {room}")),
    }
}

#[cfg(test)]
pub(in crate::doors::xmpp::room) mod tests;
