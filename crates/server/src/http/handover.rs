//! Answers that have no end leave HTTP behind: once the head is written, the connection is
//! taken from whoever parses requests and buffers answers, which would cost each of many
//! silent streams more than all the rest of it.
//!
//! Only where bytes arrive as they are written, and a connection has one answer at a
//! time; elsewhere such an answer is a body like any other.

use std::sync::{Arc, Mutex};

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, Version, header};
use axum::response::Response;

use super::connection::Connection;
use crate::limits::connections::Place;
use crate::lock::lock;
use crate::rooms::wire::Handed;

/// What begins when its answer leaves: one of the extensions of that answer.
#[derive(Clone)]
pub(crate) struct Begins(Arc<Mutex<Option<Begin>>>);

type Begin = Box<dyn FnOnce(Way) + Send>;

/// How it leaves.
pub(crate) enum Way {
    /// As the body of the answer.
    Body,
    /// By a connection of its own.
    Own(Own),
}

/// A connection that has nothing to do but this.
pub(crate) struct Own {
    /// It.
    pub(crate) wire: Handed,
    _place: Option<Arc<Place>>,
}

impl Begins {
    /// That.
    pub(crate) fn with(begin: impl FnOnce(Way) + Send + 'static) -> Begins {
        Begins(Arc::new(Mutex::new(Some(Box::new(begin)))))
    }

    fn begin(&self, way: Way) {
        let begin = lock(&self.0).take();
        if let Some(begin) = begin {
            begin(way);
        }
    }
}

/// The connection of a request whose answer may take it.
pub(crate) fn own(request: &Request) -> Option<Connection> {
    let may = request.version() == Version::HTTP_11 && request.method() != Method::HEAD;
    let connection = request.extensions().get::<Connection>();
    connection.filter(|_| may).cloned()
}

/// Has an answer begin, if it is one that does.
pub(crate) fn begin(mut response: Response, connection: Option<Connection>) -> Response {
    let Some(begins) = response.extensions_mut().remove::<Begins>() else {
        return response;
    };
    let taken = connection.and_then(|Connection { wire, place, .. }| {
        let wire = wire?.hand_over(head(&response))?;
        Some(Own {
            wire,
            _place: place,
        })
    });
    match taken {
        Some(own) => {
            begins.begin(Way::Own(own));
            // Nobody reads this: it tells whoever parsed the request to go.
            let mut last = Response::new(Body::empty());
            let close = HeaderValue::from_static("close");
            last.headers_mut().insert(header::CONNECTION, close);
            last
        }
        None => {
            begins.begin(Way::Body);
            response
        }
    }
}

/// The head of an answer whose body comes in chunks.
fn head(response: &Response) -> Bytes {
    let status = response.status();
    let reason = status.canonical_reason().unwrap_or_default();
    let mut head = format!("HTTP/1.1 {} {reason}\r\n", status.as_u16()).into_bytes();
    let own = [
        header::CONNECTION,
        header::CONTENT_LENGTH,
        header::TRANSFER_ENCODING,
    ];
    let headers = response.headers().iter();
    for (name, value) in headers.filter(|(name, _)| !own.contains(name)) {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"connection: close\r\ntransfer-encoding: chunked\r\n\r\n");
    head.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_has_all_headers_and_says_that_chunks_follow() {
        let mut response = Response::new(Body::empty());
        let headers = response.headers_mut();
        headers.insert("x-one", HeaderValue::from_static("1"));
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("7"));
        let text = String::from_utf8(head(&response).to_vec()).unwrap();
        let expected = "HTTP/1.1 200 OK\r\nx-one: 1\r\nconnection: close\r\n\
                        transfer-encoding: chunked\r\n\r\n";
        assert_eq!(text, expected);
    }
}
