//! A game as a model is shown it.

use chess::clock::TimeControl;
use chess::game::{Game, Offer, Phase};
use chess::{Color, Millis};
use serde_json::{Value, json};
use store::TableId;

use super::super::answer::Said;
use crate::play::names::{Names, people};
use crate::play::{App, Sight, text};
use crate::problem::Problem;

/// So many half-moves are told with a game.
const LAST_MOVES: usize = 20;

/// A game in full: the board, the moves that may be played, and how things stand for
/// whoever looks.
pub(super) async fn game(app: &App, sight: &Sight) -> Result<Said, Problem> {
    let names = Names::of(app, people(&sight.game)).await?;
    let board = text::text(app, sight).await?;
    let (_, san) = app.scores.of(sight.id, &sight.game);
    let game = &*sight.game;
    let last = san.len().saturating_sub(LAST_MOVES);
    let clocks = game.clocks(sight.clock_at());
    let clocks = clocks.map(|c| json!({ "white": c.white.as_secs(), "black": c.black.as_secs() }));
    let mut data = brief(sight, &names);
    let more = json!({
        "fen": game.board().fen(), "check": game.board().is_check(),
        "last_moves": &san[last..], "clock_seconds": clocks,
        "draw_offer_by": game.offer(Offer::Draw).map(color_name),
        "illegal_attempts": attempts(game), "board": board,
    });
    if let (Value::Object(data), Value::Object(more)) = (&mut data, more) {
        data.extend(more);
    }
    let mut lines = vec![board];
    lines.extend(score(game, &san));
    lines.extend(standing(sight));
    Ok(Said {
        text: lines.join("\n"),
        data,
    })
}

/// A game as it stands in a list.
pub(super) fn brief(sight: &Sight, names: &Names) -> Value {
    let game = &*sight.game;
    let ending = game.ending();
    let name = |color| game.seats().get(color).map(|player| names.id(player));
    json!({
        "game_id": sight.id.to_string(), "version": game.version(),
        "state": game.phase().state().name(), "variant": game.terms().variant.name(),
        "rated": game.terms().rated, "time_control": clock(&game.terms().control),
        "white": name(Color::White), "black": name(Color::Black),
        "creator": names.id(game.creator()), "opponent": game.opponent().map(|p| names.id(p)),
        "you_play": own_color(sight).map(color_name), "your_turn": is_own_turn(sight),
        "ply": game.ply(), "to_move": color_name(game.turn()), "join_code": sight.join_code(),
        "result": ending.map(|e| e.result()), "reason": ending.map(|e| e.reason()),
        "winner": ending.and_then(|e| e.winner()).map(color_name),
    })
}

/// The same in one line.
pub(super) fn line(sight: &Sight, names: &Names) -> String {
    let game = &*sight.game;
    let name = |color| {
        let player = *game.seats().get(color);
        player.map_or_else(|| "?".to_owned(), |player| names.id(player))
    };
    let (white, black) = (name(Color::White), name(Color::Black));
    let rated = if game.terms().rated {
        "rated"
    } else {
        "casual"
    };
    let clock = clock(&game.terms().control);
    let how = match game.ending() {
        Some(ending) => format!("over: {}, {}", ending.result(), ending.reason()),
        None if is_own_turn(sight) => "YOUR TURN".to_owned(),
        None => format!(
            "{}, {} to move",
            game.phase().state().name(),
            color_name(game.turn())
        ),
    };
    let (id, variant) = (sight.id, game.terms().variant.name());
    let creator = names.id(game.creator());
    match game.phase() {
        Phase::Waiting => format!("{id}: made by {creator}, {variant}, {clock}, {rated}, waiting"),
        _ => format!("{id}: {white} (White) - {black} (Black), {variant}, {clock}, {rated}, {how}"),
    }
}

/// The side that whoever looks plays.
pub(super) fn own_color(sight: &Sight) -> Option<Color> {
    sight.game.seat_of(sight.viewer?)
}

/// Whether whoever looks is to move.
pub(super) fn is_own_turn(sight: &Sight) -> bool {
    let is_playing = matches!(sight.game.phase(), Phase::Active);
    is_playing && own_color(sight) == Some(sight.game.turn())
}

pub(super) fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// `Moves: 12. Nf3 Nc6 13. Bb5`; the last of them in a long game.
fn score(game: &Game, san: &[String]) -> Option<String> {
    let start = game.start_board();
    let began = (start.move_number() - 1) * 2 + start.turn().fold_wb(0, 1);
    let skipped = san.len().saturating_sub(LAST_MOVES);
    let mut words = Vec::new();
    for (ply, san) in (began as usize..).zip(san).skip(skipped) {
        let number = ply / 2 + 1;
        if ply.is_multiple_of(2) {
            words.push(format!("{number}."));
        } else if words.is_empty() {
            words.push(format!("{number}..."));
        }
        words.push(san.clone());
    }
    let which = if skipped > 0 { "Last moves" } else { "Moves" };
    (!words.is_empty()).then(|| format!("{which}: {}", words.join(" ")))
}

