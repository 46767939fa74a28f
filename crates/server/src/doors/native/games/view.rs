//! The game as JSON, everywhere it is returned.

use std::hash::{DefaultHasher, Hash, Hasher};

use chess::game::{Game, Offer, PausedBy, Phase, Terms};
use chess::rating;
use chess::table::{PlayerId, State};
use chess::{ByColor, Color, Millis, Timestamp};
use serde::Serialize;
use store::RatedGame;
use utoipa::ToSchema;

use super::time_control::TimeControlJson;
use crate::play::names::Names;
use crate::play::presence::player_here;
use crate::play::ratings;
use crate::play::{App, Sight};
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
    /// `public`, `private` or `members`.
    pub visibility: &'static str,
    /// Who may speak: `all`, `players` or `off`.
    pub chat_rule: &'static str,
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
    /// What the game did to the ratings of its players, if it is over and counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratings: Option<Sides<RatingChange>>,
    /// Why the invited player declined, if they said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decline_reason: Option<&'static str>,
    /// When it was made.
    pub created_at: String,
    /// When the opponent joined.
    pub started_at: Option<String>,
    /// When the last move that stands was received.
    pub last_move_at: Option<String>,
    /// When it ended.
    pub ended_at: Option<String>,
    /// Only if so: the store could not be asked whether there is anything newer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
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

/// Both clocks at one moment; `null`: there are none.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ClocksView {
    /// In whole seconds, rounded down.
    pub(crate) clock: Option<Sides<u32>>,
    /// In milliseconds.
    pub(crate) clock_ms: Option<Sides<u32>>,
    /// When the clocks showed this.
    #[schema(format = DateTime)]
    pub(crate) clock_at: String,
}

impl ClocksView {
    pub(crate) fn new(clocks: Option<ByColor<Millis>>, at: Timestamp) -> ClocksView {
        let (clock, clock_ms) = clock_views(clocks);
        ClocksView {
            clock,
            clock_ms,
            clock_at: rfc3339(at),
        }
    }

    /// As the game shows them then.
    pub(crate) fn at(game: &Game, at: Timestamp) -> ClocksView {
        ClocksView::new(game.clocks(at), at)
    }
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
    /// What a guest wants to be called, if they said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// `GM`, `BOT`, ...
    pub title: Option<String>,
    /// The rating when the game began, in whole points; `null` for a guest, while the
    /// game waits, and if it was not kept.
    pub rating: Option<u16>,
    /// Whether that rating was too unsure to be compared with others'.
    pub provisional: Option<bool>,
    /// Whether the player is here.
    pub connected: bool,
    /// In correspondence: until when they are on vacation, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vacation_until: Option<String>,
}

/// What a game did to a rating, in whole points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RatingChange {
    /// When the game ended.
    pub before: u32,
    /// After it.
    pub after: u32,
}

/// What a game did to the ratings of both.
pub(crate) fn rating_changes(rated: &RatedGame) -> Sides<RatingChange> {
    let change = |change: rating::Change| RatingChange {
        before: change.before.points(),
        after: change.after.points(),
    };
    Sides {
        white: change(rated.changes.white),
        black: change(rated.changes.black),
    }
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
    pub(crate) sight: Sight,
}

