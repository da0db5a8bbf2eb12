use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use bytes::Bytes;

/// A page as a body of three pieces: the text before the rows, a slice of the season's buffer, and the text after
/// them. The pieces are sent without copying.
pub struct PageBody {
    parts: std::array::IntoIter<Bytes, 3>,
    size: u64,
}

impl PageBody {
    /// Returns a body that sends three pieces one after the other.
    pub fn from_parts(parts: [Bytes; 3]) -> Self {
        let size = parts.iter().map(|part| part.len() as u64).sum();
        Self { parts: parts.into_iter(), size }
    }
}

impl MessageBody for PageBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.size)
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        // An empty piece would end a chunked body early.
        Poll::Ready(self.parts.find(|part| !part.is_empty()).map(Ok))
    }
}
