use std::io;
use std::io::IoSlice;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use sports_telemetry::RequestId;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::connection::Connection;
use crate::phase::Phase;
use crate::refusal::{Refusal, Refusals};
use crate::tally::Tally;

/// A client's socket, which notes on its connection what is received and sent.
pub(crate) struct ClientSocket {
    socket: TcpStream,
    connection: Arc<Connection>,
    refusals: Arc<dyn Refusals>,
    tally: Arc<Tally>,
}

impl ClientSocket {
    /// Creates the socket of a connection.
    pub(crate) const fn new(
        socket: TcpStream,
        connection: Arc<Connection>,
        refusals: Arc<dyn Refusals>,
        tally: Arc<Tally>,
    ) -> Self {
        Self { socket, connection, refusals, tally }
    }

    pub(crate) const fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// Sends a refusal as far as the client takes it at once, and counts it.
    pub(crate) fn refuse(&mut self, context: &mut Context<'_>, refusal: Refusal) -> Poll<io::Result<usize>> {
        let id = self.connection.refused().get_or_init(RequestId::new);
        self.tally.count_malformed();
        tracing::debug!(request_id = %id, %refusal, "a request is refused before it is one: {refusal}");
        Pin::new(&mut self.socket).poll_write(context, &self.refusals.response(refusal).bytes(id))
    }

    /// Sends a refusal after which the connection closes. The client can still read it: the socket is closed for writing, and
    /// what follows is left to be discarded.
    pub(crate) fn refuse_and_close(&mut self, context: &mut Context<'_>, refusal: Refusal) {
        // A client that does not take it at once gets no second attempt.
        let _ = self.refuse(context, refusal);
        let _ = Pin::new(&mut self.socket).poll_shutdown(context);
        self.connection.close();
    }

    /// Returns the error of a connection that is to end. A head that was too slow is refused first.
    pub(crate) fn end(&mut self, context: &mut Context<'_>) -> io::Error {
        if self.connection.phase() == Phase::Head && self.connection.is_overdue() {
            let _ = self.refuse(context, Refusal::TooSlow);
        }
        io::ErrorKind::TimedOut.into()
    }

    /// Receives bytes.
    pub(crate) fn poll_read(&mut self, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.socket).poll_read(context, buffer);
        if read.is_pending() {
            self.connection.on_empty_read();
        }
        read
    }

    /// Sends as much of a head and a body as the client takes.
    pub(crate) fn poll_write(
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
                self.connection.on_sent(*sent);
                self.tally.count_sent(*sent);
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.connection.on_write_blocked(),
        }
        written
    }

    pub(crate) fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    /// Closes the socket for writing.
    pub(crate) fn poll_shutdown(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

/// The descriptors reserved for the store, the database, logs and workers, and for connections that are not counted yet or
/// not closed yet.
const RESERVED: u64 = 256;

/// The descriptors of a connection: a socket, and the file of a download.
const PER_CONNECTION: u64 = 2;

/// Raises the limit of file descriptors as far as the system permits, and returns the most connections that fit.
pub(crate) fn most_connections() -> usize {
    let descriptors = raised().unwrap_or(u64::MAX);
    let reserved = RESERVED.min(descriptors / 2);
    usize::try_from((descriptors - reserved) / PER_CONNECTION).unwrap_or(usize::MAX).max(1)
}

/// Raises the soft limit to the hard limit, if the system permits it; returns `None` without a limit.
#[cfg(unix)]
fn raised() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::debug!(%error, "the limit of open files stays as it is: {error}");
    }
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn raised() -> Option<u64> {
    None
}
