//! What every answer is guarded by, whichever way it was asked for: it takes no longer than
//! it may, and a mistake of the server's costs nothing but itself.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::timeout;

use crate::settings::Settings;

/// Why there is no answer.
pub(crate) enum Broken {
    /// It took too long.
    Late,
    /// The server panicked, with this.
    Panicked(Box<dyn Any + Send>),
}

/// The answer, if there is one in time. It comes in a box: each that guards it would have to
/// move all that answering needs, which is some kilobytes.
pub(crate) async fn within<T>(
    settings: &Settings,
    answer: Pin<Box<impl Future<Output = T>>>,
) -> Result<T, Broken> {
    let limit = Duration::from_secs(settings.request_seconds.into());
    match timeout(limit, AssertUnwindSafe(answer).catch_unwind()).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(panic)) => Err(Broken::Panicked(panic)),
        Err(_) => Err(Broken::Late),
    }
}

/// What a panic says, for the log.
pub(crate) fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("?")
}
