//! Socket.IO over WebSockets alone, as text: what a client says so that it stays.

use crate::frames;

/// Where a server of it lets WebSockets in.
pub(crate) const PATH: &str = "/socket.io/?EIO=4&transport=websocket";

const TEXT: u8 = 1;

/// What a message means to the protocol.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    /// This must be said in return.
    Reply(Vec<u8>),
    /// The client was let in.
    Joined,
    /// It is an event, or nothing that matters.
    Other,
}

/// Takes in a message, as somebody who wants to be let into a namespace: `/name,`, or nothing
/// for the default.
pub(crate) fn hear(message: &[u8], namespace: &str) -> Meant {
    let is_connect = || {
        message
            .strip_prefix(b"40")
            .is_some_and(|rest| rest.starts_with(namespace.as_bytes()))
    };
    match message {
        [b'0', b'{', ..] => Meant::Reply(text(&format!("40{namespace}"))),
        b"2" => Meant::Reply(text("3")),
        _ if is_connect() => Meant::Joined,
        _ => Meant::Other,
    }
}

/// A frame with some text.
pub(crate) fn text(text: &str) -> Vec<u8> {
    frames::from_client(TEXT, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_asks_to_be_let_in_and_answers_pings() {
        let open = br#"0{"sid":"a","pingInterval":25000}"#;
        assert_eq!(hear(open, ""), Meant::Reply(text("40")));
        assert_eq!(hear(open, "/chess,"), Meant::Reply(text("40/chess,")));
        assert_eq!(hear(b"2", ""), Meant::Reply(text("3")));
        assert_eq!(hear(br#"40{"sid":"b"}"#, ""), Meant::Joined);
        assert_eq!(hear(br#"40/chess,{"sid":"b"}"#, "/chess,"), Meant::Joined);
        assert_eq!(hear(br#"42["move",{"ply":2}]"#, ""), Meant::Other);
    }
}
