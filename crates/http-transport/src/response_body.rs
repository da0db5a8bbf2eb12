use std::error::Error;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;

use crate::connection::Connection;

/// A guard that keeps a connection in its responding state until the drop.
#[derive(Debug)]
pub(crate) struct ResponseGuard {
    connection: Option<Arc<Connection>>,
    /// True from an offered piece until the client took it.
    is_offered: bool,
}

impl ResponseGuard {
    /// Notes that the response to a request on a connection begins.
    pub(crate) fn begin(connection: Option<Arc<Connection>>) -> Self {
        if let Some(connection) = &connection {
            connection.begin_request();
        }
        Self { connection, is_offered: false }
    }

    fn on_offered(&mut self) {
        self.is_offered = true;
        if let Some(connection) = &self.connection {
            connection.on_offered();
        }
    }

    fn on_taken(&mut self) {
        if let (true, Some(connection)) = (mem::take(&mut self.is_offered), &self.connection) {
            connection.on_taken();
        }
    }
}

impl Drop for ResponseGuard {
    fn drop(&mut self) {
        self.on_taken();
        if let Some(connection) = &self.connection {
            connection.end_request();
        }
    }
}

/// The body of a response, in pieces of at most 32 KiB. The library copies each piece, so a client that takes a large
/// response slowly costs no second copy of it. Between two pieces the worker serves other connections, so that large
/// responses to many clients are sent concurrently.
#[derive(Debug)]
pub(crate) struct ResponseBody {
    body: BoxBody,
    rest: Bytes,
    /// True from a piece until the worker has served other connections.
    took_turn: bool,
    guard: ResponseGuard,
}

impl ResponseBody {
    const PIECE: usize = 32 * 1024;

    /// Wraps a body. The guard ends with it.
    pub(crate) const fn new(body: BoxBody, guard: ResponseGuard) -> Self {
        Self { body, rest: Bytes::new(), took_turn: false, guard }
    }
}

impl MessageBody for ResponseBody {
    type Error = Box<dyn Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if mem::take(&mut self.took_turn) {
            self.guard.on_taken();
            if !self.rest.is_empty() {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
        }
        while self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_next(context)) {
                Some(Ok(bytes)) => self.rest = bytes,
                end => return Poll::Ready(end),
            }
        }
        self.took_turn = true;
        self.guard.on_offered();
        let piece = self.rest.len().min(Self::PIECE);
        Poll::Ready(Some(Ok(self.rest.split_to(piece))))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;
    use futures::future::poll_fn;

    use super::*;

    fn body(bytes: Bytes) -> ResponseBody {
        ResponseBody::new(BoxBody::new(bytes), ResponseGuard::begin(None))
    }

    #[actix_web::test]
    async fn a_large_body_arrives_in_pieces_and_whole() {
        let all: Bytes = (0..200_000_u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>().into();
        assert_eq!(body(all.clone()).size(), BodySize::Sized(800_000));
        let mut one = body(all.clone());
        while let Some(piece) = poll_fn(|context| Pin::new(&mut one).poll_next(context)).await {
            assert!(piece.expect("bytes").len() <= ResponseBody::PIECE);
        }
        assert_eq!(to_bytes(body(all.clone())).await.expect("bytes"), all);
    }

    #[actix_web::test]
    async fn the_worker_is_free_between_two_pieces() {
        let mut body = body(vec![0; 2 * ResponseBody::PIECE].into());
        let mut poll = |context: &mut Context<'_>| Pin::new(&mut body).poll_next(context).map(|piece| piece.is_some());
        let found = poll_fn(|context| Poll::Ready([(); 4].map(|()| poll(context)))).await;
        assert_eq!(found, [Poll::Ready(true), Poll::Pending, Poll::Ready(true), Poll::Ready(false)]);
    }
}
