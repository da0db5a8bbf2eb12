use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::connection::{Connection, Phase};
use super::refusal::Refusals;
use super::tally::Tally;
use crate::error::ApiError;
use sports_telemetry::RequestId;

/// A client's socket, which notes on its connection what is received and sent.
pub(super) struct ClientSocket {
    socket: TcpStream,
    connection: Arc<Connection>,
    refusals: Arc<Refusals>,
    tally: Arc<Tally>,
}

impl ClientSocket {
    pub(super) const fn new(
        socket: TcpStream,
        connection: Arc<Connection>,
        refusals: Arc<Refusals>,
        tally: Arc<Tally>,
    ) -> Self {
        Self { socket, connection, refusals, tally }
    }

    pub(super) const fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// Sends a refusal as far as the client takes it at once, and counts it.
    pub(super) fn refuse(&mut self, context: &mut Context<'_>, error: &ApiError) -> Poll<io::Result<usize>> {
        let id = self.connection.refused().get_or_init(RequestId::new);
        self.tally.malformed_request();
        tracing::debug!(request_id = %id, %error, "a request is refused before it is one: {error}");
        Pin::new(&mut self.socket).poll_write(context, &self.refusals.answer(error, id))
    }

    /// Sends a refusal after which the connection closes. The client can still read it: the socket is closed for writing, and
    /// what follows is left to be discarded.
    pub(super) fn refuse_and_close(&mut self, context: &mut Context<'_>, error: &ApiError) {
        // A client that does not take it at once, or is gone, gets no other.
        let _ = self.refuse(context, error);
        let _ = Pin::new(&mut self.socket).poll_shutdown(context);
        self.connection.close();
    }

    /// Returns the error of a connection that is to end. A head that was too slow is refused first.
    pub(super) fn end(&mut self, context: &mut Context<'_>) -> io::Error {
        if self.connection.phase() == Phase::Head && self.connection.is_overdue() {
            let _ = self.refuse(context, &ApiError::TooSlow);
        }
        io::ErrorKind::TimedOut.into()
    }

    /// Receives bytes.
    pub(super) fn poll_read(&mut self, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.socket).poll_read(context, buffer);
        if read.is_pending() {
            self.connection.on_empty_read();
        }
        read
    }

    /// Sends as much of a head and a body as the client takes.
    pub(super) fn poll_write(
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
        match &written {
            Poll::Ready(Ok(sent)) => {
                self.connection.sent(*sent);
                self.tally.sent(*sent);
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.connection.on_write_blocked(),
        }
        written
    }

    pub(super) fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    pub(super) fn poll_shutdown(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
