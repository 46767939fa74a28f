//! Finding a game, making one, and joining.

use bots::Level;
use chess::Millis;
use chess::clock::TimeControl;
use chess::game::{ColorChoice, Phase, Terms};
use chess::rules::Variant;
use chess::table::State;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::answer::Said;
use super::super::call::Call;
use super::playing::Game;
use super::view;
use crate::auth::Caller;
use crate::play::lists::{self, Wanted};
use crate::play::lobby::{self, Filter, Viewer};
use crate::play::look::{look, table_id};
use crate::play::names::{Names, people};
use crate::play::terms::{NewGame, Players};
use crate::play::{App, Asked, Sight, challenges, commands, create, house, join as joining};
use crate::problem::Problem;

/// Games that a list has at most.
const LISTED: u32 = 20;
/// The clock of a game whose maker says nothing: models take their time.
const MINUTES: u32 = 15;
const INCREMENT_SECONDS: u32 = 10;

pub(super) const FIND: &str = "\
List games that you can join now: open games in the lobby, and challenges made to you. Join one with \
join_game, or make your own with create_game if there is none. Errors: `unauthorized`.";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Find {
    /// Only this variant, such as standard or chess960; left out: all.
    variant: Option<String>,
}

pub(super) async fn find(call: Call, find: Find) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.owner().await?);
    let filter = Filter {
        variant: find.variant.as_deref().map(variant_named).transpose()?,
        ..Filter::default()
    };
    let viewer = Viewer::of(app, Some(&caller)).await?;
    let open = lobby::page(app, &viewer, &filter, None, LISTED)
        .await?
        .games;
    let made = challenges::page(app, &caller, None, LISTED).await?.games;
    let is_for_me = |sight: &Sight| sight.game.opponent() == Some(caller.number());
    let made: Vec<Sight> = made.into_iter().filter(is_for_me).collect();
    let (open_words, open) = listed(app, &open).await?;
    let (made_words, made) = listed(app, &made).await?;
    let say = |what: &str, words: Vec<String>| match words.is_empty() {
        true => format!("{what}: none."),
        false => format!("{what}:\n{}", words.join("\n")),
    };
    Ok(Said {
        text: format!(
            "{}\n{}",
            say("Open games", open_words),
            say("Challenges to you", made_words)
        ),
        data: json!({ "open": open, "challenges": made }),
    })
}

pub(super) const MINE: &str = "\
List your own games: by default those that are not over, with whose turn it is; finished ones with \
finished true. The newest 20 of each. Errors: `unauthorized`.";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Mine {
    /// List the finished ones instead.
    #[serde(default)]
    finished: bool,
}

pub(super) async fn mine(call: Call, mine: Mine) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.owner().await?);
    let states: &[State] = match mine.finished {
        true => &[State::Completed],
        false => &[State::Active, State::Paused, State::Waiting],
    };
    let mut games = Vec::new();
    for state in states {
        let wanted = Wanted {
            state: Some(*state),
            player: Some(caller.person.id.clone()),
            variant: None,
            after: None,
            only: Default::default(),
            oldest_first: false,
            limit: LISTED,
        };
        games.extend(lists::page(app, Some(&caller), wanted).await?.games);
    }
    let (words, data) = listed(app, &games).await?;
    Ok(Said {
        text: match words.is_empty() {
            true => "You have no such games.".to_owned(),
            false => words.join("\n"),
        },
        data: json!({ "games": data }),
    })
}

/// Games in a line each, and as JSON.
async fn listed(app: &App, games: &[Sight]) -> Result<(Vec<String>, Vec<Value>), Problem> {
    let named: Vec<_> = games.iter().flat_map(|sight| people(&sight.game)).collect();
    let names = Names::of(app, named).await?;
    let words = games
        .iter()
        .map(|sight| view::line(sight, &names))
        .collect();
    Ok((
        words,
        games
            .iter()
            .map(|sight| view::brief(sight, &names))
            .collect(),
    ))
}