/// How things stand for whoever looks, in sentences.
fn standing(sight: &Sight) -> Vec<String> {
    let game = &*sight.game;
    let mut lines = Vec::new();
    let own = own_color(sight);
    let role = match own {
        Some(color) => format!("You play {}.", color.fold_wb("White", "Black")),
        None => "You watch this game.".to_owned(),
    };
    let now = match game.phase() {
        Phase::Waiting => match sight.join_code() {
            Some(code) => {
                format!("The game waits for an opponent, who can join with the code {code}.")
            }
            None => "The game waits for an opponent.".to_owned(),
        },
        Phase::Active if is_own_turn(sight) => "It is YOUR TURN: make_move.".to_owned(),
        Phase::Active if own.is_some() => {
            "It is your opponent's turn: wait_for_opponent.".to_owned()
        }
        Phase::Active => String::new(),
        Phase::Paused { .. } => "The game is paused.".to_owned(),
        Phase::Over { .. } => "The game is over.".to_owned(),
    };
    lines.push(format!("{role} {now}").trim_end().to_owned());
    if let Some(by) = game.offer(Offer::Draw) {
        lines.push(match own {
            Some(color) if color != by => {
                "Your opponent offers a DRAW: answer with draw (accept or decline), or play on."
                    .into()
            }
            _ => format!("{} offers a draw.", by.fold_wb("White", "Black")),
        });
    }
    if let Some(attempts) = attempts(game) {
        lines.push(format!(
            "Illegal attempts: White {}, Black {}; attempt {} loses the game.",
            attempts["white"], attempts["black"], attempts["forfeit_after"]
        ));
    }
    lines.push(format!("Game {}, version {}.", sight.id, game.version()));
    lines
}

/// What illegal attempts cost, and how many there were.
fn attempts(game: &Game) -> Option<Value> {
    let (forfeit_after, made) = (game.terms().forfeit_after, game.illegal_attempts());
    (forfeit_after > 0).then(
        || json!({ "white": made.white, "black": made.black, "forfeit_after": forfeit_after }),
    )
}

/// `15 minutes + 10 seconds a move`.
fn clock(control: &TimeControl) -> String {
    let span = |time: Millis| match time.as_secs() {
        seconds if seconds % 60 == 0 => format!("{} minutes", seconds / 60),
        seconds => format!("{seconds} seconds"),
    };
    match control {
        TimeControl::Unlimited => "no clock".to_owned(),
        TimeControl::Correspondence { days } => format!("{days} days a move"),
        TimeControl::Fischer { initial, increment } => {
            format!(
                "{} + {} seconds a move",
                span(*initial),
                increment.as_secs()
            )
        }
        TimeControl::Delay { initial, delay, .. } => {
            format!(
                "{}, {} seconds of each move free",
                span(*initial),
                delay.as_secs()
            )
        }
        TimeControl::Stages(stages) => format!("{} periods", stages.len()),
    }
}

/// What happened in a game after a version that was seen.
pub(super) fn since(app: &App, id: TableId, before: &Game, sight: &Sight) -> Vec<String> {
    let game = &*sight.game;
    let mut told = Vec::new();
    if before.phase() == Phase::Waiting && game.phase() != Phase::Waiting && game.ending().is_none()
    {
        told.push("An opponent has joined: the game has begun.".to_owned());
    }
    if game.ply() < before.ply() {
        told.push("Moves were taken back.".to_owned());
    } else {
        let (_, san) = app.scores.of(id, game);
        let turns = std::iter::successors(Some(before.turn()), |turn| Some(!*turn));
        let new = san.iter().skip(before.ply() as usize).zip(turns);
        told.extend(new.map(|(san, by)| {
            let who = match own_color(sight) {
                Some(own) if own == by => "You",
                _ => by.fold_wb("White", "Black"),
            };
            format!("{who} played {san}.")
        }));
    }
    let offer = game.offer(Offer::Draw);
    if offer.is_some() && offer != before.offer(Offer::Draw) && offer != own_color(sight) {
        told.push("A draw is offered.".to_owned());
    }
    if let Some(ending) = game.ending().filter(|_| before.ending().is_none()) {
        told.push(format!(
            "The game is over: {}, {}.",
            ending.result(),
            ending.reason()
        ));
    }
    if told.is_empty() && game.version() > before.version() {
        told.push("The game has changed: look at it.".to_owned());
    }
    told
}
