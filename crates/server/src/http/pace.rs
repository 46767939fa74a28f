//! How long the other end of a connection may take.
//!
//! A client that says nothing, or takes nothing of what it asked for, costs a
//! file and some memory for as long as it likes. Here is when it has had its
//! time; [`Paced`](super::paced::Paced) looks at it whenever it has to wait.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{StatusCode, Version, header};
use axum::response::Response;

use super::connection::Connection;
use super::taken::{Share, Taken};
use crate::lock::lock;
use crate::settings::Settings;

/// How long a connection may be silent between two requests: longer than the
/// 60 and 75 s after which proxies give up theirs, so that none ever sends a
/// request into a closing connection.
const SILENCE: Duration = Duration::from_secs(90);

/// How long anything may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From a connection's beginning to the end of its first request's head,
    /// and from the first byte of any later head to its last.
    pub head: Duration,
    /// Nothing at all, between two requests.
    pub silence: Duration,
    /// Nothing taken of an answer.
    pub answer: Duration,
}

impl Patience {
    /// What the operator chose.
    pub fn of(settings: &Settings) -> Patience {
        Patience {
            head: Duration::from_secs(settings.head_seconds.into()),
            silence: SILENCE,
            answer: Duration::from_secs(settings.answer_seconds.into()),
        }
    }
}

/// Whose turn it is on a connection, and since when.
pub struct Pace {
    patience: Patience,
    state: Mutex<State>,
}

struct State {
    /// Requests that are being worked on: their time is limited elsewhere.
    in_hand: usize,
    /// Streams of news, which give up on whoever takes nothing themselves.
    streams: usize,
    /// Answers that are told piece by piece.
    pieced: usize,
    /// How many of those wait for the server's next piece.
    awaited: usize,
    /// Whether a request has ever come, and in which way.
    spoken: Option<Version>,
    /// When the last answer was given, or taken a part of.
    quiet_since: Instant,
    /// When the head that is on its way began.
    head_since: Option<Instant>,
    /// When the system first could take no more for this client.
    blocked_since: Option<Instant>,
}

impl Pace {
    /// That of a connection which begins now.
    pub fn new(patience: Patience, now: Instant) -> Pace {
        let state = State {
            in_hand: 0,
            streams: 0,
            pieced: 0,
            awaited: 0,
            spoken: None,
            quiet_since: now,
            head_since: Some(now),
            blocked_since: None,
        };
        Pace {
            patience,
            state: Mutex::new(state),
        }
    }

    /// When the client has had its time; `None` while it is not its turn.
    pub fn deadline(&self) -> Option<Instant> {
        let state = lock(&self.state);
        if state.streams > 0 {
            return None;
        }
        if let Some(blocked) = state.blocked_since {
            return Some(blocked + self.patience.answer);
        }
        if state.in_hand > 0 || state.awaited > 0 {
            return None;
        }
        Some(match state.head_since {
            _ if state.pieced > 0 => state.quiet_since + self.patience.answer,
            Some(begun) => begun + self.patience.head,
            None => state.quiet_since + self.patience.silence,
        })
    }

    /// Whether it carries news, and nobody here looks at the time.
    pub fn is_of_news(&self) -> bool {
        lock(&self.state).streams > 0
    }

    /// Bytes have come.
    pub fn heard(&self, now: Instant) {
        let mut state = lock(&self.state);
        // HTTP/2 says more than heads: what it says between requests proves nothing.
        let is_head = state.spoken != Some(Version::HTTP_2) && state.in_hand + state.pieced == 0;
        if is_head {
            state.head_since.get_or_insert(now);
        }
    }

    /// The system takes no more for this client.
    pub fn blocked(&self, now: Instant) {
        lock(&self.state).blocked_since.get_or_insert(now);
    }

    /// It has taken something. That counts only for a client that was waited
    /// for: who is sent pings is not busy.
    pub fn took(&self, now: Instant) {
        let mut state = lock(&self.state);
        if state.blocked_since.take().is_some() && state.spoken.is_some() {
            state.quiet_since = now;
            // The next request may have come long before it could be read.
            state.head_since = state.head_since.map(|_| now);
        }
    }

    fn asked(&self, version: Version) {
        let mut state = lock(&self.state);
        state.in_hand += 1;
        state.spoken = Some(version);
        state.head_since = None;
    }

    fn answered(&self, share: Option<Share>, now: Instant) {
        let mut state = lock(&self.state);
        state.in_hand -= 1;
        state.quiet_since = now;
        match share {
            None => {}
            Some(Share::Pieces) => state.pieced += 1,
            Some(Share::News) => state.streams += 1,
        }
    }

    /// An answer in pieces has been given or given up.
    pub(super) fn ended(&self, share: Share, now: Instant) {
        let mut state = lock(&self.state);
        state.quiet_since = now;
        match share {
            Share::Pieces => state.pieced -= 1,
            Share::News => state.streams -= 1,
        }
    }

