//! Players, as everybody sees them.

use std::collections::{BTreeMap, HashMap, HashSet};

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use chess::clock::Speed;
use chess::rating::{Category, Standing};
use chess::rules::Variant;
use chess::table::PlayerId;
use futures_util::stream::iter;
use futures_util::{StreamExt, TryStreamExt};
use serde_json::{Map, Value, json};
use store::{Account, Played, RatingProfile, TableId};

use super::Call;
use super::body::{Asked, Text};
use super::caller::{BOT, Base};
use super::error::Error;
use super::ndjson;
use super::reader::{AT_ONCE, Reader, names};
use super::vocab;
use crate::auth::names::NAME_MAX;
use crate::http::{ClientAddress, Path};
use crate::limits::rates::Rate;
use crate::play::{App, follows, ratings};
use crate::problem::Problem;

/// Names that one request may have.
const USERS_MAX: usize = 300;
const STATUS_MAX: usize = 100;

/// Bots that are told of.
const BOTS: usize = 100;
const BOTS_MAX: usize = 512;

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    vec![
        Call::get("/api/user/{name}", show),
        Call::post("/api/users", several),
        Call::get("/api/users/status", status),
        Call::get("/api/bot/online", bots),
    ]
}

/// What everybody may know of somebody.
pub(super) struct Known {
    account: Account,
    ratings: Vec<RatingProfile>,
    played: std::sync::Arc<Vec<Played>>,
    is_online: bool,
    plays: Option<TableId>,
}

impl Known {
    /// Of one account, as that viewer may know it.
    ///
    /// # Errors
    /// `unavailable`: the store cannot say.
    pub(super) async fn of(
        app: &App,
        account: Account,
        viewer: Option<PlayerId>,
    ) -> Result<Known, Problem> {
        let mut known = Known::all(app, vec![account], viewer).await?;
        known.pop().ok_or_else(Problem::unavailable)
    }

    /// The same of several.
    async fn all(
        app: &App,
        accounts: Vec<Account>,
        viewer: Option<PlayerId>,
    ) -> Result<Vec<Known>, Problem> {
        let presence = Presence::of(app, &accounts).await?;
        let known = iter(accounts).map(|account| {
            let presence = &presence;
            async move {
                let number = account.number;
                Ok(Known {
                    ratings: ratings::profile(app, number, viewer).await?,
                    played: ratings::played(app, number).await?,
                    is_online: presence.online.contains(&number),
                    plays: presence.playing.get(&number).copied(),
                    account,
                })
            }
        });
        known.buffered(AT_ONCE).try_collect().await
    }

    /// The user as this door shows it.
    pub(super) fn json(&self, app: &App, base: &Base) -> Value {
        let account = &self.account;
        let seen_at = match self.is_online {
            true => app.wall(),
            false => account.created_at,
        };
        let mut user = json!({
            "id": account.id,
            "username": account.name,
            "perfs": self.perfs(app),
            "createdAt": account.created_at.0,
            "seenAt": seen_at.0,
            "url": format!("{}/@/{}", base.0, account.name),
            "count": self.count(),
        });
        if let Some(title) = &account.title {
            user["title"] = json!(title);
        }
        if let Some(game) = self.plays {
            user["playing"] = json!(format!("{}/{game}", base.0));
        }
        user
    }

    /// By speed and by variant: all speeds, and the variants they played. Games that do
    /// not count are counted too, by which clients find out who plays at all.
    fn perfs(&self, app: &App) -> Map<String, Value> {
        let mut games: BTreeMap<Category, u32> = BTreeMap::new();
        for category in Category::ALL.into_iter().take(SPEEDS) {
            games.insert(category, 0);
        }
        for played in self.played.iter() {
            if let Some(category) = category(played) {
                *games.entry(category).or_default() += played.games;
            }
        }
        let now = app.now();
        let ratings = self.ratings.iter();
        let rated: HashMap<Category, &RatingProfile> = ratings
            .map(|profile| (profile.rating.category, profile))
            .collect();
        for (category, profile) in &rated {
            let counted = games.entry(*category).or_default();
            *counted = (*counted).max(profile.rating.standing.games);
        }
        let perf = |(category, games): (Category, u32)| {
            let profile = rated.get(&category);
            let standing = profile.map_or(Standing::NEW, |profile| profile.rating.standing);
            let rating = standing.at(now);
            let mut perf = json!({
                "games": games,
                "rating": rating.points(),
                "rd": rating.deviation(),
                "prog": profile.map_or(0, |profile| profile.progress),
            });
            if rating.is_provisional() {
                perf["prov"] = json!(true);
            }
            (vocab::perf(category).to_owned(), perf)
        };
        games.into_iter().map(perf).collect()
    }

    fn count(&self) -> Value {
        let sum = |of: fn(&Played) -> u32| self.played.iter().map(of).sum::<u32>();
        let (all, wins, draws) = (sum(|p| p.games), sum(|p| p.wins), sum(|p| p.draws));
        let losses = all.saturating_sub(wins + draws);
        json!({
            "all": all,
            "rated": sum(|p| if p.rated { p.games } else { 0 }),
            "win": wins,
            "draw": draws,
            "loss": losses,
            "winH": wins,
            "drawH": draws,
            "lossH": losses,
            "playing": u32::from(self.plays.is_some()),
            "ai": 0,
            "bookmark": 0,
            "import": 0,
            "me": 0,
        })
    }
}

