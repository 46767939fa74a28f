//! With whom somebody wants to play: whose challenges they take, and whom they block.

use chess::game::Terms;
use chess::rating::Category;
use chess::table::PlayerId;
use store::{Accept, ChallengeRule};

use super::{App, ratings};
use crate::problem::{Kind, Problem};

/// The most that a rating can be.
pub(crate) const RATING_MAX: u32 = 4_000;

/// Insists that somebody takes a challenge.
///
/// # Errors
/// `not_accepting`, whatever the reason: that one is blocked is not told.
pub(crate) async fn check_challenge(
    app: &App,
    by: PlayerId,
    to: PlayerId,
    terms: &Terms,
) -> Result<(), Problem> {
    check_blocks(app, by, to).await?;
    let rule = app.store.challenge_rule(to).await?;
    let is_wanted = match rule.accept {
        Accept::Everybody => true,
        Accept::RatedOnly => terms.rated,
        Accept::Follows => app.store.is_following(to, by).await?,
        Accept::Nobody => false,
    };
    let is_within = match (rule.rating_min, rule.rating_max) {
        (None, None) => true,
        (min, max) => {
            let rating = ratings::of(app, by, Category::of(terms)).await?.points();
            min.is_none_or(|min| rating >= min) && max.is_none_or(|max| rating <= max)
        }
    };
    match is_wanted && is_within {
        true => Ok(()),
        false => Err(not_accepting()),
    }
}

/// Insists that neither of two blocks the other.
///
/// # Errors
/// `not_accepting`.
pub(crate) async fn check_blocks(app: &App, one: PlayerId, other: PlayerId) -> Result<(), Problem> {
    match app.store.is_blocked_between(one, other).await? {
        true => Err(not_accepting()),
        false => Ok(()),
    }
}

/// `not_accepting`: one answer for every reason.
pub(crate) fn not_accepting() -> Problem {
    let detail = "that player does not take this game";
    Problem::new(Kind::Forbidden, "not_accepting", detail)
}

/// A rule that can be kept.
///
/// # Errors
/// `bad_request` naming the field.
pub(crate) fn checked(rule: ChallengeRule) -> Result<ChallengeRule, Problem> {
    let ends = [rule.rating_min, rule.rating_max];
    let is_known = ends.iter().flatten().all(|rating| *rating <= RATING_MAX);
    let is_range = match ends {
        [Some(min), Some(max)] => min <= max,
        _ => true,
    };
    if is_known && is_range {
        return Ok(rule);
    }
    let detail =
        format!("challenges: ratings are from 0 to {RATING_MAX}, and rating_min is the smaller");
    Err(Problem::bad_request(detail).with("field", "challenges"))
}
