//! What players said about players, and what is decided.

use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{Report, SanctionKind};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::admin::Decision;
use crate::doors::native::social::reports::state;
use crate::http::{Body, Path, Query};
use crate::play::App;
use crate::play::names::Names;
use crate::problem::Problem;
use crate::text_time::{read_rfc3339, rfc3339};

/// Reports of a page.
const LIMIT_MAX: u32 = 200;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(decide))
        .routes(routes!(lift))
}

/// Which reports.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// `open` (default), `decided` or `all`.
    #[param(inline)]
    state: Option<ReportState>,
    /// The `next` of the page before.
    cursor: Option<u64>,
    /// At most so many; 50 if not told, 200 at most.
    limit: Option<u32>,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ReportState {
    Open,
    Decided,
    All,
}

/// The queue, oldest first.
#[derive(Serialize, ToSchema)]
struct ReportPage {
    reports: Vec<ReportView>,
    /// Where the next page begins; `null`: this is the last.
    next: Option<u64>,
}

/// A report, as operators see it.
#[derive(Serialize, ToSchema)]
#[schema(as = Report)]
struct ReportView {
    /// Its number.
    id: u64,
    /// Who said it; `null` if that account was deleted.
    reporter: Option<String>,
    /// About whom.
    player: String,
    /// `cheating`, `abuse`, `sandbagging`, `spam` or `other`.
    reason: String,
    /// In which game.
    game_id: Option<String>,
    /// The reporter's words.
    text: String,
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// `open` or `decided`.
    state: &'static str,
    /// What was decided.
    decision: Option<DecisionView>,
}

/// What was decided.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportDecision)]
struct DecisionView {
    /// `dismiss`, `warn`, `mute`, `bar_rated` or `close`.
    decision: String,
    /// Who decided it.
    by: String,
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// When it ends.
    #[schema(format = DateTime)]
    until: Option<String>,
    /// Why.
    note: String,
}

impl ReportView {
    fn of(report: Report, names: &Names) -> ReportView {
        ReportView {
            id: report.id,
            reporter: report.reporter.map(|reporter| names.id(reporter)),
            player: names.id(report.reported),
            game_id: report.table.map(|id| id.to_string()),
            at: rfc3339(report.at),
            state: state(&report),
            reason: report.reason,
            text: report.text,
            decision: report.decided.map(|decided| DecisionView {
                decision: decided.decision,
                by: decided.by,
                at: rfc3339(decided.at),
                until: decided.until.map(rfc3339),
                note: decided.note,
            }),
        }
    }
}

/// What players said about players, oldest first
#[utoipa::path(get, path = "/v1/admin/reports", operation_id = "admin_list_reports",
    params(Wanted),
    responses((status = 200, description = "A page of the queue", body = ReportPage)))]
async fn list(
    operator: Operator,
    Query(wanted): Query<Wanted>,
) -> Result<Json<ReportPage>, Problem> {
    let is_open = match wanted.state.unwrap_or(ReportState::Open) {
        ReportState::Open => Some(true),
        ReportState::Decided => Some(false),
        ReportState::All => None,
    };
    let limit = wanted.limit.unwrap_or(50).clamp(1, LIMIT_MAX);
    let after = wanted.cursor.unwrap_or(0);
    let reports = operator.reports(is_open, after, limit).await?;
    let is_full = reports.len() == limit as usize;
    let next = reports.last().map(|report| report.id).filter(|_| is_full);
    let people: Vec<_> = reports
        .iter()
        .flat_map(|r| [Some(r.reported), r.reporter])
        .flatten()
        .collect();
    let names = Names::of(operator.app(), people).await?;
    let reports = reports.into_iter().map(|r| ReportView::of(r, &names));
    Ok(Json(ReportPage {
        reports: reports.collect(),
        next,
    }))
}

/// What is to come of a report.
#[derive(Deserialize, ToSchema)]
struct NewDecision {
    /// `warn`: the player is told; `mute`: may not speak; `bar_rated`: may not play rated
    /// games; `close`: nobody uses the account any more, as with `bar`.
    decision: DecisionName,
    /// When `mute` or `bar_rated` ends; until it is lifted, if left out.
    #[schema(format = DateTime)]
    until: Option<String>,
    /// Why: in the audit trail, and told to the player. At most 1,000 characters.
    note: String,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Decision)]
enum DecisionName {
    Dismiss,
    Warn,
    Mute,
    BarRated,
    Close,
}

/// Decide a report
#[utoipa::path(post, path = "/v1/admin/reports/{id}/decide", operation_id = "admin_decide_report",
    params(("id" = u64, Path, description = "The report")), request_body = NewDecision,
    responses((status = 200, description = "The report", body = ReportView),
        (status = 400, description = "`bad_request`: `until` is no time to come"),
        (status = 404, description = "`not_found`"),
        (status = 409, description = "`already_decided`; `not_allowed`: it is about you")))]
async fn decide(
    operator: Operator,
    Path(id): Path<String>,
    Body(new): Body<NewDecision>,
) -> Result<Json<ReportView>, Problem> {
    let id = id
        .parse()
        .map_err(|_| Problem::not_found("there is no such report"))?;
    let decision = match new.decision {
        DecisionName::Dismiss => Decision::Dismiss,
        DecisionName::Warn => Decision::Warn,
        DecisionName::Mute => Decision::Mute,
        DecisionName::BarRated => Decision::BarRated,
        DecisionName::Close => Decision::Close,
    };
    let no_time = || {
        let detail = "until: a time like 2026-01-31T18:05:09Z";
        Problem::bad_request(detail).with("field", "until")
    };
    let until = new.until.as_deref();
    let until = until.map(|text| read_rfc3339(text).ok_or_else(no_time));
    let report = operator
        .decide(id, decision, until.transpose()?, &new.note)
        .await?;
    let people = [Some(report.reported), report.reporter];
    let names = Names::of(operator.app(), people.into_iter().flatten()).await?;
    Ok(Json(ReportView::of(report, &names)))
}

/// Let somebody speak, or play rated games, again
#[utoipa::path(delete, path = "/v1/admin/accounts/{name}/sanctions/{kind}",
    operation_id = "admin_lift_sanction",
    params(("name" = String, Path, description = "The account"),
        ("kind" = String, Path, description = "`mute` or `bar_rated`")),
    responses((status = 204, description = "They may"),
        (status = 404, description = "`not_found`: there is nothing to lift")))]
async fn lift(
    operator: Operator,
    Path((name, kind)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let kind = SanctionKind::named(&kind);
    let kind = kind.ok_or_else(|| Problem::not_found("there is no such sanction"))?;
    operator.lift(&name, kind).await?;
    Ok(StatusCode::NO_CONTENT)
}
