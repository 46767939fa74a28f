//! A connection that ends when its client has had its time.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::pace::Pace;
use crate::limits::connections::Place;

/// A connection that [`Pace`] is kept on.
pub struct Paced<I> {
    inner: I,
    pace: Arc<Pace>,
    /// Made when there is something to wait for. It may be early: what it
    /// wakes looks at the deadline again, so that no request has to move it.
    timer: Option<Pin<Box<Sleep>>>,
    _place: Option<Arc<Place>>,
}

impl<I> Paced<I> {
    /// Keeps to the pace, and keeps the connection's place among all others
    /// for as long as it lives.
    pub fn new(inner: I, pace: Arc<Pace>, place: Option<Arc<Place>>) -> Paced<I> {
        Paced {
            inner,
            pace,
            timer: None,
            _place: place,
        }
    }

    /// Waits for the client, until its time is up.
    fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        loop {
            let Some(deadline) = self.pace.deadline() else {
                // Streams of news are many, and never need one again.
                if self.pace.is_of_news() {
                    self.timer = None;
                }
                return Poll::Pending;
            };
            if deadline <= Instant::now() {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            let deadline = deadline.into();
            let timer = self
                .timer
                .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
            if timer.is_elapsed() || timer.deadline() > deadline {
                timer.as_mut().reset(deadline);
            }
            ready!(timer.as_mut().poll(cx));
        }
    }

    /// What a write that had to wait comes to.
    fn written(
        &mut self,
        cx: &mut Context<'_>,
        polled: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if polled.is_ready() {
            self.pace.took(Instant::now());
            return polled;
        }
        self.pace.blocked(Instant::now());
        self.poll_patience(cx).map(Err)
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Paced<I> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let paced = self.get_mut();
        let before = buffer.filled().len();
        let polled = Pin::new(&mut paced.inner).poll_read(cx, buffer);
        if polled.is_pending() {
            return paced.poll_patience(cx).map(Err);
        }
        if buffer.filled().len() > before {
            paced.pace.heard(Instant::now());
        }
        polled
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Paced<I> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let paced = self.get_mut();
        let polled = Pin::new(&mut paced.inner).poll_write(cx, bytes);
        paced.written(cx, polled)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let paced = self.get_mut();
        let polled = Pin::new(&mut paced.inner).poll_write_vectored(cx, pieces);
        paced.written(cx, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(cx)
    }
}
