//! A challenge in this door's words: a game that waits for somebody in particular, or for
//! whoever comes.

use std::collections::HashSet;

use chess::Millis;
use chess::clock::TimeControl;
use chess::game::{AbortReason, ColorChoice, DeclineReason, Ending, Game};
use chess::rating::{Category, Shown};
use chess::rules::Start;
use chess::table::PlayerId;
use serde_json::{Value, json};
use store::{PlayerRating, TableId};

use super::error::Error;
use super::vocab::{self, Rules};
use super::words::{compat, light};
use crate::auth::Names;
use crate::play::names::people;
use crate::play::{App, ratings};

/// A challenge with a clock whose challenger is not seen for that long is `offline`.
const OFFLINE_AFTER: Millis = Millis::from_secs(20);

/// Challenges, and what is to be known of those who are named in them.
pub(super) struct Challenges<'a> {
    app: &'a App,
    base: &'a str,
    names: Names,
    ratings: Vec<PlayerRating>,
    online: HashSet<PlayerId>,
}

impl<'a> Challenges<'a> {
    /// Asks what is to be known for these.
    ///
    /// # Errors
    /// `unavailable`: the store cannot say.
    pub(super) async fn of(
        app: &'a App,
        base: &'a str,
        games: impl IntoIterator<Item = &Game>,
    ) -> Result<Challenges<'a>, Error> {
        let mut who: Vec<PlayerId> = games.into_iter().flat_map(people).collect();
        who.sort_unstable();
        who.dedup();
        Ok(Challenges {
            app,
            base,
            names: Names::of(app, who.iter().copied()).await?,
            ratings: app.store.ratings_of(&who).await?,
            online: app.rooms.online(&who).await,
        })
    }

    /// One of them, as that viewer is told.
    pub(super) fn json(&self, id: TableId, game: &Game, viewer: Option<PlayerId>) -> Value {
        let creation = game.creation();
        let category = vocab::category(game);
        let rules = Rules::of(game);
        let final_color = creation.color.decided();
        let mut challenge = json!({
            "id": id.to_string(),
            "url": format!("{}/{id}", self.base),
            "status": self.status(game),
            "challenger": self.user(Some(creation.creator), category),
            "destUser": self.user(creation.opponent, category),
            "variant": rules.json(),
            "rated": creation.terms.rated,
            "speed": vocab::speed(creation.terms.control.speed()),
            "timeControl": time_control(&creation.terms.control),
            "color": chosen(creation.color),
            "finalColor": final_color.map_or("white", vocab::color),
            "perf": { "icon": "", "name": vocab::perf_name(category) },
        });
        if matches!(creation.start, Start::Fen(_) | Start::Chess960(_)) {
            challenge["initialFen"] = json!(game.start_board().fen());
        }
        if let Some(first) = creation.rematch_of.and_then(TableId::from_number) {
            challenge["rematchOf"] = json!(first.to_string());
        }
        if let Some(viewer) = viewer {
            let is_own = viewer == creation.creator;
            challenge["direction"] = json!(if is_own { "out" } else { "in" });
        }
        if let Some(why) = declined(game) {
            let (key, sentence) = vocab::declined(why);
            challenge["declineReason"] = json!(sentence);
            challenge["declineReasonKey"] = json!(key);
        }
        challenge
    }

    /// One of them as an event.
    pub(super) fn event(
        &self,
        kind: &str,
        id: TableId,
        game: &Game,
        viewer: Option<PlayerId>,
    ) -> Value {
        json!({
            "type": kind,
            "challenge": self.json(id, game, viewer),
            "compat": compat(),
        })
    }

    fn status(&self, game: &Game) -> &'static str {
        if game.started_at().is_some() {
            return "accepted";
        }
        match game.ending() {
            Some(Ending::Aborted { by }) if by.is_declined() => "declined",
            Some(_) => "canceled",
            None => {
                let age = self.app.now().since(game.created_at());
                let is_here = self.online.contains(&game.creator());
                let is_fast = game.terms().control.is_real_time();
                match is_fast && age >= OFFLINE_AFTER && !is_here {
                    true => "offline",
                    false => "created",
                }
            }
        }
    }

    fn user(&self, player: Option<PlayerId>, category: Category) -> Value {
        let Some((player, person)) =
            player.and_then(|player| Some((player, self.names.get(player)?)))
        else {
            return Value::Null;
        };
        let standing = ratings::standing(&self.ratings, player, category);
        let rating = Shown::from(standing.at(self.app.now()));
        let mut user = light(person);
        user["rating"] = json!(rating.points);
        if rating.provisional {
            user["provisional"] = json!(true);
        }
        if self.online.contains(&player) {
            user["online"] = json!(true);
        }
        user
    }
}

/// Why a challenge was declined, if it was.
pub(super) fn declined(game: &Game) -> Option<DeclineReason> {
    match game.ending()? {
        Ending::Aborted {
            by: AbortReason::Declined(why),
        } => Some(why.unwrap_or(DeclineReason::Generic)),
        _ => None,
    }
}

fn chosen(choice: ColorChoice) -> &'static str {
    match choice {
        ColorChoice::White => "white",
        ColorChoice::Black => "black",
        ColorChoice::Random | ColorChoice::Tossed(_) => "random",
    }
}

fn time_control(control: &TimeControl) -> Value {
    if let Some(days) = vocab::days(control) {
        return json!({ "type": "correspondence", "daysPerTurn": days });
    }
    match vocab::clock(control) {
        Some((initial, increment)) => json!({
            "type": "clock",
            "limit": initial.as_secs(),
            "increment": increment.as_secs(),
            "show": vocab::shown(initial, increment),
        }),
        None => json!({ "type": "unlimited" }),
    }
}
