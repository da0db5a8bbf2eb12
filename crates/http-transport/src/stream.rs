use std::io::{self, IoSlice};
use std::mem::{self, MaybeUninit};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use memchr::memchr_iter;
use sports_telemetry::RequestId;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::connection::Connection;
use crate::limits::{HEAD, HEADERS};
use crate::phase::Phase;
use crate::refusal::{Refusal, Refusals};
use crate::tally::Tally;

/// A client's socket, plain or encrypted.
pub(crate) trait Socket: AsyncRead + AsyncWrite + Unpin {}

impl<T: AsyncRead + AsyncWrite + Unpin> Socket for T {}

/// The stream of a connection between its socket and the HTTP library.
///
/// # Contract
///
/// - The library of HTTP/1 receives nothing beyond a blank line until the response to the request before it is sent. So it has no
///   queue of requests, and `HEAD` changes the response to no other one. While a response is pending, up to [`HEAD`] bytes are
///   read ahead, so that a client that hangs up is noticed.
/// - A head that is too large or late, and one that the library refuses, is refused in the error shape. The connection is then
///   closed for writing, and what follows is discarded, so that the client can read the refusal.
pub(crate) struct ClientStream {
    socket: Box<dyn Socket>,
    connection: Arc<Connection>,
    refusals: Arc<dyn Refusals>,
    tally: Arc<Tally>,
    held: Vec<u8>,
    head: HeadSize,
    /// A blank line was handed over since the library last waited.
    is_paused: bool,
    has_ended: bool,
}

/// The size of a head so far.
#[derive(Default)]
struct HeadSize {
    bytes: usize,
    lines: usize,
    /// The last line has a character other than its end.
    is_in_line: bool,
}

impl ClientStream {
    pub(crate) fn new(
        socket: Box<dyn Socket>,
        connection: Arc<Connection>,
        refusals: Arc<dyn Refusals>,
        tally: Arc<Tally>,
    ) -> Self {
        Self {
            socket,
            connection,
            refusals,
            tally,
            held: Vec::new(),
            head: HeadSize::default(),
            is_paused: false,
            has_ended: false,
        }
    }

