use std::mem;

use bytes::{Buf, Bytes};

/// The end of a cached reply over HTTP/1, which the stream of its connection writes after the head of the library, without a copy
/// for each client. No other reply is on the connection meanwhile.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// The lines of the headers that the library does not have, and the blank line.
    pub(crate) lines: Bytes,
    pub(crate) body: Bytes,
}

impl Tail {
    pub(crate) const BLANK_LINE: &[u8] = b"\r\n";

    pub(crate) const fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.body.is_empty()
    }

    /// Returns the bytes of the library's head that precede the tail: all but the blank line, which the tail has.
    pub(crate) fn head<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.strip_suffix(Self::BLANK_LINE).filter(|_| !self.lines.is_empty()).unwrap_or(bytes)
    }

    /// Notes that bytes of the tail are sent.
    pub(crate) fn advance(&mut self, sent: usize) {
        let of_lines = sent.min(self.lines.len());
        self.lines.advance(of_lines);
        self.body.advance(sent - of_lines);
        if self.is_empty() {
            // It may keep a response in memory that is cached no longer.
            drop(mem::take(self));
        }
    }
}
