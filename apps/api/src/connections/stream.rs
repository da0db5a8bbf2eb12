use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::connection::{Connection, Phase};
use super::refusal::{self, Refusals};
use super::tally::Tally;
use crate::error::ApiError;
use crate::request_id::RequestId;

/// A client's stream, which notes on its connection what comes and goes.
pub(crate) struct ClientStream {
    socket: TcpStream,
    connection: Arc<Connection>,
    refusals: Arc<Refusals>,
    tally: Arc<Tally>,
}

impl ClientStream {
    pub(super) const fn new(
        socket: TcpStream,
        connection: Arc<Connection>,
        refusals: Arc<Refusals>,
        tally: Arc<Tally>,
    ) -> Self {
        Self { socket, connection, refusals, tally }
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

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.connection.is_ending() {
            return Poll::Ready(Err(self.end(context)));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.socket).poll_read(context, buffer);
        if read.is_pending() {
            self.connection.heard_nothing();
        }
        let received = buffer.filled().len() - before;
        if received > 0 && self.connection.heard(received) {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        read
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
        match &written {
            Poll::Ready(Ok(sent)) => {
                self.connection.sent(*sent);
                self.tally.sent(*sent);
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.connection.held_up(),
        }
        written
    }

    /// The library flushes once all that it has was written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection.flushed();
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
