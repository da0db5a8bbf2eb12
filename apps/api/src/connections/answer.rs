use std::error::Error;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody, to_bytes};
use actix_web::dev::ServiceRequest;
use bytes::Bytes;

use super::connection::Connection;

/// A request that is being answered: its connection is not waiting for the client meanwhile.
#[derive(Debug)]
pub(crate) struct Answering(Option<Arc<Connection>>);

impl Answering {
    /// From now until the drop.
    pub(crate) fn begin(request: &ServiceRequest) -> Self {
        let connection = request.conn_data::<Arc<Connection>>().cloned();
        if let Some(connection) = &connection {
            connection.begin_response();
        }
        Self(connection)
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        if let Some(connection) = &self.0 {
            connection.end_response();
        }
    }
}

/// The body of an answer. It is handed on in pieces, because the library copies what it is handed, so that a client which
/// takes a large answer slowly costs no second copy of it. Between two pieces other connections have their turn, so that
/// large answers to many clients are sent side by side, and not one after the other.
#[derive(Debug)]
pub struct AnswerBody {
    body: BoxBody,
    rest: Bytes,
    /// Whether others have not had their turn since the last piece.
    took_turn: bool,
    answering: Answering,
}

impl AnswerBody {
    const PIECE: usize = 32 * 1024;

    pub(crate) const fn new(body: BoxBody, answering: Answering) -> Self {
        Self { body, rest: Bytes::new(), took_turn: false, answering }
    }

    /// The whole of a body of which nothing was sent, and the same as one piece.
    pub(crate) async fn whole(self) -> Result<(Bytes, Self), Box<dyn Error>> {
        let bytes = to_bytes(self.body).await?;
        Ok((bytes.clone(), Self::new(BoxBody::new(bytes), self.answering)))
    }
}

impl MessageBody for AnswerBody {
    type Error = Box<dyn Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if mem::take(&mut self.took_turn) && !self.rest.is_empty() {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        while self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_next(context)) {
                Some(Ok(bytes)) => self.rest = bytes,
                end => return Poll::Ready(end),
            }
        }
        self.took_turn = true;
        let piece = self.rest.len().min(Self::PIECE);
        Poll::Ready(Some(Ok(self.rest.split_to(piece))))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;
    use futures::future::poll_fn;

    use super::*;

    fn body(bytes: Bytes) -> AnswerBody {
        AnswerBody::new(BoxBody::new(bytes), Answering(None))
    }

    #[actix_web::test]
    async fn a_large_body_comes_in_pieces_and_whole() {
        let all: Bytes = (0..200_000_u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>().into();
        assert_eq!(body(all.clone()).size(), BodySize::Sized(800_000));
        let mut one = body(all.clone());
        while let Some(piece) = poll_fn(|context| Pin::new(&mut one).poll_next(context)).await {
            assert!(piece.expect("bytes").len() <= AnswerBody::PIECE);
        }
        assert_eq!(to_bytes(body(all.clone())).await.expect("bytes"), all);
    }

    #[actix_web::test]
    async fn between_two_pieces_others_have_their_turn() {
        let mut body = body(vec![0; 2 * AnswerBody::PIECE].into());
        let mut poll = |context: &mut Context<'_>| Pin::new(&mut body).poll_next(context).map(|piece| piece.is_some());
        let found = poll_fn(|context| Poll::Ready([(); 4].map(|()| poll(context)))).await;
        assert_eq!(found, [Poll::Ready(true), Poll::Pending, Poll::Ready(true), Poll::Ready(false)]);
    }
}
