//! What players say about players, for operators to decide.

use store::{NewReport, Report, Reporting, TableId};

use super::App;
use super::blocks::one;
use super::sight::visible;
use crate::auth::{Caller, Scope};
use crate::limits::rates::Rate;
use crate::problem::{Kind, Problem};

/// So many reports of one player may wait to be decided.
pub(crate) const OPEN_MAX: u32 = 20;
/// So many characters may be said in one.
pub(crate) const TEXT_MAX: usize = 1_000;

/// What is said about whom.
pub(crate) struct Complaint {
    pub(crate) player: String,
    pub(crate) reason: &'static str,
    pub(crate) game: Option<TableId>,
    pub(crate) text: String,
}

/// Reports a player.
///
/// # Errors
/// `missing_scope`, `rate_limited`; `not_found`, `game_not_found`; `bad_request` for the
/// text; `not_allowed`: nobody reports themselves; `already_reported`, `too_many_reports`.
pub(crate) async fn make(
    app: &App,
    caller: &Caller,
    complaint: Complaint,
) -> Result<Report, Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())?;
    let text = proper("text", &complaint.text)?;
    let reported = one(app, &complaint.player).await?;
    if reported.number == caller.number() {
        let detail = "nobody reports themselves";
        return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
    }
    if let Some(game) = complaint.game {
        visible(app, game, Some(caller)).await?;
    }
    let new = NewReport {
        reporter: caller.number(),
        reported: reported.number,
        reason: complaint.reason.to_owned(),
        table: complaint.game,
        text,
        at: app.wall(),
    };
    let conflict = |code, detail| Err(Problem::new(Kind::Conflict, code, detail));
    match app.store.report(new, OPEN_MAX).await? {
        Reporting::Made(report) => Ok(report),
        Reporting::Again => conflict(
            "already_reported",
            "you said this, and it will be looked at",
        ),
        Reporting::TooMany => conflict(
            "too_many_reports",
            "as many of your reports wait as anybody may have: they will be looked at",
        ),
    }
}

/// Words for a person to read, without the space around them: lines, and no other
/// control characters.
pub(crate) fn proper(field: &'static str, text: &str) -> Result<String, Problem> {
    let text = text.trim();
    let is_control = |c: char| c.is_control() && c != '\n';
    let flaw = if text.chars().count() > TEXT_MAX {
        format!("{field}: at most {TEXT_MAX} characters")
    } else if text.chars().any(is_control) {
        format!("{field}: no control characters but ends of lines")
    } else {
        return Ok(text.to_owned());
    };
    Err(Problem::bad_request(flaw).with("field", field))
}