pub(super) const CREATE: &str = "\
Make a game that waits for a person: open to whoever comes (the answer has a join code to pass on), or with \
opponent for one player only, as a challenge. Casual and 15 minutes + 10 seconds a move unless you say \
otherwise. Then call wait_for_opponent until somebody joins: an open game is gone a minute after you were last \
seen. Errors: `not_found` (no such opponent), `not_accepting` (they do not take it), `bad_time_control`, \
`cannot_be_rated` (guests play casual games), `rate_limited`.";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Create {
    /// The name of the only player who may join; left out: anybody.
    opponent: Option<String>,
    /// Your side; random if left out.
    color: Option<Side>,
    /// Minutes on each clock; 15 if left out.
    minutes: Option<u32>,
    /// Seconds that each move adds; 10 if left out.
    increment_seconds: Option<u32>,
    /// Instead of a clock: so many days for every move, 1 to 14.
    days_per_move: Option<u8>,
    /// Play without any clock.
    #[serde(default)]
    no_clock: bool,
    /// standard (default), chess960, crazyhouse, antichess, atomic, horde, king_of_the_hill, racing_kings or three_check.
    variant: Option<String>,
    /// Whether ratings change by it.
    #[serde(default)]
    rated: bool,
    /// Hide it from everybody but its players.
    #[serde(default)]
    private: bool,
    /// Lose the game after so many illegal attempts, 1 to 100; left out: they cost nothing.
    forfeit_after: Option<u8>,
}

/// white, black or random.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Side {
    White,
    Black,
    Random,
}

impl Side {
    fn choice(side: Option<Side>) -> ColorChoice {
        match side {
            Some(Side::White) => ColorChoice::White,
            Some(Side::Black) => ColorChoice::Black,
            Some(Side::Random) | None => ColorChoice::Random,
        }
    }
}

/// A casual game with a clock.
fn terms(
    variant: Option<&str>,
    minutes: Option<u32>,
    increment_seconds: Option<u32>,
) -> Result<Terms, Problem> {
    let variant = variant.map_or(Ok(Variant::Standard), variant_named)?;
    let seconds = minutes.unwrap_or(MINUTES).saturating_mul(60);
    let increment = increment_seconds.unwrap_or(INCREMENT_SECONDS);
    let control = TimeControl::Fischer {
        initial: Millis::from_secs(seconds.min(LONGEST_SECONDS)),
        increment: Millis::from_secs(increment.min(LONGEST_SECONDS)),
    };
    Ok(Terms {
        variant,
        ..Terms::casual(control)
    })
}

/// More than any clock may have, and what can be counted in milliseconds.
const LONGEST_SECONDS: u32 = 1_000_000;

pub(super) async fn create(call: Call, create: Create) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.player().await?);
    let clocked = terms(
        create.variant.as_deref(),
        create.minutes,
        create.increment_seconds,
    )?;
    let terms = Terms {
        rated: create.rated,
        takebacks: !create.rated,
        private: create.private,
        forfeit_after: forfeit_after(create.forfeit_after)?,
        control: match (create.no_clock, create.days_per_move) {
            (true, _) => TimeControl::Unlimited,
            (false, Some(days)) => TimeControl::Correspondence { days },
            (false, None) => clocked.control,
        },
        ..clocked
    };
    let new = NewGame {
        players: Players::Own {
            color: Side::choice(create.color),
            opponent: create.opponent,
        },
        start: None,
        terms,
        invited: Vec::new(),
    };
    let made = create::make(&Asked::new(app, &caller), new).await?;
    view::game(app, &made).await
}

fn forfeit_after(attempts: Option<u8>) -> Result<u8, Problem> {
    match attempts {
        None => Ok(0),
        Some(attempts @ 1..=100) => Ok(attempts),
        Some(_) => {
            let detail = "forfeit_after must be from 1 to 100";
            Err(Problem::bad_request(detail).with("field", "forfeit_after"))
        }
    }
}

pub(super) const COMPUTER: &str = "\
Play against the computer: the game begins at once, and the computer moves by itself. Casual, 15 minutes + 10 \
seconds a move unless you say otherwise. Then look_at_board, and make_move or wait_for_opponent. \
Errors: `bad_time_control`, `rate_limited`.";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Computer {
    /// How strong it is.
    difficulty: Difficulty,
    /// Your side; random if left out.
    color: Option<Side>,
    /// Minutes on each clock; 15 if left out.
    minutes: Option<u32>,
    /// Seconds that each move adds; 10 if left out.
    increment_seconds: Option<u32>,
    /// Play without any clock.
    #[serde(default)]
    no_clock: bool,
    /// standard (default), chess960, crazyhouse, antichess, atomic, horde, king_of_the_hill, racing_kings or three_check.
    variant: Option<String>,
}

