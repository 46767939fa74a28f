//! The game as JSON, everywhere it is returned.

use std::hash::{DefaultHasher, Hash, Hasher};

use chess::game::{Game, Offer, PausedBy, Phase};
use chess::table::{PlayerId, Table};
use chess::{ByColor, Color, Millis, Timestamp};
use serde::Serialize;
use store::TableId;
use utoipa::ToSchema;

use super::time_control::TimeControlJson;
use crate::doors::native::stream::presence::player_here;
use crate::play::App;
use crate::play::names::Names;
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// A game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameView {
    /// Eight letters or digits.
    #[schema(example = "Ab3fK9xQ")]
    pub id: String,
    /// The number of accepted changes so far; creation is 1.
    pub version: u32,
    /// `WAITING`, `ACTIVE`, `PAUSED` or `COMPLETED`.
    pub state: &'static str,
    /// The rules.
    pub variant: &'static str,
    /// Whether ratings change.
    pub rated: bool,
    /// White's id.
    pub white: Option<String>,
    /// Black's id.
    pub black: Option<String>,
    /// Who made the game.
    pub creator: String,
    /// Their title: `GM`, `BOT`, ...
    pub creator_title: Option<String>,
    /// The only one who may join, while the game waits for somebody in particular.
    pub opponent: Option<String>,
    /// Their title.
    pub opponent_title: Option<String>,
    /// Both players.
    pub players: Sides<Option<PlayerView>>,
    /// The clock that was agreed on; `null`: none.
    pub time_control: Option<TimeControlJson>,
    /// `automatic` or `claim`.
    pub draw_rule: &'static str,
    /// `join` or `second_ply`.
    pub clock_start: &'static str,
    /// What illegal attempts cost; `null`: nothing.
    pub illegal_moves: Option<IllegalMovesView>,
    /// `public` or `private`.
    pub visibility: &'static str,
    /// What of the network's delay a player gets back per move, at most.
    #[serde(skip_serializing_if = "is_zero")]
    pub lag_quota_ms: u32,
    /// Six characters for friends; shown to the creator while the game waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub join_code: Option<String>,
    /// The game this is the rematch of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<String>,
    /// Where the game began.
    pub initial_fen: String,
    /// The position.
    pub fen: String,
    /// The half-moves played.
    pub ply: u32,
    /// `white` or `black`.
    pub to_move: &'static str,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The moves in UCI.
    pub moves: Vec<String>,
    /// The moves in standard algebraic notation.
    pub san: Vec<String>,
    /// Both clocks in whole seconds, rounded down, as of `clock_at`.
    pub clock: Option<Sides<u32>>,
    /// Both clocks in milliseconds, as of `clock_at`, running time included.
    pub clock_ms: Option<Sides<u32>>,
    /// When the clocks showed this.
    pub clock_at: String,
    /// In correspondence: when the side to move loses by time, unless the game is paused.
    pub move_deadline: Option<String>,
    /// Who offers a draw.
    pub draw_offer: Option<&'static str>,
    /// Who offers to take back.
    pub takeback_offer: Option<&'static str>,
    /// Who offers to pause.
    pub pause_offer: Option<&'static str>,
    /// `agreement`, `operator`, or `idle`.
    pub paused_by: Option<&'static str>,
    /// Who is ready to go on with a paused game; it goes on when both are.
    pub resume_by: Vec<&'static str>,
    /// When a paused game is aborted if it has not gone on.
    pub adjourned_until: Option<String>,
    /// `white_wins`, `black_wins`, `draw` or `aborted`.
    pub result: Option<&'static str>,
    /// Why it ended.
    pub reason: Option<&'static str>,
    /// `white` or `black`.
    pub winner: Option<&'static str>,
    /// When it was made.
    pub created_at: String,
    /// When the opponent joined.
    pub started_at: Option<String>,
    /// When the last move that stands was received.
    pub last_move_at: Option<String>,
    /// When it ended.
    pub ended_at: Option<String>,
}

fn is_zero(quota: &u32) -> bool {
    *quota == 0
}

/// Something for each side.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Sides<V> {
    /// White's.
    pub white: V,
    /// Black's.
    pub black: V,
}

/// A game that counts illegal attempts.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct IllegalMovesView {
    /// The attempt that loses.
    pub forfeit_after: u8,
    /// How many each side has made.
    pub attempts: Sides<u8>,
}

