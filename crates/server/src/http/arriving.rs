//! Which requests are in hand.
//!
//! A request is in hand once it has been received. While its body is on its
//! way it is the client's, and a server that stops does not wait for it: the
//! rest may never come.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use http_body::{Frame, SizeHint};

/// How many requests were received and are being answered.
#[derive(Clone, Default)]
pub struct InHand(Arc<AtomicIsize>);

impl InHand {
    /// Counts a request, and leaves it out while it waits for its body.
    pub fn take(&self, request: Request) -> (Held, Request) {
        self.add(1);
        let request = match request.body().is_end_stream() {
            true => request,
            false => request.map(|body| Body::new(Arriving::new(body, self.clone()))),
        };
        (Held(self.clone()), request)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        let count = self.0.load(Ordering::SeqCst);
        usize::try_from(count).unwrap_or(0)
    }

    fn add(&self, many: isize) {
        self.0.fetch_add(many, Ordering::SeqCst);
    }
}

/// One request that is being answered. To be dropped after the request itself.
pub struct Held(InHand);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.add(-1);
    }
}

/// A body that may be waited for.
struct Arriving {
    body: Body,
    in_hand: InHand,
    is_awaited: bool,
}

impl Arriving {
    fn new(body: Body, in_hand: InHand) -> Arriving {
        Arriving {
            body,
            in_hand,
            is_awaited: false,
        }
    }

    fn is_awaited(&mut self, is_awaited: bool) {
        if std::mem::replace(&mut self.is_awaited, is_awaited) != is_awaited {
            self.in_hand.add(if is_awaited { -1 } else { 1 });
        }
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.is_awaited(false);
    }
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let arriving = self.get_mut();
        let polled = Pin::new(&mut arriving.body).poll_frame(cx);
        arriving.is_awaited(polled.is_pending());
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::{FutureExt, stream};
    use http_body_util::BodyExt;
    use tokio::sync::mpsc;

    use super::*;

    /// A request whose body is sent piece by piece.
    fn in_pieces() -> (mpsc::UnboundedSender<&'static str>, Request) {
        let (client, pieces) = mpsc::unbounded_channel();
        let body = stream::unfold(pieces, async |mut pieces| {
            let piece: &str = pieces.recv().await?;
            Some((Ok::<_, Infallible>(piece), pieces))
        });
        (client, Request::new(Body::from_stream(body)))
    }

    #[tokio::test]
    async fn a_request_is_in_hand_unless_it_waits_for_its_body() {
        let in_hand = InHand::default();
        let (held, request) = in_hand.take(Request::new(Body::empty()));
        assert_eq!(in_hand.count(), 1, "there is nothing to wait for");
        drop((request, held));
        assert_eq!(in_hand.count(), 0);

        let (client, request) = in_pieces();
        let (held, request) = in_hand.take(request);
        assert_eq!(in_hand.count(), 1, "nobody has asked for the body");
        let mut body = request.into_body().collect().boxed();
        assert!(body.as_mut().now_or_never().is_none());
        assert_eq!(in_hand.count(), 0, "it is waited for");
        client.send("{").unwrap();
        assert!(body.as_mut().now_or_never().is_none());
        assert_eq!(in_hand.count(), 0, "there is more to come");
        client.send("}").unwrap();
        drop(client);
        assert_eq!(body.await.unwrap().to_bytes(), "{}");
        assert_eq!(in_hand.count(), 1, "it has arrived");
        drop(held);
        assert_eq!(in_hand.count(), 0);
    }

    #[tokio::test]
    async fn a_request_that_is_given_up_while_it_arrives_is_counted_no_more() {
        let in_hand = InHand::default();
        let (_client, request) = in_pieces();
        let (held, request) = in_hand.take(request);
        let mut body = request.into_body().collect().boxed();
        assert!(body.as_mut().now_or_never().is_none());
        drop(body);
        assert_eq!(in_hand.count(), 1, "its answer is still to be given");
        drop(held);
        assert_eq!(in_hand.count(), 0);
    }
}
