//! A connection to the XMPP server as an external component (XEP-0114).
//!
//! The protocol has no encryption of its own: both sides are on one machine, or on a
//! network that nobody else is on.

use std::time::Duration;

use sha1::{Digest, Sha1};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep, timeout};

use super::element::Element;
use super::outbox::Outbox;
use super::stream::{Flaw, Heard, Reader};
use super::{Door, Side};

/// How long the server may take to let us in.
const PATIENCE: Duration = Duration::from_secs(10);
/// The first pause before connecting again; twice as long each time.
const PAUSE: Duration = Duration::from_millis(250);
/// The longest.
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// After that long a connection counts as a good one.
const GOOD: Duration = Duration::from_secs(10);
/// How often something is said, so that a connection that is none is noticed.
const ALIVE: Duration = Duration::from_secs(30);
/// How long the server may take nothing.
const STUCK: Duration = Duration::from_secs(15);
/// So many bytes are written at once.
const BATCH: usize = 64 << 10;

/// Keeps a component connected, for ever.
pub(super) async fn keep(door: Door, side: Side) {
    let mut pause = PAUSE;
    let mut is_failing = false;
    loop {
        let begun = Instant::now();
        let (name, outbox) = (door.name(side), door.outbox(side));
        let ended = match connect(&door, side).await {
            Ok((reader, stream)) => {
                tracing::info!(component = %name, "connected to the XMPP server");
                is_failing = false;
                let _connected = Connected::begin(&door, side);
                let line = outbox.open();
                serve(&door, side, reader, stream, line).await
            }
            Err(why) => why,
        };
        if !is_failing {
            tracing::warn!(component = %name, why = ended, "no connection to the XMPP server; trying again");
        }
        is_failing = true;
        if begun.elapsed() > GOOD {
            pause = PAUSE;
        }
        sleep(pause).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
}

/// A connection while it is there. It ends by being dropped: also when the node has the
/// door no more, and nobody waits for the end of it.
struct Connected<'a> {
    door: &'a Door,
    side: Side,
}

impl<'a> Connected<'a> {
    fn begin(door: &'a Door, side: Side) -> Connected<'a> {
        door.connected(side);
        Connected { door, side }
    }
}

impl Drop for Connected<'_> {
    fn drop(&mut self) {
        self.door.outbox(self.side).close();
        self.door.disconnected(self.side);
    }
}

/// Gets in.
async fn connect(door: &Door, side: Side) -> Result<(Reader, TcpStream), String> {
    let connect = async {
        let place = (door.config.host.as_str(), door.config.port);
        let mut stream = TcpStream::connect(place).await.map_err(text)?;
        stream.set_nodelay(true).map_err(text)?;
        let mut reader = Reader::default();
        let head = Element::core("stream").with("to", door.name(side).as_str());
        stream
            .write_all(opening(&head).as_bytes())
            .await
            .map_err(text)?;
        let Heard::Opened(id) = hear(&mut stream, &mut reader).await? else {
            return Err("the server did not open a stream".into());
        };
        let proof = proof(&id, &door.config.secret);
        let handshake = Element::core("handshake").text(proof);
        stream
            .write_all(handshake.write().as_bytes())
            .await
            .map_err(text)?;
        match hear(&mut stream, &mut reader).await? {
            Heard::Stanza(element, _) if element.name() == "handshake" => Ok((reader, stream)),
            Heard::Stanza(element, _) => Err(format!("the server refuses: {}", reason(&element))),
            _ => Err("the server closed the stream".into()),
        }
    };
    match timeout(PATIENCE, connect).await {
        Ok(connected) => connected,
        Err(_) => Err("the server does not answer".into()),
    }
}

/// The name is escaped as an attribute is.
fn opening(head: &Element) -> String {
    let attributes = head.write();
    let attributes = attributes.trim_start_matches("<stream");
    let attributes = attributes.trim_end_matches("/>");
    format!(
        "<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept' \
         xmlns:stream='http://etherx.jabber.org/streams'{attributes}>"
    )
}

