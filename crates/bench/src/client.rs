//! Many keep-alive connections in one thread, one request in flight on each.
//!
//! The generator shares its cores with the server, so it does as little as it
//! can: one write and one read per request, no task, no timer, no copy.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::dial::dial;
use crate::http;

/// How long nothing at all may happen before a run is given up.
const SILENCE: Duration = Duration::from_secs(60);

/// What to ask and what to do with the answers.
pub(crate) trait Load {
    /// Asked whenever a connection is free; appends the request to `out`.
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next;
    /// An answer has come.
    fn answered(&mut self, answer: &Answer<'_>);
    /// There will be no answer.
    fn lost(&mut self, tag: u64);
}

/// What comes next.
pub(crate) enum Next {
    /// The request in `out`, which was to be sent at `intended`.
    Send { tag: u64, intended: Instant },
    /// Nothing before that time.
    At(Instant),
    /// Nothing before an answer comes; the end, if none is expected.
    Idle,
}

/// What became of a request.
pub(crate) struct Answer<'a> {
    pub(crate) tag: u64,
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
    /// The length of head and body.
    pub(crate) length: usize,
    /// When it was to be sent.
    pub(crate) intended: Instant,
    /// When the answer was here.
    pub(crate) received: Instant,
}

/// Connections to one server, or to several that are one to their clients.
pub(crate) struct Client {
    from: Option<Ipv4Addr>,
    addresses: Vec<SocketAddr>,
    poll: Poll,
    events: Events,
    connections: Vec<Connection>,
    free: VecDeque<usize>,
    out: Vec<u8>,
}

struct Connection {
    stream: TcpStream,
    /// What has come of the answer so far.
    input: Vec<u8>,
    asked: Option<(u64, Instant)>,
}

impl Client {
    /// Connects so many times.
    pub(crate) fn new(address: SocketAddr, connections: usize) -> io::Result<Client> {
        Client::calling(None, vec![address], connections)
    }

    /// Connects so many times in all, to each address in turn. Requests go wherever a
    /// connection is free, as by a load balancer to which all nodes are alike.
    pub(crate) fn to_all(addresses: &[SocketAddr], connections: usize) -> io::Result<Client> {
        Client::calling(None, addresses.to_vec(), connections)
    }

    /// Connects so many times from an address of this machine.
    pub(crate) fn calling_from(
        from: Option<Ipv4Addr>,
        address: SocketAddr,
        connections: usize,
    ) -> io::Result<Client> {
        Client::calling(from, vec![address], connections)
    }

    fn calling(
        from: Option<Ipv4Addr>,
        addresses: Vec<SocketAddr>,
        connections: usize,
    ) -> io::Result<Client> {
        let mut client = Client {
            from,
            addresses,
            poll: Poll::new()?,
            events: Events::with_capacity(1024),
            connections: Vec::with_capacity(connections),
            free: (0..connections).collect(),
            out: Vec::with_capacity(4096),
        };
        for index in 0..connections {
            let connection = client.connect(index)?;
            client.connections.push(connection);
        }
        Ok(client)
    }

    fn connect(&self, index: usize) -> io::Result<Connection> {
        let stream = dial(self.from, self.addresses[index % self.addresses.len()])?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        let registry = self.poll.registry();
        registry.register(&mut stream, Token(index), Interest::READABLE)?;
        Ok(Connection {
            stream,
            input: Vec::new(),
            asked: None,
        })
    }

    /// Asks until there is nothing more to ask and everything is answered.
    ///
    /// # Errors
    /// The server is gone or silent; whatever was in flight is lost.
    pub(crate) fn run(&mut self, load: &mut impl Load) -> Result<(), String> {
        let result = self.work(load);
        for (index, connection) in self.connections.iter_mut().enumerate() {
            if let Some((tag, _)) = connection.asked.take() {
                load.lost(tag);
                self.free.push_back(index);
            }
        }
        result.map_err(|error| error.to_string())
    }

    fn work(&mut self, load: &mut impl Load) -> io::Result<()> {
        loop {
            let wake = self.send(load)?;
            let in_flight = self.connections.len() - self.free.len();
            if wake.is_none() && in_flight == 0 {
                return Ok(());
            }
            let wait = wake.map_or(SILENCE, |at| at.saturating_duration_since(Instant::now()));
            self.poll.poll(&mut self.events, Some(wait))?;
            if self.events.is_empty() && wake.is_none() {
                let why = format!("no answer to {in_flight} requests within {SILENCE:?}");
                return Err(io::Error::new(io::ErrorKind::TimedOut, why));
            }
            let events = std::mem::replace(&mut self.events, Events::with_capacity(0));
            for event in &events {
                self.receive(event.token().0, load)?;
            }
            self.events = events;
        }
    }

    /// Sends as much as is due; says when there is more, if that is known.
    fn send(&mut self, load: &mut impl Load) -> io::Result<Option<Instant>> {
        while let Some(&index) = self.free.front() {
            self.out.clear();
            match load.next(Instant::now(), &mut self.out) {
                Next::Send { tag, intended } => {
                    self.free.pop_front();
                    let connection = &mut self.connections[index];
                    connection.asked = Some((tag, intended));
                    if !matches!(connection.stream.write(&self.out), Ok(n) if n == self.out.len()) {
                        self.lose(index, load)?;
                    }
                }
                Next::At(at) => return Ok(Some(at)),
                Next::Idle => return Ok(None),
            }
        }
        Ok(None)
    }

    fn receive(&mut self, index: usize, load: &mut impl Load) -> io::Result<()> {
        let mut piece = [0; 16 * 1024];
        loop {
            let connection = &mut self.connections[index];
            let read = match connection.stream.read(&mut piece) {
                Ok(0) => return self.lose(index, load),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(_) => return self.lose(index, load),
            };
            // Nearly always the whole answer is there: no copy.
            if connection.input.is_empty()
                && let Some(parsed) = http::parse(&piece[..read])
            {
                tell(connection, parsed, &piece[..read], load);
                self.free.push_back(index);
                return Ok(());
            }
            connection.input.extend_from_slice(&piece[..read]);
            if let Some(parsed) = http::parse(&connection.input) {
                let input = std::mem::take(&mut connection.input);
                tell(connection, parsed, &input, load);
                self.free.push_back(index);
                return Ok(());
            }
            // There is a new event for whatever comes after a short read.
            if read < piece.len() {
                return Ok(());
            }
        }
    }

    /// A connection has ended: its request is lost, and another takes its place.
    fn lose(&mut self, index: usize, load: &mut impl Load) -> io::Result<()> {
        if let Some((tag, _)) = self.connections[index].asked.take() {
            load.lost(tag);
            self.free.push_back(index);
        }
        self.connections[index] = self.connect(index)?;
        Ok(())
    }
}

fn tell(connection: &mut Connection, parsed: http::Parsed, bytes: &[u8], load: &mut impl Load) {
    if let Some((tag, intended)) = connection.asked.take() {
        load.answered(&Answer {
            tag,
            status: parsed.status,
            body: &bytes[parsed.body_at..parsed.length],
            length: parsed.length,
            intended,
            received: Instant::now(),
        });
    }
}