    pub(crate) const fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// Receives bytes of the client.
    fn poll_receive(&mut self, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let Poll::Ready(received) = Pin::new(&mut self.socket).poll_read(context, buffer) else {
            self.connection.await_client();
            return Poll::Pending;
        };
        let bytes = buffer.filled().len() - before;
        if received.is_ok() && bytes == 0 {
            self.has_ended = true;
            self.connection.on_hang_up();
        } else if self.connection.on_received(bytes) {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        Poll::Ready(received)
    }

    /// Reads ahead while the library waits for nothing. It sees the end of the stream if no request precedes it.
    fn poll_read_ahead(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.held.len() < HEAD && !self.has_ended {
            let mut space = [MaybeUninit::uninit(); 4096];
            let mut buffer = ReadBuf::uninit(&mut space);
            match self.poll_receive(context, &mut buffer)? {
                Poll::Ready(()) => self.held.extend_from_slice(buffer.filled()),
                Poll::Pending => break,
            }
        }
        if self.held.is_empty() && self.has_ended {
            return Poll::Ready(Ok(()));
        }
        if !self.held.is_empty() && !self.connection.is_answering() {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }

    /// Discards what the client sends, until it ends or the connection does.
    fn poll_discard(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.held = Vec::new();
        while !self.has_ended {
            if self.connection.is_ending(context) {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            let mut space = [MaybeUninit::uninit(); 4096];
            let mut buffer = ReadBuf::uninit(&mut space);
            ready!(Pin::new(&mut self.socket).poll_read(context, &mut buffer))?;
            self.has_ended = buffer.filled().is_empty();
        }
        Poll::Ready(Ok(()))
    }

    /// Sends a refusal as far as the client takes it at once, and counts it.
    fn refuse(&mut self, context: &mut Context<'_>, refusal: Refusal) {
        let id = RequestId::new();
        self.tally.count_malformed();
        tracing::debug!(request_id = %id, %refusal, "a request is refused before it is one: {refusal}");
        // A client that does not take it at once gets no second attempt.
        let _ = Pin::new(&mut self.socket).poll_write(context, &self.refusals.response(refusal).bytes(&id));
        let _ = Pin::new(&mut self.socket).poll_shutdown(context);
        self.connection.close();
    }

    /// Writes bytes of the library, and the tail of the reply after them. Returns the number of sent bytes of both.
    fn poll_send(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut tail = self.connection.tail();
        let pieces = [bytes, &tail.lines, &tail.body].map(IoSlice::new);
        let written = Pin::new(&mut self.socket).poll_write_vectored(context, &pieces);
        match written {
            Poll::Ready(Ok(sent)) => {
                self.connection.on_sent(sent);
                self.tally.count_sent(sent);
                tail.advance(sent.saturating_sub(bytes.len()));
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending if self.connection.is_multiplexed() => {}
            Poll::Pending => self.connection.on_write_blocked(),
        }
        written
    }

    /// Returns the error of a connection that is to end. A head that was too slow is refused first.
    fn end(&mut self, context: &mut Context<'_>) -> io::Error {
        if !self.connection.is_multiplexed() && self.connection.phase() == Phase::Head && self.connection.is_overdue() {
            self.refuse(context, Refusal::TooSlow);
        }
        io::ErrorKind::TimedOut.into()
    }
}

impl HeadSize {
    /// Adds bytes up to a blank line; returns their number, and true if a blank line ends them.
    fn add(&mut self, bytes: &[u8]) -> (usize, bool) {
        let has_character = |line: &[u8]| line.iter().any(|byte| *byte != b'\r');
        let mut line = 0;
        for end in memchr_iter(b'\n', bytes) {
            let is_blank = !mem::take(&mut self.is_in_line) && !has_character(&bytes[line..end]);
            (self.lines, line) = (self.lines + 1, end + 1);
            if is_blank {
                self.bytes += line;
                return (line, true);
            }
        }
        self.is_in_line |= has_character(&bytes[line..]);
        self.bytes += bytes.len();
        (bytes.len(), false)
    }

    /// Returns true if a head has more bytes or lines than it may have: its first line, its headers, and a blank line.
    const fn is_too_large(&self) -> bool {
        self.bytes > HEAD || self.lines > HEADERS + 2
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.connection.is_ending(context) {
            return Poll::Ready(Err(this.end(context)));
        }
        match this.connection.phase() {
            Phase::Closing => return this.poll_discard(context),
            _ if this.connection.is_multiplexed() => return this.poll_receive(context, buffer),
            _ if mem::take(&mut this.is_paused) || this.connection.is_answering() => {
                return this.poll_read_ahead(context);
            }
            _ => {}
        }
        let before = buffer.filled().len();
        if this.held.is_empty() && !this.has_ended {
            ready!(this.poll_receive(context, buffer))?;
        } else {
            let fits = this.held.len().min(buffer.remaining());
            buffer.put_slice(&this.held[..fits]);
            this.held.drain(..fits);
            this.connection.on_received(0);
        }
        let received = &buffer.filled()[before..];
        let (length, is_blank) = this.head.add(received);
        drop(this.held.splice(..0, received[length..].iter().copied()));
        buffer.set_filled(before + length);
        let is_head = this.connection.is_at_head();
        if is_head && this.head.is_too_large() {
            buffer.set_filled(before);
            this.refuse(context, Refusal::HeadTooLarge);
            return this.poll_discard(context);
        }
        if is_blank || !is_head {
            (this.head.bytes, this.head.lines) = (0, 0);
        }
        this.is_paused = is_blank;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        if this.connection.is_ending(context) {
            return Poll::Ready(Err(this.end(context)));
        }
        // No request has reached the application, so these bytes are the library's own refusal.
        if this.connection.is_at_head()
            && !this.connection.is_multiplexed()
            && let Some(refusal) = Refusal::of_the_library(bytes)
        {
            this.refuse(context, refusal);
        }
        if this.connection.phase() == Phase::Closing {
            return this.poll_discard(context).map_ok(|()| bytes.len());
        }
        let head = this.connection.tail().head(bytes);
        let sent = ready!(this.poll_send(context, head))?;
        Poll::Ready(Ok(if sent < head.len() { sent } else { bytes.len() }))
    }

    /// The library flushes once it has written all that it has.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        while !this.connection.tail().is_empty() {
            if this.connection.is_ending(context) {
                return Poll::Ready(Err(this.end(context)));
            }
            if ready!(this.poll_send(context, &[]))? == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
        }
        ready!(Pin::new(&mut this.socket).poll_flush(context))?;
        if !this.connection.is_multiplexed() {
            this.connection.on_flushed();
            if !this.held.is_empty() && !this.connection.is_answering() {
                // The library reads again only when its task is woken.
                context.waker().wake_by_ref();
            }
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.socket).poll_shutdown(context))?;
        if self.connection.phase() == Phase::Closing { self.poll_discard(context) } else { Poll::Ready(Ok(())) }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    use super::*;
    use crate::refusal::RefusalResponse;
    use crate::tail::Tail;

    struct NoRefusals;

    impl Refusals for NoRefusals {
        fn response(&self, refusal: Refusal) -> RefusalResponse {
            panic!("{refusal}")
        }
    }

    #[tokio::test]
    async fn a_tail_follows_the_head_however_few_bytes_a_socket_takes() {
        for most in 1..60 {
            let (socket, mut client) = duplex(most);
            let connection = Arc::new(Connection::new(Connection::TIMEOUTS, Instant::now()));
            connection.begin_request();
            let (refusals, tally) = (Arc::new(NoRefusals), Arc::default());
            let mut stream = ClientStream::new(Box::new(socket), Arc::clone(&connection), refusals, tally);
            *connection.tail() = Tail { lines: Bytes::from_static(b"a: b\r\n\r\n"), body: Bytes::from_static(b"body") };
            let send = async move {
                stream.write_all(b"HTTP/1.1 200 OK\r\ndate: now\r\n\r\n").await?;
                stream.flush().await
            };
            let mut received = String::new();
            let (outcome, read) = tokio::join!(send, client.read_to_string(&mut received));
            assert!(outcome.is_ok() && read.is_ok() && connection.tail().is_empty());
            assert_eq!(received, "HTTP/1.1 200 OK\r\ndate: now\r\na: b\r\n\r\nbody", "{most}");
        }
    }
}