/// beginner (about 400 Elo), easy (800), medium (1200), hard (1600), expert (2000) or master (2400).
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Difficulty {
    Beginner,
    Easy,
    Medium,
    Hard,
    Expert,
    Master,
}

pub(super) async fn computer(call: Call, computer: Computer) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.player().await?);
    let variant = computer.variant.as_deref();
    let mut terms = terms(variant, computer.minutes, computer.increment_seconds)?;
    if computer.no_clock {
        terms.control = TimeControl::Unlimited;
    }
    let new = NewGame {
        players: Players::Own {
            color: Side::choice(computer.color),
            opponent: None,
        },
        start: None,
        terms,
        invited: Vec::new(),
    };
    let asked = Asked::new(app, &caller);
    let begun = house::new::make(&asked, computer.difficulty.level(), new).await?;
    view::game(app, &begun.sight).await
}

impl Difficulty {
    fn level(self) -> Level {
        match self {
            Difficulty::Beginner => Level::Beginner,
            Difficulty::Easy => Level::Easy,
            Difficulty::Medium => Level::Medium,
            Difficulty::Hard => Level::Hard,
            Difficulty::Expert => Level::Expert,
            Difficulty::Master => Level::Master,
        }
    }
}

pub(super) const JOIN: &str = "\
Join a game: by game_id one that find_games lists (also to accept a challenge made to you), or by join_code one \
that a person told you of. It begins at once. Errors: `game_not_found` (wrong code, or it is gone), \
`game_not_waiting` (somebody was first), `own_game`, `not_invited`, `not_allowed` (guests play casual games).";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Join {
    /// The game's id.
    game_id: Option<String>,
    /// Six characters that its maker passed on, instead of game_id.
    join_code: Option<String>,
}

pub(super) async fn join(call: Call, join: Join) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.player().await?);
    let asked = Asked::new(app, &caller);
    let joined = match (join.game_id, join.join_code) {
        (Some(id), None) => joining::by_id(&asked, table_id(&id)?).await?,
        (None, Some(code)) => {
            let code = code.trim().to_ascii_uppercase();
            joining::by_code(&asked, call.from, &code, None).await?
        }
        _ => {
            let detail = "give either game_id or join_code";
            return Err(Problem::bad_request(detail).with("field", "game_id"));
        }
    };
    view::game(app, &joined).await
}

pub(super) const CALL_OFF: &str = "\
Call off a game: withdraw one of yours that nobody has joined, decline a challenge made to you, or abort a game \
in which not both have moved. A game that runs is ended with resign or draw instead. \
Errors: `too_late_to_abort`, `game_not_active` (it is over), `not_invited`, `not_a_player`.";

pub(super) async fn call_off(call: Call, Game { game_id }: Game) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.player().await?);
    let (asked, id) = (Asked::new(app, &caller), table_id(&game_id)?);
    let off = match standing(app, &game_id, &caller).await? {
        Standing::Own => commands::cancel(&asked, id).await?,
        Standing::Offered => commands::decline(&asked, id, None).await?,
        Standing::Begun => commands::abort(&asked, id).await?,
    };
    view::game(app, &off).await
}

/// What a game is to somebody who wants to be rid of it.
enum Standing {
    Own,
    Offered,
    Begun,
}

async fn standing(app: &App, id: &str, caller: &Caller) -> Result<Standing, Problem> {
    let Sight { game, .. } = look(app, table_id(id)?, Some(caller)).await?;
    Ok(match game.phase() {
        Phase::Waiting if game.creator() == caller.number() => Standing::Own,
        Phase::Waiting => Standing::Offered,
        _ => Standing::Begun,
    })
}

/// The variant of that name.
fn variant_named(name: &str) -> Result<Variant, Problem> {
    Variant::from_name(name).ok_or_else(|| {
        let all: Vec<&str> = Variant::ALL.iter().map(|v| v.name()).collect();
        let detail = format!("variant must be one of {}", all.join(", "));
        Problem::bad_request(detail).with("field", "variant")
    })
}