/// The next thing the server says, while there is nothing else it could be saying after
/// it: what is left of the bytes would be lost.
async fn hear(stream: &mut TcpStream, reader: &mut Reader) -> Result<Heard, String> {
    let mut byte = [0u8; 1];
    loop {
        if stream.read(&mut byte).await.map_err(text)? == 0 {
            return Err("the server closed the connection".into());
        }
        if let Some(heard) = reader.read(&mut &byte[..])? {
            return Ok(heard);
        }
    }
}

/// What the server wants to see, in XEP-0114's way.
fn proof(id: &str, secret: &str) -> String {
    let digest = Sha1::digest(format!("{id}{secret}").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The condition of a stream's error.
fn reason(error: &Element) -> String {
    let conditions: Vec<_> = error
        .elements()
        .map(|element| match element.words() {
            words if words.is_empty() => element.name().to_owned(),
            words => words,
        })
        .collect();
    conditions.join(": ")
}

/// Serves a connection until it ends; why it did.
async fn serve(
    door: &Door,
    side: Side,
    reader: Reader,
    stream: TcpStream,
    line: UnboundedReceiver<String>,
) -> String {
    let (from, to) = stream.into_split();
    let outbox = door.outbox(side);
    tokio::select! {
        why = read(door, side, reader, from) => why,
        why = write(outbox, line, to) => why,
        () = outbox.is_stuck.notified() => "the server takes too little".into(),
    }
}

async fn read(door: &Door, side: Side, mut reader: Reader, mut from: OwnedReadHalf) -> String {
    let mut buffer = vec![0u8; 16 << 10];
    loop {
        let length = match from.read(&mut buffer).await {
            Ok(0) => return "the server closed the connection".into(),
            Ok(length) => length,
            Err(error) => return error.to_string(),
        };
        let received = door.app.now();
        let mut bytes = &buffer[..length];
        loop {
            match reader.read(&mut bytes) {
                Ok(None) => break,
                Ok(Some(Heard::Stanza(element, flaw))) => {
                    if element.name() == "error" {
                        return reason(&element);
                    }
                    take(door, side, element, flaw, received);
                }
                Ok(Some(_)) => return "the server closed the stream".into(),
                Err(why) => return why,
            }
        }
        // Nobody else's turn comes while the server talks without a pause.
        tokio::task::yield_now().await;
    }
}

fn take(door: &Door, side: Side, element: Element, flaw: Option<Flaw>, at: chess::Timestamp) {
    door.app.components.received();
    door.take(side, element, flaw, at);
}

async fn write(
    outbox: &Outbox,
    mut line: UnboundedReceiver<String>,
    mut to: OwnedWriteHalf,
) -> String {
    let mut batch = String::new();
    loop {
        match timeout(ALIVE, line.recv()).await {
            Ok(Some(text)) => batch.push_str(&text),
            Ok(None) => return "the server takes too little".into(),
            Err(_) => batch.push(' '),
        }
        while batch.len() < BATCH
            && let Ok(text) = line.try_recv()
        {
            batch.push_str(&text);
        }
        match timeout(STUCK, to.write_all(batch.as_bytes())).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return error.to_string(),
            Err(_) => return "the server takes nothing".into(),
        }
        outbox.sent(batch.len());
        batch.clear();
    }
}

fn text(error: std::io::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proof_is_a_hash_of_the_stream_s_id_and_the_secret() {
        let proof = proof("3BF96D32", "secret");
        assert_eq!(proof, "b09ea9b3b7f586be8a08d0a3dd7466f110aeb136");
    }

    #[test]
    fn a_name_cannot_break_the_stream_s_head() {
        let head = opening(&Element::core("stream").with("to", "a'b"));
        assert!(head.ends_with("/streams' to='a&apos;b'>"), "{head}");
    }
}
