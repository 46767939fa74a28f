//! `/v1/admin`: operators and arbiters. Everything that changes something is
//! written to the audit trail.

mod accounts;
mod audit;
mod bars;
mod figures;
mod games;
mod lines;
mod matches;
mod people;
pub(crate) mod pgn;
mod reports;
mod search;
mod sessions;
mod show;
mod signals;
mod standing;
mod webhooks;
mod work;

use utoipa_axum::router::OpenApiRouter;

use crate::admin::Operator;
use crate::http::described::about;
use crate::play::App;

/// Every call under `/v1/admin`.
pub fn routes() -> OpenApiRouter<App> {
    let calls = games::routes()
        .merge(matches::routes())
        .merge(show::routes())
        .merge(accounts::routes())
        .merge(standing::routes())
        .merge(people::routes())
        .merge(search::routes())
        .merge(sessions::routes())
        .merge(figures::routes())
        .merge(webhooks::routes())
        .merge(bars::routes())
        .merge(audit::routes())
        .merge(reports::routes())
        .merge(signals::routes())
        .merge(pgn::routes())
        .merge(work::routes());
    about("admin", calls)
}
