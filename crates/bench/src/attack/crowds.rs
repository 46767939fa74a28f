//! Streams that listen, as many as an attack wants.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::outcome::Toll;
use super::stage::Strike;
use crate::crowd::Crowd;

/// Opens a socket for each path, and reads what comes.
pub(super) fn listening(address: SocketAddr, paths: Vec<String>) -> Strike {
    Box::new(move |until| {
        let many = paths.len();
        let mut crowd = Crowd::connect(address, paths.into_iter())?;
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(until.saturating_duration_since(Instant::now()));
                stop.store(true, Ordering::Relaxed);
            });
            crowd.listen(&stop, |_, _, _| Vec::new())
        })
        .map_err(|error| error.to_string())?;
        let mut toll = Toll {
            answered: (many - crowd.closed) as u64,
            closed: crowd.closed as u64,
            ..Toll::default()
        };
        toll.note(format!("{many} sockets heard {} messages", crowd.messages));
        Ok(toll)
    })
}
