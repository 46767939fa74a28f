//! Pictures that were drawn lately, and the few that are being drawn.
//!
//! Drawing takes milliseconds and megabytes, and anybody may ask for it: a few
//! are drawn at once, and none twice in a row.

use std::collections::HashMap;
use std::sync::Mutex;

use axum::body::Bytes;
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
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn so_many_are_drawn_so_many_wait_and_the_rest_is_refused() {
        let gallery = Arc::new(Gallery::new(1, 1));
        let (go_on, told) = channel::<()>();
        let mut first = Box::pin(gallery.picture([1; 16], move || {
            // Draws until the test ends it.
            assert!(told.recv().is_err());
            vec![1]
        }));
        assert!(first.as_mut().now_or_never().is_none());
        let mut second = Box::pin(gallery.picture([2; 16], || vec![2]));
        assert!(second.as_mut().now_or_never().is_none());
        let third = gallery.picture([3; 16], || vec![3]).await.unwrap_err();
        assert_eq!((third.status().as_u16(), third.retry_after), (503, Some(1)));
        drop(go_on);
        assert_eq!(first.await.unwrap(), vec![1]);
        assert_eq!(second.await.unwrap(), vec![2]);
        assert_eq!(gallery.picture([3; 16], || vec![3]).await.unwrap(), vec![3]);
    }

    #[tokio::test]
    async fn the_same_is_drawn_once() {
        let gallery = Gallery::default();
        let drawn = Arc::new(AtomicUsize::new(0));
        let ask = || {
            let drawn = Arc::clone(&drawn);
            gallery.picture([7; 16], move || {
                drawn.fetch_add(1, Ordering::Relaxed);
                vec![7; 100]
            })
        };
        for _ in 0..10 {
            assert_eq!(ask().await.unwrap().len(), 100);
        }
        assert_eq!(drawn.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn pictures_take_so_much_memory_and_the_wanted_ones_stay() {
        let mut known = Known::default();
        for n in 0..10_000_u16 {
            let mut subject = [0; 16];
            subject[..2].copy_from_slice(&n.to_be_bytes());
            known.put(subject, vec![0; 20_000].into());
            assert!(
                known.get(&[0; 16]).is_some(),
                "it is asked for all the time"
            );
        }
        let bytes = |pictures: &HashMap<Subject, Bytes>| -> usize {
            pictures.values().map(Bytes::len).sum()
        };
        let held = bytes(&known.young) + bytes(&known.old);
        assert!((BYTES_MAX / 4..=BYTES_MAX).contains(&held), "{held}");
        assert_eq!(bytes(&known.young), known.young_bytes);
    }
}
