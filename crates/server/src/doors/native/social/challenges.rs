//! Whose challenges somebody takes.

use serde::{Deserialize, Serialize};
use store::{Accept, ChallengeRule};
use utoipa::ToSchema;

/// Which challenges you take; others get 403 `not_accepting`. Whom you block cannot
/// challenge you in any case.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = ChallengeRules)]
pub(crate) struct ChallengesView {
    /// `everybody` (default), `rated_only` (rated games only), `follows` (only of players
    /// whom you follow) or `nobody`.
    accept: AcceptView,
    /// The least that a challenger's rating may be, in the category of the game. Who has
    /// none is not refused.
    rating_min: Option<u32>,
    /// The most that it may be.
    rating_max: Option<u32>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Accept)]
enum AcceptView {
    Everybody,
    RatedOnly,
    Follows,
    Nobody,
}

impl From<ChallengeRule> for ChallengesView {
    fn from(rule: ChallengeRule) -> ChallengesView {
        ChallengesView {
            accept: match rule.accept {
                Accept::Everybody => AcceptView::Everybody,
                Accept::RatedOnly => AcceptView::RatedOnly,
                Accept::Follows => AcceptView::Follows,
                Accept::Nobody => AcceptView::Nobody,
            },
            rating_min: rule.rating_min,
            rating_max: rule.rating_max,
        }
    }
}

impl From<ChallengesView> for ChallengeRule {
    fn from(view: ChallengesView) -> ChallengeRule {
        ChallengeRule {
            accept: match view.accept {
                AcceptView::Everybody => Accept::Everybody,
                AcceptView::RatedOnly => Accept::RatedOnly,
                AcceptView::Follows => Accept::Follows,
                AcceptView::Nobody => Accept::Nobody,
            },
            rating_min: view.rating_min,
            rating_max: view.rating_max,
        }
    }
}