impl IllegalMovesView {
    fn of(game: &Game) -> Option<IllegalMovesView> {
        let forfeit_after = game.terms().forfeit_after;
        let attempts = game.illegal_attempts();
        (forfeit_after > 0).then_some(IllegalMovesView {
            forfeit_after,
            attempts: Sides {
                white: attempts.white,
                black: attempts.black,
            },
        })
    }
}

/// A player at the board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerView {
    /// The account's id.
    pub id: String,
    /// The name as its owner writes it.
    pub name: String,
    /// `GM`, `BOT`, ...
    pub title: Option<String>,
    /// Whether the player is here.
    pub connected: bool,
}

/// A colour on the wire.
pub(crate) fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// Clocks on the wire: whole seconds and milliseconds.
pub(crate) fn clock_views(
    clocks: Option<ByColor<Millis>>,
) -> (Option<Sides<u32>>, Option<Sides<u32>>) {
    let ms = clocks.map(|c| Sides {
        white: c.white.0,
        black: c.black.0,
    });
    let secs = clocks.map(|c| Sides {
        white: c.white.as_secs(),
        black: c.black.as_secs(),
    });
    (secs, ms)
}

/// A game to be shown, with what it takes to show it.
pub(crate) struct Shown<'a> {
    pub(crate) app: &'a App,
    pub(crate) id: TableId,
    pub(crate) game: &'a Game,
    pub(crate) viewer: Option<PlayerId>,
    pub(crate) join_code: Option<String>,
    pub(crate) now: Timestamp,
}

