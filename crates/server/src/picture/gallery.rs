//! Pictures that were drawn lately, and the few that are being drawn.
//!
//! Drawing takes milliseconds and megabytes, and anybody may ask for it: a few
//! are drawn at once, and none twice in a row.

use std::collections::HashMap;
use std::sync::Mutex;

use axum::body::Bytes;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;

use crate::limits::queue::{Queue, spare_processors};
use crate::lock::lock;
use crate::problem::Problem;

/// So many pictures may wait to be drawn: half a second's worth.
const WAITING_MAX: usize = 64;
/// So much memory is spent on those that were drawn.
const BYTES_MAX: usize = 16 << 20;

/// What a picture shows, as a digest.
pub(crate) type Subject = [u8; 16];

/// What a picture shows: its SVG says it all, whatever it is rendered to. A
/// server of another version may render it otherwise.
pub(crate) fn subject(form: &str, svg: &str) -> Subject {
    let digest = Sha256::new()
        .chain_update(env!("CARGO_PKG_VERSION"))
        .chain_update(form)
        .chain_update(svg)
        .finalize();
    let mut subject = Subject::default();
    subject.copy_from_slice(&digest[..16]);
    subject
}

/// The pictures of this server.
pub struct Gallery {
    drawing: Queue,
    known: Mutex<Known>,
}

impl Default for Gallery {
    fn default() -> Gallery {
        Gallery::new(spare_processors(), WAITING_MAX)
    }
}

impl Gallery {
    fn new(at_once: usize, waiting_max: usize) -> Gallery {
        Gallery {
            drawing: Queue::new(at_once, waiting_max),
            known: Mutex::default(),
        }
    }

    /// The picture of that subject, drawn if need be.
    ///
    /// # Errors
    /// `unavailable` if too many wait already.
    pub(crate) async fn picture(
        &self,
        subject: Subject,
        draw: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) -> Result<Bytes, Problem> {
        if let Some(picture) = lock(&self.known).get(&subject) {
            return Ok(picture);
        }
        let turn = self.drawing.turn().await?;
        // Somebody before us in the queue may have wanted the same.
        if let Some(picture) = lock(&self.known).get(&subject) {
            return Ok(picture);
        }
        let drawn = spawn_blocking(move || {
            let _turn = turn;
            Bytes::from(draw())
        });
        let picture = drawn.await.map_err(|_| Problem::unavailable())?;
        lock(&self.known).put(subject, picture.clone());
        Ok(picture)
    }
}

/// What was drawn, in two generations: when the young one is full it becomes
/// the old one, and what nobody asked for since the last time goes.
#[derive(Default)]
struct Known {
    young: HashMap<Subject, Bytes>,
    young_bytes: usize,
    old: HashMap<Subject, Bytes>,
}

impl Known {
    fn get(&mut self, subject: &Subject) -> Option<Bytes> {
        if let Some(picture) = self.young.get(subject) {
            return Some(picture.clone());
        }
        let picture = self.old.remove(subject)?;
        self.put(*subject, picture.clone());
        Some(picture)
    }

    fn put(&mut self, subject: Subject, picture: Bytes) {
        if self.young_bytes + picture.len() > BYTES_MAX / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += picture.len();
        if let Some(replaced) = self.young.insert(subject, picture) {
            self.young_bytes -= replaced.len();
        }
    }
}

#[cfg(test)]
mod tests;
