use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::connection::{Connection, Phase};
use super::refusal::{self, Refusals};
use super::tally::Tally;
use crate::error::ApiError;
use crate::request_id::RequestId;

/// What looks at what a client sends before the library does, and answers some of it.
pub(crate) trait FirstReader {
    /// Reads what is for the library, and answers what is not.
    fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        stream: &mut ClientStream,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>>;

    /// Goes on with an answer until it is sent; says whether it was, and not refused to its caller.
    fn poll_answer(&mut self, context: &mut Context<'_>, stream: &mut ClientStream) -> Poll<io::Result<bool>>;

    /// Whether it has an answer that is not sent whole.
    fn is_answering(&self) -> bool;
}

/// Makes one for the connection of a peer.
pub(crate) type FirstReaderOf = Rc<dyn Fn(IpAddr) -> Box<dyn FirstReader>>;

/// A client's stream, which notes on its connection what comes and goes.
pub(crate) struct ClientStream {
    socket: TcpStream,
    connection: Arc<Connection>,
    refusals: Arc<Refusals>,
    tally: Arc<Tally>,
    first_reader: Option<Box<dyn FirstReader>>,
}

impl ClientStream {
    pub(super) const fn new(
        socket: TcpStream,
        connection: Arc<Connection>,
        refusals: Arc<Refusals>,
        tally: Arc<Tally>,
    ) -> Self {
        Self { socket, connection, refusals, tally, first_reader: None }
    }

    /// With what answers before the library does.
    pub(super) fn behind(self, first_reader: Option<Box<dyn FirstReader>>) -> Self {
        Self { first_reader, ..self }
    }

    pub(crate) const fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// Sends a refusal as far as the client takes it at once.
    fn refuse(&mut self, context: &mut Context<'_>, error: &ApiError) -> Poll<io::Result<usize>> {
        let id = self.connection.refused().get_or_init(RequestId::new);
        let answer = self.refusals.answer(error, id);
        Pin::new(&mut self.socket).poll_write(context, &answer)
    }

    /// The end of a connection that is to close. Only a head that has begun is worth an answer.
    fn end(&mut self, context: &mut Context<'_>) -> io::Error {
        if self.connection.phase() == Phase::Head && self.connection.is_overdue() {
            let _ = self.refuse(context, &ApiError::TooSlow);
        }
        io::ErrorKind::TimedOut.into()
    }
}

impl ClientStream {
    /// Receives what the client sends, for the library.
    pub(crate) fn read(&mut self, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = self.look(context, buffer);
        let received = buffer.filled().len() - before;
        if received > 0 && self.connection.heard(received) {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        read
    }

    /// Receives what the client sends, which may not be for the library.
    pub(crate) fn look(&mut self, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.socket).poll_read(context, buffer);
        if read.is_pending() {
            self.connection.heard_nothing();
        }
        read
    }

    /// Sends as much of a head and a body as the client takes.
    pub(crate) fn write_both(
        &mut self,
        context: &mut Context<'_>,
        head: &[u8],
        body: &[u8],
    ) -> Poll<io::Result<usize>> {
        let socket = Pin::new(&mut self.socket);
        let written = match (head, body) {
            (one, []) | ([], one) => socket.poll_write(context, one),
            (head, body) => socket.poll_write_vectored(context, &[IoSlice::new(head), IoSlice::new(body)]),
        };
        self.note(&written);
        written
    }

    fn note(&self, written: &Poll<io::Result<usize>>) {
        match written {
            Poll::Ready(Ok(sent)) => {
                self.connection.sent(*sent);
                self.tally.sent(*sent);
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.connection.held_up(),
        }
    }

    /// Has what reads before the library do something with this stream.
    fn before_the_library<T>(&mut self, act: impl FnOnce(&mut dyn FirstReader, &mut Self) -> T) -> Option<T> {
        let mut first_reader = self.first_reader.take()?;
        let outcome = act(&mut *first_reader, self);
        self.first_reader = Some(first_reader);
        Some(outcome)
    }

    fn is_answered_first(&self) -> bool {
        self.first_reader.as_ref().is_some_and(|first_reader| first_reader.is_answering())
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.connection.is_ending() {
            return Poll::Ready(Err(self.end(context)));
        }
        match self.before_the_library(|first, stream| first.poll_read(context, stream, buffer)) {
            Some(read) => read,
            None => self.read(context, buffer),
        }
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.connection.is_ending() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        // No request has reached the application, so what is sent is the library's own refusal.
        if self.connection.phase() == Phase::Head
            && let Some(error) = refusal::of_the_library(bytes)
        {
            return self.refuse(context, &error).map_ok(|_| bytes.len());
        }
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.note(&written);
        written
    }

    /// The library flushes once all that it has was written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.is_answered_first() {
            self.connection.flushed();
        }
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_answered_first()
            && let Some(answered) = self.before_the_library(|first, stream| first.poll_answer(context, stream))
        {
            ready!(answered)?;
        }
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
