//! A connection whose way out is shared: by whoever serves it, and by news
//! that are written past them when they have nothing to say.
//!
//! Ten thousand watchers of one game are told of a move by one loop over their
//! wires. Waking ten thousand tasks, each to write the same bytes, takes twice
//! as long.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::os::fd::AsFd;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::threads::Part;
use crate::lock::lock;

/// A connection, and foremost the way out of it.
pub struct Wire {
    outlet: Mutex<Outlet>,
    /// Those who watch by it are told with that part.
    part: Part,
    /// Whether the connection is somebody else's by now.
    is_handed: AtomicBool,
}

struct Outlet {
    stream: TcpStream,
    /// What is left of something that was written past the owner.
    rest: Bytes,
    /// Whether the owner has stopped in the middle of something.
    is_midway: bool,
}

/// What became of something to be written past the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slipped {
    /// All of it is on its outlet.
    Whole,
    /// Some of it is; the owner writes the rest when it next flushes.
    Begun,
    /// Nothing: the owner must write it.
    No,
}

impl Wire {
    /// Where whoever watches by it is told.
    pub(crate) fn part(&self) -> Part {
        self.part
    }

    /// Writes bytes past the owner, unless that is in the middle of something.
    pub fn slip(&self, bytes: &Bytes) -> Slipped {
        let mut outlet = self.outlet();
        if outlet.is_midway || !outlet.rest.is_empty() {
            return Slipped::No;
        }
        match outlet.stream.try_write(bytes) {
            Ok(written) if written == bytes.len() => Slipped::Whole,
            Ok(written) => {
                outlet.rest = bytes.slice(written..);
                Slipped::Begun
            }
            // The owner finds out what is wrong.
            Err(_) => Slipped::No,
        }
    }

    /// Has this thread's runtime hear when the connection can be read or written, instead of
    /// the one that accepted it, which would have to wake this thread each time. If the
    /// system does not allow it, all stays as it is.
    pub(crate) fn settle_here(&self) {
        let mut outlet = self.outlet();
        let again = outlet.stream.as_fd().try_clone_to_owned();
        if let Ok(stream) = again.and_then(|file| TcpStream::from_std(file.into())) {
            outlet.stream = stream;
        }
    }

    /// Takes the connection from its owner, who is told that the other end is gone and
    /// whose words go nowhere from now on. These bytes are the first that are written.
    /// Nothing, if the owner is in the middle of something.
    pub(crate) fn hand_over(self: &Arc<Wire>, first: Bytes) -> Option<Handed> {
        let mut outlet = self.outlet();
        if outlet.is_midway || !outlet.rest.is_empty() || self.is_handed() {
            return None;
        }
        outlet.rest = first;
        self.is_handed.store(true, Ordering::Release);
        Some(Handed(Arc::clone(self)))
    }

    fn is_handed(&self) -> bool {
        self.is_handed.load(Ordering::Acquire)
    }

    fn outlet(&self) -> MutexGuard<'_, Outlet> {
        lock(&self.outlet)
    }
}

/// Pieces of what the other end says that are passed over at once.
const PASSED_OVER: usize = 16;

/// A connection that was taken from its owner. Dropping it closes it.
pub(crate) struct Handed(Arc<Wire>);

impl Handed {
    /// Writes what is left, and this.
    pub(crate) async fn write(&self, bytes: Bytes) -> io::Result<()> {
        poll_fn(|cx| self.0.outlet().poll_rest(cx)).await?;
        self.0.outlet().rest = bytes;
        poll_fn(|cx| self.0.outlet().poll_rest(cx)).await
    }

    /// Waits until the other end is gone. What it says meanwhile is passed over. May be
    /// interrupted at any time.
    pub(crate) async fn gone(&self) {
        poll_fn(|cx| self.0.outlet().poll_gone(cx)).await;
    }
}

impl Outlet {
    /// Writes what is left of something that was written past the owner.
    fn poll_rest(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.rest.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.rest))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.rest = self.rest.slice(written..);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_gone(&self, cx: &mut Context<'_>) -> Poll<()> {
        let stream = &self.stream;
        for _ in 0..PASSED_OVER {
            if ready!(stream.poll_read_ready(cx)).is_err() {
                return Poll::Ready(());
            }
            match stream.try_read(&mut [0; 256]) {
                Ok(1..) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Ok(0) | Err(_) => return Poll::Ready(()),
            }
        }
        // There are others.
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Lets the owner write so many bytes, and notes whether all of them went.
    fn poll_owner(
        &mut self,
        cx: &mut Context<'_>,
        length: usize,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        self.is_midway = true;
        ready!(self.poll_rest(cx))?;
        let written = ready!(write(Pin::new(&mut self.stream), cx))?;
        self.is_midway = written < length;
        Poll::Ready(Ok(written))
    }
}

/// The owner's end of a connection.
pub struct SharedStream {
    wire: Arc<Wire>,
}

impl SharedStream {
    /// Takes over a connection whose bytes arrive as they are written.
    pub fn new(stream: TcpStream) -> SharedStream {
        let outlet = Outlet {
            stream,
            rest: Bytes::new(),
            is_midway: false,
        };
        SharedStream {
            wire: Arc::new(Wire {
                outlet: Mutex::new(outlet),
                part: Part::next(),
                is_handed: AtomicBool::new(false),
            }),
        }
    }

    /// The way out, to share.
    pub fn wire(&self) -> Arc<Wire> {
        Arc::clone(&self.wire)
    }
}