impl Shown<'_> {
    /// Renders the game.
    pub(crate) async fn view(self) -> Result<GameView, Problem> {
        let names = self.names().await?;
        Ok(self.with(&names))
    }

    /// Those who are named.
    pub(crate) async fn names(&self) -> Result<Names, Problem> {
        Names::of(self.app, self.people().into_iter().flatten()).await
    }

    fn people(&self) -> [Option<PlayerId>; 4] {
        let seats = self.game.seats();
        let (creator, opponent) = (self.game.creator(), self.game.opponent());
        [Some(creator), opponent, seats.white, seats.black]
    }

    /// What the ETag depends on besides the version: role, presence, and what
    /// people are called.
    pub(crate) fn etag(&self, names: &Names) -> String {
        let role = self
            .viewer
            .and_then(|v| self.game.seat_of(v))
            .map_or('o', |color| color.char());
        let here = |color: Color| {
            let seat = *self.game.seats().get(color);
            seat.map_or('-', |player| if self.is_here(player) { '1' } else { '0' })
        };
        let version = self.game.version();
        let idle = if self.is_idle() { "i" } else { "" };
        let (white, black) = (here(Color::White), here(Color::Black));
        let mut called = DefaultHasher::new();
        for player in self.people().into_iter().flatten() {
            (names.id(player), names.title(player)).hash(&mut called);
        }
        let called = called.finish() as u32;
        format!("W/\"{version}-{role}-{white}{black}{idle}-{called:x}\"")
    }

    pub(crate) fn with(self, names: &Names) -> GameView {
        let game = self.game;
        let terms = game.terms();
        let creation = game.creation();
        let start = game.start_board();
        let (moves, san) = self.app.scores.of(self.id, game);
        let clock_at = game.ended_at().unwrap_or(self.clock_now());
        let (clock, clock_ms) = clock_views(game.clocks(clock_at));
        let is_idle = self.is_idle();
        let offer = |offer| game.offer(offer).map(color_name);
        let waiting = game.phase() == Phase::Waiting;
        let mine = self.viewer == Some(game.creator());
        let seats = game.seats();
        GameView {
            id: self.id.to_string(),
            version: game.version(),
            state: if is_idle {
                "PAUSED"
            } else {
                game.phase().name()
            },
            variant: terms.variant.name(),
            rated: terms.rated,
            white: seats.white.map(|p| names.id(p)),
            black: seats.black.map(|p| names.id(p)),
            creator: names.id(game.creator()),
            creator_title: names.title(game.creator()),
            opponent: game.opponent().map(|p| names.id(p)),
            opponent_title: game.opponent().and_then(|p| names.title(p)),
            players: Sides {
                white: seats.white.map(|p| self.player(names, p)),
                black: seats.black.map(|p| self.player(names, p)),
            },
            time_control: TimeControlJson::of(&terms.control),
            draw_rule: match terms.draw_rule {
                chess::game::DrawRule::Automatic => "automatic",
                chess::game::DrawRule::Claim => "claim",
            },
            clock_start: match terms.clock_start {
                chess::clock::ClockStart::Join => "join",
                chess::clock::ClockStart::SecondPly => "second_ply",
            },
            illegal_moves: IllegalMovesView::of(game),
            lag_quota_ms: self.app.settings.lag_quota_ms,
            visibility: if terms.private { "private" } else { "public" },
            join_code: self.join_code.clone().filter(|_| waiting && mine),
            rematch_of: creation
                .rematch_of
                .and_then(TableId::from_number)
                // That there is a rematch tells that the first game is over.
                .filter(|_| {
                    !self.is_delayed()
                        || self.now >= game.created_at() + self.game.spectator_delay()
                })
                .map(|id| id.to_string()),
            initial_fen: start.fen(),
            fen: game.board().fen(),
            ply: game.ply(),
            to_move: color_name(game.turn()),
            check: game.board().is_check(),
            moves,
            san,
            clock,
            clock_ms,
            clock_at: rfc3339(clock_at),
            move_deadline: game.move_deadline().map(rfc3339),
            draw_offer: offer(Offer::Draw),
            takeback_offer: offer(Offer::Takeback),
            pause_offer: offer(Offer::Pause),
            paused_by: match game.phase() {
                Phase::Paused {
                    by: PausedBy::Agreement,
                    ..
                } => Some("agreement"),
                Phase::Paused {
                    by: PausedBy::Operator,
                    ..
                } => Some("operator"),
                _ => is_idle.then_some("idle"),
            },
            resume_by: game.resume_by().map(color_name).into_iter().collect(),
            adjourned_until: game.adjourned_until().map(rfc3339),
            result: game.ending().map(|e| e.result()),
            reason: game.ending().map(|e| e.reason()),
            winner: game.ending().and_then(|e| e.winner()).map(color_name),
            created_at: rfc3339(game.created_at()),
            started_at: game.started_at().map(rfc3339),
            last_move_at: game.last_move_at().map(rfc3339),
            ended_at: game.ended_at().map(rfc3339),
        }
    }

    /// The moment whose clocks are shown: a spectator sees those of a delayed
    /// game as they were, like its moves.
    fn clock_now(&self) -> Timestamp {
        if self.is_delayed() {
            let then = self
                .now
                .0
                .saturating_sub(u64::from(self.game.spectator_delay().0));
            Timestamp(then).max(self.game.last_at())
        } else {
            self.now
        }
    }

    fn is_delayed(&self) -> bool {
        let is_player = self.viewer.is_some_and(|v| self.game.is_player(v));
        self.game.spectator_delay() > Millis::ZERO && !is_player
    }

    fn player(&self, names: &Names, player: PlayerId) -> PlayerView {
        let person = names.get(player);
        PlayerView {
            id: names.id(player),
            name: person.map_or_else(|| names.id(player), |p| p.name.clone()),
            title: names.title(player),
            connected: self.is_here(player),
        }
    }

    /// Whether a player is there. To spectators of a delayed game both are,
    /// until they know of its end: coming and going would tell of it.
    fn is_here(&self, player: PlayerId) -> bool {
        let is_secret = self.is_delayed() && self.game.ending().is_none();
        is_secret || player_here(self.app, self.id, self.game, player).is_online
    }

    /// In correspondence a game whose side to move has not been seen for an
    /// hour shows as paused. Nothing is written, and the deadline keeps running.
    fn is_idle(&self) -> bool {
        const IDLE: Millis = Millis::from_secs(3600);
        let slow = matches!(
            self.game.terms().control,
            chess::clock::TimeControl::Correspondence { .. }
        );
        let Some(mover) = *self.game.seats().get(self.game.turn()) else {
            return false;
        };
        slow && !self.is_delayed()
            && self.game.state() == "ACTIVE"
            && self
                .app
                .games
                .seen(self.id, mover)
                .is_some_and(|seen| self.now.since(seen.last) >= IDLE)
    }
}
