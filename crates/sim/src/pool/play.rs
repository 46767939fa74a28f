//! How games are played: each a move, and then the end that the players' strength has
//! it, asked for at any node until somebody says that the game is over.

use std::sync::Arc;

use chess::game::{Command, DrawReason, Ending, Game, MoveCommand, Offer, Phase, WinReason};
use chess::rating::{Outcome as Counted, Score};
use chess::table::{Actor, PlayerId};
use chess::tables::Hosted as _;
use chess::{ByColor, Color};
use live::{Failure, Outcome, Submission, With};
use store::TableId;

use super::people::{Doing, index_of};
use super::world::{Deed, What, World};
use crate::mail::Letter;
use crate::rules::{Checked, ensure};

/// Whoever is refused so often leaves it to the arbiter.
const REFUSALS_MAX: u32 = 2;

/// By then a game in which nobody moves has been called off.
const TOO_LATE_US: u64 = 30_000_000;

/// A game that goes on, as its players know it.
pub(super) struct Played {
    players: ByColor<PlayerId>,
    score: Score,
    /// Moves that were made, and who offers a draw.
    ply: u32,
    offer: Option<Color>,
    /// When it ends.
    ends_us: u64,
    is_by_arbiter: bool,
    is_asking: bool,
    refusals: u32,
}

impl Played {
    /// What somebody does next.
    fn next(&self) -> (Actor, Command) {
        let by = |color: Color| Actor::Player(*self.players.get(color));
        let moves = |text| Command::Move(MoveCommand::new(text));
        match (self.ply, self.score) {
            (0, _) => (by(Color::White), moves("e4")),
            (1, _) => (by(Color::Black), moves("e5")),
            (_, score) if self.is_by_arbiter || self.refusals > REFUSALS_MAX => decided(score),
            (_, Score::WhiteWon) => (by(Color::Black), Command::Resign),
            (_, Score::BlackWon) => (by(Color::White), Command::Resign),
            (_, Score::Drawn) => match self.offer {
                Some(color) => (by(!color), Command::Accept(Offer::Draw)),
                None => (by(Color::White), Command::Offer(Offer::Draw)),
            },
        }
    }
}

/// The arbiter says how a game ended.
fn decided(score: Score) -> (Actor, Command) {
    let won = |winner| Ending::Won {
        winner,
        by: WinReason::Adjudicated,
    };
    let ending = match score {
        Score::WhiteWon => won(Color::White),
        Score::BlackWon => won(Color::Black),
        Score::Drawn => Ending::Drawn {
            by: DrawReason::Adjudicated,
        },
    };
    (Actor::Operator, Command::Adjudicate(ending))
}

impl World {
    /// A game is there: its players sit down.
    pub(super) fn sit_down(&mut self, table: TableId, players: ByColor<PlayerId>) {
        let score = self.score(&players);
        let [least, most] = self.habits.game_ms;
        let played = Played {
            players,
            score,
            ply: 0,
            offer: None,
            ends_us: self.now_us() + self.rng.within(least, most) * 1_000,
            is_by_arbiter: self.rng.percent(20),
            is_asking: false,
            refusals: 0,
        };
        self.played.insert(table, played);
        let after_us = match self.rng.percent(self.habits.deserted) {
            true => TOO_LATE_US,
            false => self.rng.within(200_000, 4_000_000),
        };
        self.put(after_us, Deed::Game(table));
    }

    /// Somebody does in a game what comes next.
    pub(super) fn go_on(&mut self, table: TableId) {
        let Some(played) = self.played.get(&table).filter(|played| !played.is_asking) else {
            return;
        };
        let is_end = played.ply >= 2;
        let (who, command) = played.next();
        let score = played.score;
        let Some(index) = self.somewhere() else {
            return self.again(table);
        };
        if self
            .submit(index, What::Play(table), who, command)
            .is_none()
        {
            return self.again(table);
        }
        if let Some(played) = self.played.get_mut(&table) {
            played.is_asking = true;
        }
        if !is_end || self.is_closing {
            return;
        }
        if self.rng.below(1_000) < self.habits.dies_ending {
            self.book.counts.deaths_ending += 1;
            let node = self.seats[index].node.as_ref().map(|node| node.id);
            let after_us = self.rng.below(40_000);
            node.into_iter()
                .for_each(|node| self.put(after_us, Deed::Die(node)));
        }
        if self.rng.percent(self.habits.rivals)
            && let Some(other) = self.somewhere()
        {
            let all = [Score::WhiteWon, Score::Drawn, Score::BlackWon];
            let others: Vec<Score> = all.into_iter().filter(|s| *s != score).collect();
            let (who, command) = decided(self.rng.pick(&others));
            self.submit(other, What::Rival(table), who, command);
        }
    }

    fn submit(&mut self, index: usize, what: What, who: Actor, command: Command) -> Option<()> {
        let (What::Make(table) | What::Play(table) | What::Rival(table)) = what;
        let (_, received) = self.at(index)?;
        let (number, inbox, live) = self.ask(index, what)?;
        self.say(|| format!("{table} at {index}: {who:?} {command:?}"));
        let submission = Submission {
            who,
            command: Game::asked(command),
            received,
            with: With::default(),
        };
        live.submit(table, submission, inbox.reply(number, Letter::outcome));
        Some(())
    }

    /// Tries again a little later.
    fn again(&mut self, table: TableId) {
        let after_us = self.rng.within(200_000, 1_500_000);
        self.put(after_us, Deed::Game(table));
    }

    /// A node says what became of a command, or nobody does.
    pub(super) fn answered(&mut self, table: TableId, letter: Letter, is_own: bool) -> Checked {
        if let Some(played) = self.played.get_mut(&table).filter(|_| is_own) {
            played.is_asking = false;
        }
        let (game, is_refused): (Arc<Game>, bool) = match letter {
            Letter::Outcome(Outcome::Changed { after, .. }) => (after, false),
            Letter::Outcome(Outcome::Already { table, .. }) => (table, false),
            Letter::Outcome(Outcome::Refused { table, .. }) => (table, true),
            Letter::Failed(Failure::NotFound) => {
                ensure!(false, AcknowledgedIsNeverLost, table, "it is gone");
                return Ok(());
            }
            _ if is_own => {
                self.again(table);
                return Ok(());
            }
            _ => return Ok(()),
        };
        if let Phase::Over(_) = game.phase() {
            return self.is_over(table, &game);
        }
        let Some(played) = self.played.get_mut(&table).filter(|_| is_own) else {
            return Ok(());
        };
        played.refusals += u32::from(is_refused);
        (played.ply, played.offer) = (game.ply(), game.offer(Offer::Draw));
        let (ply, offer, ends_us) = (played.ply, played.offer, played.ends_us);
        let soon = self.rng.within(200_000, 4_000_000);
        let after_us = match (ply, offer) {
            (2.., None) if !is_refused => soon.max(ends_us.saturating_sub(self.now_us())),
            _ => soon,
        };
        self.put(after_us, Deed::Game(table));
        Ok(())
    }

    /// Somebody was told that a game is over: it is durable, and its players know.
    fn is_over(&mut self, table: TableId, game: &Game) -> Checked {
        self.book.told_over(table, game)?;
        let Some(played) = self.played.remove(&table) else {
            return Ok(());
        };
        self.say(|| format!("{table} is over: {:?}", game.ending()));
        let counts = u32::from(Counted::of(game).is_some());
        for player in &played.players {
            let index = index_of(*player);
            self.people[index].endings += counts;
            if self.people[index].doing == Doing::Playing(table) {
                self.rest(index);
            }
        }
        Ok(())
    }
}