impl AsyncRead for SharedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.wire.is_handed() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.wire.outlet().stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for SharedStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.wire.is_handed() {
            return Poll::Ready(Ok(bytes.len()));
        }
        let write =
            |stream: Pin<&mut TcpStream>, cx: &mut Context<'_>| stream.poll_write(cx, bytes);
        self.wire.outlet().poll_owner(cx, bytes.len(), write)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let length = pieces.iter().map(|piece| piece.len()).sum();
        if self.wire.is_handed() {
            return Poll::Ready(Ok(length));
        }
        let write = |stream: Pin<&mut TcpStream>, cx: &mut Context<'_>| {
            stream.poll_write_vectored(cx, pieces)
        };
        self.wire.outlet().poll_owner(cx, length, write)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.wire.is_handed() {
            return Poll::Ready(Ok(()));
        }
        self.wire.outlet().poll_rest(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.wire.is_handed() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.wire.outlet().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    async fn pair() -> (SharedStream, TcpStream) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await;
        let (stream, _) = listener.accept().await.unwrap();
        (SharedStream::new(stream), client.unwrap())
    }

    #[tokio::test]
    async fn what_is_written_past_the_owner_comes_between_its_own() {
        let (mut line, mut client) = pair().await;
        line.write_all(b"one ").await.unwrap();
        let slipped = line.wire.slip(&Bytes::from_static(b"two "));
        assert_eq!(slipped, Slipped::Whole);
        line.write_all(b"three").await.unwrap();
        drop(line);
        let mut text = String::new();
        client.read_to_string(&mut text).await.unwrap();
        assert_eq!(text, "one two three");
    }

    /// As when a stream is served by another thread than the one that accepted it.
    #[test]
    fn whoever_settles_elsewhere_goes_on_there() {
        let runtime = || {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
        };
        let (first, second) = (runtime().unwrap(), runtime().unwrap());
        let (mut line, mut client) = first.block_on(pair());
        first.block_on(async {
            line.write_all(b"one ").await.unwrap();
            client.write_all(b"before ").await.unwrap();
        });
        // Nobody hears of anything at the first from now on.
        let (client, heard) = std::thread::scope(|scope| {
            let there = scope.spawn(|| {
                second.block_on(async {
                    line.wire.settle_here();
                    let mut heard = [0; 12];
                    line.read_exact(&mut heard).await.unwrap();
                    let long = vec![b'.'; 10_000_000];
                    line.write_all(&long).await.unwrap();
                    line.shutdown().await.unwrap();
                    heard
                })
            });
            let mut text = Vec::new();
            first.block_on(async {
                client.write_all(b"after").await.unwrap();
                client.read_to_end(&mut text).await.unwrap();
            });
            (text, there.join().unwrap())
        });
        assert_eq!(&heard, b"before after");
        assert_eq!((&client[..4], client.len()), (&b"one "[..], 10_000_004));
    }

    #[tokio::test]
    async fn what_is_handed_over_goes_on_without_its_owner() {
        let (mut line, mut client) = pair().await;
        line.write_all(b"one ").await.unwrap();
        let handed = line.wire.hand_over(Bytes::from_static(b"two ")).unwrap();
        assert!(line.wire.hand_over(Bytes::new()).is_none());
        assert_eq!(line.read(&mut [0; 8]).await.unwrap(), 0);
        line.write_all(b"to nobody").await.unwrap();
        line.shutdown().await.unwrap();
        drop(line);
        handed.write(Bytes::from_static(b"three")).await.unwrap();
        let mut text = [0; 13];
        client.read_exact(&mut text).await.unwrap();
        assert_eq!(&text, b"one two three");
        client.write_all(&[7; 1_000]).await.unwrap();
        let is_gone = futures_util::FutureExt::now_or_never(handed.gone());
        assert!(is_gone.is_none(), "it only says something");
        drop(client);
        handed.gone().await;
    }

    #[tokio::test]
    async fn a_full_connection_loses_nothing_and_mixes_nothing() {
        let (mut line, mut client) = pair().await;
        // More than the system holds, so that one of them is cut.
        let frames: Vec<Bytes> = (0..=255).map(|n| vec![n; 100_000].into()).collect();
        let mut sent = Vec::new();
        for frame in &frames {
            match line.wire.slip(frame) {
                Slipped::No => break,
                Slipped::Whole => sent.extend_from_slice(frame),
                Slipped::Begun => {
                    sent.extend_from_slice(frame);
                    assert_eq!(line.wire.slip(frame), Slipped::No);
                }
            }
        }
        assert!(sent.len() < frames.len() * 100_000, "it never filled up");
        sent.extend_from_slice(b"the end");
        let write = async {
            line.write_all(b"the end").await.unwrap();
            line.flush().await.unwrap();
            drop(line);
        };
        let mut heard = Vec::new();
        let (_, read) = tokio::join!(write, client.read_to_end(&mut heard));
        read.unwrap();
        assert!(heard == sent, "{} of {} bytes", heard.len(), sent.len());
    }

    #[tokio::test]
    async fn nothing_comes_into_the_middle_of_what_the_owner_writes() {
        let (mut line, mut client) = pair().await;
        let long = vec![7; 50_000_000];
        let wire = Arc::clone(&line.wire);
        let write = async {
            line.write_all(&long).await.unwrap();
            assert_eq!(wire.slip(&Bytes::from_static(b"!")), Slipped::Whole);
            drop((line, wire));
        };
        let mut write = std::pin::pin!(write);
        let is_done = futures_util::poll!(&mut write).is_ready();
        assert!(!is_done, "the system took it all");
        let mut heard = Vec::new();
        let (_, read) = tokio::join!(write, client.read_to_end(&mut heard));
        read.unwrap();
        assert_eq!((heard.len(), heard.last()), (long.len() + 1, Some(&b'!')));
    }
}
