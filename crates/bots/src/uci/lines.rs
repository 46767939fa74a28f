//! Lines from a program that may say anything: none is longer than a bound, and all together neither.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use super::Fault;

/// No line of an engine is that long, not even a long variation.
const LINE_MAX: usize = 16 * 1024;
/// An engine that says more than this to one question does not answer it.
const TALK_MAX: usize = 8 * 1024 * 1024;

pub(super) struct Lines<R> {
    from: BufReader<R>,
    line: Vec<u8>,
    said: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(from: R) -> Lines<R> {
        Lines {
            from: BufReader::new(from),
            line: Vec::new(),
            said: 0,
        }
    }

    /// A new question: what was said before does not count.
    pub(super) fn begin(&mut self) {
        self.said = 0;
    }

    /// The next line. Part of one is kept if the caller stops waiting.
    pub(super) async fn next(&mut self) -> Result<String, Fault> {
        loop {
            let buffer = self.from.fill_buf().await.map_err(|_| Fault::Died)?;
            if buffer.is_empty() {
                return Err(Fault::Died);
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(buffer.len(), |end| end + 1);
            self.line.extend_from_slice(&buffer[..taken]);
            self.from.consume(taken);
            self.said += taken;
            if self.line.len() > LINE_MAX || self.said > TALK_MAX {
                return Err(Fault::Rubbish("too much".into()));
            }
            if end.is_some() {
                let line = String::from_utf8_lossy(&self.line).trim().to_owned();
                self.line.clear();
                return Ok(line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(text: &[u8]) -> Vec<Result<String, Fault>> {
        let mut lines = Lines::new(text);
        let mut read = Vec::new();
        loop {
            let line = lines.next().await;
            let ended = line.is_err();
            read.push(line);
            if ended {
                return read;
            }
        }
    }

    #[tokio::test]
    async fn lines_end_with_the_program() {
        let read = read(b"uciok\r\nreadyok\nbest").await;
        assert_eq!(
            read,
            [Ok("uciok".into()), Ok("readyok".into()), Err(Fault::Died)]
        );
    }

    #[tokio::test]
    async fn a_line_without_end_is_rubbish() {
        let long = vec![b'x'; LINE_MAX + 1];
        assert!(matches!(read(&long).await[..], [Err(Fault::Rubbish(_))]));
    }

    #[tokio::test]
    async fn lines_without_end_are_rubbish() {
        let many = b"info string hello\n".repeat(TALK_MAX / 18 + 1);
        let read = read(&many).await;
        assert!(matches!(read.last(), Some(Err(Fault::Rubbish(_)))));
    }
}