    /// An answer waits for its next piece, or has got one.
    pub(super) fn awaits(&self, is_awaiting: bool, now: Instant) {
        let mut state = lock(&self.state);
        if is_awaiting {
            state.awaited += 1;
        } else {
            state.awaited -= 1;
            state.quiet_since = now;
        }
    }
}

/// A request that is being worked on.
pub struct Turn(Option<Arc<Pace>>);

impl Turn {
    /// Takes note that a request has come.
    pub fn of(request: &Request) -> Turn {
        let connection = request.extensions().get::<Connection>();
        let pace = connection.map(|connection| Arc::clone(&connection.pace));
        if let Some(pace) = &pace {
            pace.asked(request.version());
        }
        Turn(pace)
    }

    /// Takes note of its answer, and of what becomes of that.
    pub fn answered(mut self, response: Response) -> Response {
        let Some(pace) = self.0.take() else {
            return response;
        };
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            // It is no HTTP any more, and stays so.
            pace.answered(Some(Share::News), Instant::now());
            return response;
        }
        let share = share_of(&response);
        pace.answered(share, Instant::now());
        match share {
            None => response,
            Some(share) => response.map(|body| Body::from_stream(Taken::new(body, pace, share))),
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(pace) = self.0.take() {
            pace.answered(None, Instant::now());
        }
    }
}

/// Marks an answer as a stream of news, if its type does not: one of its extensions.
#[derive(Clone, Copy)]
pub(crate) struct IsNews;

/// An answer whose length is known is handed over in one piece.
fn share_of(response: &Response) -> Option<Share> {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_events = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if is_events || response.extensions().get::<IsNews>().is_some() {
        return Some(Share::News);
    }
    let is_whole = response.body().size_hint().exact().is_some();
    (!is_whole).then_some(Share::Pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Patience = Patience {
        head: Duration::from_secs(10),
        silence: Duration::from_secs(90),
        answer: Duration::from_secs(60),
    };

    /// A connection, and how many seconds after its beginning its time is up.
    struct Told(Pace, Instant);

    impl Told {
        fn new() -> Told {
            let now = Instant::now();
            Told(Pace::new(PATIENCE, now), now)
        }

        fn at(&self, seconds: u64) -> Instant {
            self.1 + Duration::from_secs(seconds)
        }

        fn up(&self) -> Option<u64> {
            self.0.deadline().map(|at| (at - self.1).as_secs())
        }

        fn ask(&self, version: Version) {
            self.0.asked(version);
        }

        fn answer(&self, seconds: u64) {
            self.0.answered(None, self.at(seconds));
        }
    }

    #[test]
    fn a_first_head_has_ten_seconds_from_the_beginning() {
        let told = Told::new();
        assert_eq!(told.up(), Some(10));
        told.0.heard(told.at(9));
        assert_eq!(told.up(), Some(10), "bytes gain no time");
        told.0.took(told.at(9));
        assert_eq!(told.up(), Some(10), "neither does a handshake");
        told.ask(Version::HTTP_11);
        assert_eq!(told.up(), None, "it is our turn");
    }

    #[test]
    fn a_later_head_has_ten_seconds_from_its_first_byte() {
        let told = Told::new();
        told.ask(Version::HTTP_11);
        told.answer(1);
        assert_eq!(told.up(), Some(91));
        told.0.heard(told.at(50));
        assert_eq!(told.up(), Some(60));
        told.0.heard(told.at(55));
        assert_eq!(told.up(), Some(60));
    }

    #[test]
    fn pings_of_http_2_are_neither_a_head_nor_a_reason_to_stay() {
        let told = Told::new();
        told.ask(Version::HTTP_2);
        told.answer(1);
        told.0.heard(told.at(50));
        told.0.took(told.at(50));
        assert_eq!(told.up(), Some(91));
    }

    #[test]
    fn who_takes_an_answer_slowly_has_a_minute_for_every_part() {
        let told = Told::new();
        told.ask(Version::HTTP_11);
        told.answer(1);
        told.0.blocked(told.at(2));
        told.0.blocked(told.at(40));
        assert_eq!(told.up(), Some(62));
        told.0.heard(told.at(50));
        assert_eq!(told.up(), Some(62), "the next request has to wait");
        told.0.took(told.at(60));
        assert_eq!(told.up(), Some(70), "and has its time then");
    }

    #[test]
    fn an_answer_in_pieces_is_waited_for_only_by_its_client() {
        let told = Told::new();
        told.ask(Version::HTTP_2);
        told.0.answered(Some(Share::Pieces), told.at(1));
        assert_eq!(told.up(), Some(61));
        told.0.awaits(true, told.at(2));
        assert_eq!(told.up(), None);
        told.0.awaits(false, told.at(500));
        assert_eq!(told.up(), Some(560));
        told.0.ended(Share::Pieces, told.at(501));
        assert_eq!(told.up(), Some(591));
    }

    #[test]
    fn a_stream_of_news_has_no_deadline_here() {
        let told = Told::new();
        told.ask(Version::HTTP_11);
        told.0.answered(Some(Share::News), told.at(1));
        told.0.blocked(told.at(2));
        assert_eq!(told.up(), None);
    }
}