impl Shown<'_> {
    /// Renders the game.
    pub(crate) async fn view(self) -> Result<GameView, Problem> {
        let names = self.names().await?;
        let rated = self.rated().await?;
        Ok(self.with(&names, rated.as_ref()))
    }

    /// What it did to ratings.
    pub(crate) async fn rated(&self) -> Result<Option<RatedGame>, Problem> {
        ratings::of_sight(self.app, &self.sight).await
    }

    /// Those who are named.
    pub(crate) async fn names(&self) -> Result<Names, Problem> {
        Ok(Names::of(self.app, self.people().into_iter().flatten()).await?)
    }

    fn people(&self) -> [Option<PlayerId>; 4] {
        let game = &self.sight.game;
        let (seats, creator, opponent) = (game.seats(), game.creator(), game.opponent());
        [Some(creator), opponent, seats.white, seats.black]
    }

    /// What the ETag depends on besides the version: role, presence, and what
    /// people are called.
    pub(crate) fn etag(&self, names: &Names) -> String {
        let Sight { game, viewer, .. } = &self.sight;
        let seat = viewer.and_then(|viewer| game.seat_of(viewer));
        let role = seat.map_or('o', |color| color.char());
        let here = |color: Color| {
            let seat = *game.seats().get(color);
            seat.map_or('-', |player| if self.is_here(player) { '1' } else { '0' })
        };
        let version = game.version();
        let idle = if self.sight.is_idle(self.app) {
            "i"
        } else {
            ""
        };
        let (white, black) = (here(Color::White), here(Color::Black));
        let mut called = DefaultHasher::new();
        for player in self.people().into_iter().flatten() {
            (names.id(player), names.title(player)).hash(&mut called);
            self.away_until(player)
                .map(|until| until.0)
                .hash(&mut called);
        }
        let called = called.finish() as u32;
        format!("W/\"{version}-{role}-{white}{black}{idle}-{called:x}\"")
    }

    pub(crate) fn with(self, names: &Names, rated: Option<&RatedGame>) -> GameView {
        let Shown { app, sight } = &self;
        let game = &sight.game;
        let terms = game.terms();
        let (moves, san) = app.scores.of(sight.id, game);
        let clock_at = sight.clock_at();
        let (clock, clock_ms) = clock_views(game.clocks(clock_at));
        let is_idle = sight.is_idle(app);
        let idle = is_idle.then_some(State::Paused);
        let state = idle.unwrap_or(game.phase().state());
        let offer = |offer| game.offer(offer).map(color_name);
        let seats = game.seats();
        GameView {
            id: sight.id.to_string(),
            version: game.version(),
            state: state.name(),
            variant: terms.variant.name(),
            rated: terms.rated,
            white: seats.white.map(|p| names.id(p)),
            black: seats.black.map(|p| names.id(p)),
            creator: names.id(game.creator()),
            creator_title: names.title(game.creator()),
            opponent: game.opponent().map(|p| names.id(p)),
            opponent_title: game.opponent().and_then(|p| names.title(p)),
            players: self.players(names),
            time_control: TimeControlJson::of(&terms.control),
            draw_rule: draw_rule(terms),
            clock_start: match terms.clock_start {
                chess::clock::ClockStart::Join => "join",
                chess::clock::ClockStart::SecondPly => "second_ply",
            },
            illegal_moves: IllegalMovesView::of(game),
            lag_quota_ms: app.settings.lag_quota_ms,
            visibility: visibility(terms),
            chat_rule: terms.room.chat.name(),
            join_code: sight.join_code().map(str::to_owned),
            rematch_of: sight.rematch_of().map(|id| id.to_string()),
            initial_fen: game.start_board().fen(),
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
            paused_by: paused_by(game).or(is_idle.then_some("idle")),
            resume_by: game.resume_by().map(color_name).into_iter().collect(),
            adjourned_until: game.adjourned_until().map(rfc3339),
            result: game.ending().map(|e| e.result()),
            reason: game.ending().map(|e| e.reason()),
            winner: game.ending().and_then(|e| e.winner()).map(color_name),
            ratings: rated.map(rating_changes),
            decline_reason: decline_reason(game),
            created_at: rfc3339(game.created_at()),
            started_at: game.started_at().map(rfc3339),
            last_move_at: game.last_move_at().map(rfc3339),
            ended_at: game.ended_at().map(rfc3339),
            stale: sight.is_stale,
        }
    }

    fn players(&self, names: &Names) -> Sides<Option<PlayerView>> {
        let game = &self.sight.game;
        let at_start = game.start_ratings();
        let player = |color: Color| {
            let seat = *game.seats().get(color);
            seat.map(|player| self.player(names, player, *at_start.get(color)))
        };
        Sides {
            white: player(Color::White),
            black: player(Color::Black),
        }
    }

    fn player(&self, names: &Names, player: PlayerId, rating: Option<rating::Shown>) -> PlayerView {
        let person = names.get(player);
        PlayerView {
            id: names.id(player),
            name: person.map_or_else(|| names.id(player), |p| p.name.clone()),
            display_name: person.and_then(|p| p.display_name.clone()),
            title: names.title(player),
            rating: rating.map(|rating| rating.points),
            provisional: rating.map(|rating| rating.provisional),
            connected: self.is_here(player),
            vacation_until: self.away_until(player).map(rfc3339),
        }
    }

    /// Until when a player is on vacation, as far as the viewer knows the game.
    fn away_until(&self, player: PlayerId) -> Option<Timestamp> {
        let game = &self.sight.game;
        game.on_vacation_until(game.seat_of(player)?, self.sight.clock_at())
    }

    fn is_here(&self, player: PlayerId) -> bool {
        let Sight { id, game, .. } = &self.sight;
        self.sight.hides_presence() || player_here(self.app, *id, game, player).is_online
    }
}

fn draw_rule(terms: &Terms) -> &'static str {
    match terms.draw_rule {
        chess::game::DrawRule::Automatic => "automatic",
        chess::game::DrawRule::Claim => "claim",
    }
}

/// Why the invited player declined.
pub(crate) fn decline_reason(game: &Game) -> Option<&'static str> {
    let reason = game.ending().and_then(|ending| ending.decline_reason());
    reason.map(|reason| reason.name())
}

/// Who may see a game.
pub(crate) fn visibility(terms: &Terms) -> &'static str {
    match terms {
        Terms { private: true, .. } => "private",
        terms if terms.room.members_only => "members",
        _ => "public",
    }
}

/// Who paused a game that is.
fn paused_by(game: &Game) -> Option<&'static str> {
    match game.phase() {
        Phase::Paused { by, .. } => Some(match by {
            PausedBy::Agreement => "agreement",
            PausedBy::Operator => "operator",
        }),
        _ => None,
    }
}
