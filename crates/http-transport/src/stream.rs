use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::connection::Connection;
use crate::phase::Phase;
use crate::refusal::Refusal;
use crate::requests::Requests;
use crate::socket::ClientSocket;

/// The stream that the HTTP library reads requests from, one at a time, and writes responses to.
pub(crate) struct ClientStream {
    socket: ClientSocket,
    requests: Requests,
}

impl ClientStream {
    /// Creates the stream of a connection.
    pub(crate) const fn new(socket: ClientSocket, requests: Requests) -> Self {
        Self { socket, requests }
    }

    pub(crate) const fn connection(&self) -> &Arc<Connection> {
        self.socket.connection()
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { socket, requests } = &mut *self;
        if socket.connection().is_ending() {
            return Poll::Ready(Err(socket.end(context)));
        }
        requests.poll_read(context, socket, buffer)
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let socket = &mut self.socket;
        if socket.connection().is_ending() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        // No request has reached the application, so these bytes are the library's own refusal.
        if socket.connection().phase() == Phase::Head
            && let Some(refusal) = Refusal::of_the_library(bytes)
        {
            return socket.refuse(context, refusal).map_ok(|_| bytes.len());
        }
        socket.poll_write(context, bytes, &[])
    }

    /// The library flushes once it has written all that it has.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { socket, requests } = &mut *self;
        if !requests.is_responding() {
            socket.connection().on_flushed();
            if socket.connection().is_at_rest() && requests.has_more() {
                // The library reads again only when its task is woken.
                context.waker().wake_by_ref();
            }
        }
        socket.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { socket, requests } = &mut *self;
        ready!(requests.poll_respond(context, socket))?;
        socket.poll_shutdown(context)
    }
}
