//! Seeks: an opponent is looked for as long as the client holds the stream, which
//! carries empty lines and ends when there is one, or none will come.

use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chess::clock::TimeControl;
use chess::game::ColorChoice;
use chess::pairing::Pool;
use chess::{Color, Millis};
use serde_json::json;

use super::Call;
use super::body::{Fields, Sent};
use super::caller::{Player, is_bot};
use super::error::Error;
use super::ndjson;
use super::vocab::{self, Rules};
use crate::auth::{Caller, Scope};
use crate::http::ClientAddress;
use crate::play::matchmaking::seeks::{self, Seek, Sought};
use crate::play::terms::{NewGame, Players};
use crate::play::{App, Asked, create};
use crate::stream::{Out, Source};

/// Minutes and seconds that are meant if nothing is said.
const TIME: f64 = 10.0;
const INCREMENT: u32 = 5;
/// The most there is of either.
const TIME_MAX: f64 = 180.0;
const INCREMENT_MAX: u32 = 180;
/// Days per move that can be asked for.
const DAYS: [u8; 7] = [1, 2, 3, 5, 7, 10, 14];

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    vec![Call::post("/api/board/seek", seek)]
}

async fn seek(
    State(app): State<App>,
    player: Player,
    ClientAddress(from): ClientAddress,
    Sent(form): Sent,
) -> Result<Response, Error> {
    let caller = player.with(&[Scope::BoardPlay])?;
    if is_bot(&caller.person) {
        return Err(Error::forbidden("Bot accounts cannot seek games"));
    }
    let wish = Wish::read(&form)?;
    let asked = Asked::new(&app, &caller);
    if wish.pool.control.is_by_days() {
        let made = create::make(&asked, wish.game()).await?;
        return Ok(Json(json!({ "id": made.id.to_string() })).into_response());
    }
    let place = app.rooms.place(Some(caller.number()), from)?;
    let sought = Sought {
        pool: wish.pool,
        range: wish.range,
        side: wish.side,
    };
    let seek = seeks::begin(&asked, sought).await?;
    let held = Held {
        app: app.clone(),
        caller: caller.clone(),
        seek,
    };
    Ok(ndjson::serve(held, place))
}

/// What is asked for.
#[derive(Debug)]
struct Wish {
    pool: Pool,
    range: Option<RangeInclusive<u32>>,
    side: Option<Color>,
}

impl Wish {
    fn read(form: &Fields) -> Result<Wish, Error> {
        let control = match form.number::<u8>("days")? {
            Some(days) if DAYS.contains(&days) => TimeControl::Correspondence { days },
            Some(_) => return Err(Error::form("days", "Invalid value")),
            None => clock(form)?,
        };
        let variant = form.text("variant").unwrap_or("standard");
        let variant = match Rules::from_key(variant) {
            Some(Rules::Of(variant)) => variant,
            _ => return Err(Error::form("variant", "Invalid value")),
        };
        Ok(Wish {
            pool: Pool {
                control,
                variant,
                rated: form.flag("rated"),
            },
            range: form.text("ratingRange").map(range).transpose()?,
            side: form.text("color").map_or(Ok(None), side)?,
        })
    }

    /// The game that waits for whoever comes.
    fn game(self) -> NewGame {
        let color = match self.side {
            None => ColorChoice::Random,
            Some(Color::White) => ColorChoice::White,
            Some(Color::Black) => ColorChoice::Black,
        };
        NewGame {
            players: Players::Own {
                color,
                opponent: None,
            },
            start: None,
            terms: self.pool.terms(),
            invited: Vec::new(),
        }
    }
}

/// `time` is in minutes, also in parts of one, and `increment` in seconds.
fn clock(form: &Fields) -> Result<TimeControl, Error> {
    let wrong = || Error::form("time", "Invalid value");
    let minutes = form.text("time").map(|text| text.parse::<f64>().ok());
    let minutes = minutes.unwrap_or(Some(TIME)).ok_or_else(wrong)?;
    if !(0.0..=TIME_MAX).contains(&minutes) {
        return Err(wrong());
    }
    let increment = form.number("increment")?.unwrap_or(INCREMENT);
    if increment > INCREMENT_MAX {
        return Err(Error::form("increment", "Invalid value"));
    }
    // At most three hours, so it fits.
    let seconds = (minutes * 60.0).round() as u32;
    Ok(TimeControl::Fischer {
        initial: Millis::from_secs(seconds),
        increment: Millis::from_secs(increment),
    })
}

/// `1400-1600`.
fn range(text: &str) -> Result<RangeInclusive<u32>, Error> {
    let ends = text.split_once('-');
    let ends = ends.and_then(|(min, max)| {
        let min: u32 = min.trim().parse().ok()?;
        Some((min, max.trim().parse().ok()?))
    });
    match ends {
        Some((min, max)) if min <= max => Ok(min..=max),
        _ => Err(Error::form("ratingRange", "Invalid value")),
    }
}

fn side(name: &str) -> Result<Option<Color>, Error> {
    if name == "random" {
        return Ok(None);
    }
    let mut all = Color::ALL.into_iter();
    let found = all.find(|color| vocab::color(*color) == name);
    match found {
        Some(color) => Ok(Some(color)),
        None => Err(Error::form("color", "Invalid value")),
    }
}

/// A seek that somebody holds.
struct Held {
    app: App,
    caller: Caller,
    seek: Seek,
}

impl Source for Held {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        Some(&self.caller)
    }

    fn is_player(&self) -> bool {
        true
    }

    async fn next(&mut self) -> Out {
        self.seek.over().await;
        Out::close(1000, "no more is sought")
    }
}

#[cfg(test)]
mod tests {
    use chess::rules::Variant;

    use super::*;

    fn wish(form: &str) -> Result<Wish, Error> {
        Wish::read(&Fields::of_form(form.as_bytes()))
    }

    #[test]
    fn s9_time_is_in_minutes_and_increment_in_seconds() {
        for (form, initial, increment) in [
            ("time=10&increment=5", 600, 5),
            ("time=0.5&increment=0", 30, 0),
            ("time=1.5&increment=2&ratingRange=", 90, 2),
            ("rated=true", 600, 5),
        ] {
            let control = TimeControl::Fischer {
                initial: Millis::from_secs(initial),
                increment: Millis::from_secs(increment),
            };
            assert_eq!(wish(form).unwrap().pool.control, control, "{form}");
        }
        for wrong in ["time=181", "time=-1", "time=NaN", "time=x", "increment=181"] {
            assert!(wish(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn s9_a_range_of_ratings_may_be_empty() {
        assert_eq!(wish("ratingRange=").unwrap().range, None);
        assert_eq!(
            wish("ratingRange=1400-1600").unwrap().range,
            Some(1400..=1600)
        );
        for wrong in ["1600-1400", "1400", "a-b", "-5-10"] {
            let form = format!("ratingRange={wrong}");
            assert!(wish(&form).is_err(), "{wrong}");
        }
    }

    #[test]
    fn s9_what_else_is_asked_for_is_read() {
        let asked = wish("days=3&color=white&rated=True&variant=kingOfTheHill").unwrap();
        assert_eq!(asked.pool.control, TimeControl::Correspondence { days: 3 });
        assert_eq!(asked.side, Some(Color::White));
        assert!(asked.pool.rated);
        assert_eq!(asked.pool.variant, Variant::KingOfTheHill);
        assert_eq!(wish("color=random").unwrap().side, None);
        for wrong in ["days=4", "variant=fromPosition", "variant=go", "color=red"] {
            assert!(wish(wrong).is_err(), "{wrong}");
        }
    }
}
