//! What operators ask for: their doors lead here, as players' doors lead to
//! [`play`](crate::play).
//!
//! An [`Operator`] may act on `people`: `accounts`, their `tokens` and `webhooks`, and who is
//! not let in (`bars`), and what comes of `reports`; [`setup`] makes the first. What that changes is written to the audit trail, and
//! an account that is not there is `not_found`. What is decided in a game is
//! `play::arbiter`.
//!
//! [`import`] takes in games that others recorded, and [`check`] tells whether
//! everything that is stored fits together.

mod accounts;
mod bars;
pub mod check;
pub mod import;
mod operator;
mod people;
mod reports;
pub mod setup;
mod tokens;
mod webhooks;

pub use operator::OPERATOR;
pub(crate) use operator::{Operator, sign_in};
pub(crate) use reports::Decision;

use crate::problem::Problem;

/// `bad_request` for a text that not every store can keep: PostgreSQL's have no NUL.
fn has_no_nul(field: &'static str, text: &str) -> Result<(), Problem> {
    if !text.contains('\0') {
        return Ok(());
    }
    let detail = format!("{field}: must have no NUL character");
    Err(Problem::bad_request(detail).with("field", field))
}
