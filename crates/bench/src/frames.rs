//! WebSocket frames (RFC 6455), as far as a listener needs them.

/// What kind of frame it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Message,
    Ping,
    Close,
    Other,
}

/// A whole frame at the start of some bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    pub(crate) kind: Kind,
    pub(crate) payload: &'a [u8],
    /// Bytes it took.
    pub(crate) length: usize,
}

/// Reads the frame at the start of `bytes`, sent by a server (so not masked);
/// `None` if some of it is missing.
pub(crate) fn read(bytes: &[u8]) -> Option<Frame<'_>> {
    let (first, second) = (*bytes.first()?, *bytes.get(1)?);
    let (at, payload) = match second & 0x7f {
        126 => {
            let length: [u8; 2] = bytes.get(2..4)?.try_into().ok()?;
            (4, usize::from(u16::from_be_bytes(length)))
        }
        127 => {
            let length: [u8; 8] = bytes.get(2..10)?.try_into().ok()?;
            (10, usize::try_from(u64::from_be_bytes(length)).ok()?)
        }
        short => (2, usize::from(short)),
    };
    let kind = match first & 0x0f {
        0..=2 => Kind::Message,
        8 => Kind::Close,
        9 => Kind::Ping,
        _ => Kind::Other,
    };
    Some(Frame {
        kind,
        payload: bytes.get(at..at + payload)?,
        length: at + payload,
    })
}

/// A text frame of a server.
pub(crate) fn text(payload: &[u8]) -> Vec<u8> {
    frame(0x81, 0, &[], payload)
}

/// A frame of a client: masked, by a mask that changes nothing.
pub(crate) fn from_client(opcode: u8, payload: &[u8]) -> Vec<u8> {
    frame(0x80 | opcode, 0x80, &[0; 4], payload)
}

fn frame(first: u8, masked: u8, mask: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut out = vec![first];
    match payload.len() {
        short @ 0..126 => out.push(masked | short as u8),
        middle @ 126..65_536 => {
            out.push(masked | 126);
            out.extend((middle as u16).to_be_bytes());
        }
        long => {
            out.push(masked | 127);
            out.extend((long as u64).to_be_bytes());
        }
    }
    out.extend(mask);
    out.extend(payload);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_every_length_come_back() {
        for length in [0, 1, 125, 126, 127, 65_535, 65_536, 70_000] {
            let payload = vec![b'x'; length];
            let frame = text(&payload);
            for cut in [0, 1, 3, frame.len() - 1] {
                assert_eq!(read(&frame[..cut.min(frame.len() - 1)]), None);
            }
            let found = read(&frame).unwrap();
            assert_eq!((found.kind, found.length), (Kind::Message, frame.len()));
            assert_eq!(found.payload, payload);
        }
        assert_eq!(read(&[0x89, 0]).unwrap().kind, Kind::Ping);
    }
}