/// The categories that are speeds come first.
const SPEEDS: usize = 6;

fn category(played: &Played) -> Option<Category> {
    let speeds = [
        Speed::UltraBullet,
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Correspondence,
    ];
    let variant = Variant::from_name(&played.variant)?;
    let speed = speeds
        .into_iter()
        .find(|speed| speed.name() == played.speed);
    Some(Category::new(
        variant,
        speed.unwrap_or(Speed::Correspondence),
    ))
}

/// Who of some is there, and what they play that anybody may see as it is.
struct Presence {
    online: HashSet<PlayerId>,
    playing: HashMap<PlayerId, TableId>,
}

impl Presence {
    async fn of(app: &App, accounts: &[Account]) -> Result<Presence, Problem> {
        let numbers: Vec<PlayerId> = accounts.iter().map(|account| account.number).collect();
        let mut online = app.rooms.online(&numbers).await;
        let residents = app.rooms.residents();
        online.extend(numbers.iter().filter(|number| residents.has(**number)));
        Ok(Presence {
            online,
            playing: follows::playing(app, &numbers).await?,
        })
    }
}

/// The accounts that bear these names, in that order; who has none is left out.
async fn find(app: &App, names: Vec<String>) -> Result<Vec<Account>, Problem> {
    let ids = names.into_iter().map(|name| name.to_ascii_lowercase());
    let ids: Vec<String> = ids.filter(|id| id.len() <= NAME_MAX).collect();
    let found = app.store.accounts_by_ids(ids.clone()).await?;
    let found = found
        .into_iter()
        .filter(|account| account.deleted_at.is_none());
    let mut found: HashMap<String, Account> =
        found.map(|account| (account.id.clone(), account)).collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

async fn show(
    State(app): State<App>,
    who: Reader,
    base: Base,
    Path(name): Path<String>,
) -> Result<Json<Value>, Error> {
    let account = find(&app, vec![name]).await?.pop();
    let account = account.ok_or_else(|| Error::not_found("Not found"))?;
    let number = account.number;
    let mut user = Known::of(&app, account, who.number())
        .await?
        .json(&app, &base);
    if let Some(viewer) = who.number().filter(|viewer| *viewer != number) {
        let blocks = app.store.blocks_of(viewer).await?;
        user["followable"] = json!(true);
        user["following"] = json!(app.store.is_following(viewer, number).await?);
        user["blocking"] = json!(blocks.iter().any(|(blocked, _)| *blocked == number));
    }
    Ok(Json(user))
}

async fn several(
    State(app): State<App>,
    who: Reader,
    base: Base,
    ClientAddress(from): ClientAddress,
    Text(ids): Text,
) -> Result<Json<Vec<Value>>, Error> {
    app.rates.check(Rate::Bulk, from)?;
    let accounts = find(&app, names(&ids, USERS_MAX)?).await?;
    let known = Known::all(&app, accounts, who.number()).await?;
    let known = known.iter().map(|known| known.json(&app, &base));
    Ok(Json(known.collect()))
}

async fn status(
    State(app): State<App>,
    _: Reader,
    Asked(asked): Asked,
) -> Result<Json<Vec<Value>>, Error> {
    let ids = names(asked.text("ids").unwrap_or_default(), STATUS_MAX)?;
    let accounts = find(&app, ids).await?;
    let Presence { online, playing } = Presence::of(&app, &accounts).await?;
    let shown = |account: &Account| {
        let mut user = json!({ "id": account.id, "name": account.name });
        if let Some(title) = &account.title {
            user["title"] = json!(title);
        }
        if online.contains(&account.number) {
            user["online"] = json!(true);
        }
        if let Some(game) = playing.get(&account.number) {
            user["playing"] = json!(true);
            if asked.flag("withGameIds") {
                user["playingId"] = json!(game.to_string());
            }
        }
        user
    };
    Ok(Json(accounts.iter().map(shown).collect()))
}

async fn bots(
    State(app): State<App>,
    who: Reader,
    base: Base,
    ClientAddress(from): ClientAddress,
    Asked(asked): Asked,
) -> Result<Response, Error> {
    app.rates.check(Rate::Bulk, from)?;
    let wanted = asked.number("nb")?.unwrap_or(BOTS).min(BOTS_MAX);
    let mut numbers = app.rooms.everybody().await;
    numbers.extend(app.rooms.residents().all());
    let mut numbers: Vec<PlayerId> = numbers.into_iter().collect();
    numbers.sort_unstable();
    let people = app.auth.people(&numbers).await?;
    let is_bot = |number: &PlayerId| {
        let person = people.get(number);
        person.is_some_and(|person| person.title.as_deref() == Some(BOT) && !person.deleted)
    };
    let bots: Vec<PlayerId> = numbers.into_iter().filter(is_bot).take(wanted).collect();
    let accounts = app.store.accounts_by_numbers(&bots).await?;
    let known = Known::all(&app, accounts, who.number()).await?;
    let bots: Vec<Value> = known.iter().map(|known| known.json(&app, &base)).collect();
    Ok(ndjson::whole(bots))
}
