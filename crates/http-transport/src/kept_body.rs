use std::sync::Arc;

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use actix_web::{HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use sports_ports::seasons::Weighed;
use tokio::sync::OnceCell;

use crate::encoding::{Encoding, compressed};

/// A cached response body with its compressed forms. Each form is made on the first request for it.
#[derive(Clone)]
pub struct KeptBody(Arc<Forms>);

struct Forms {
    content_type: HeaderValue,
    bytes: Bytes,
    /// The encoding of `bytes`. Only a body that is not compressed yet has further forms.
    encoding: Encoding,
    brotli: Form,
    zstd: Form,
    gzip: Form,
}

/// The body in an encoding; `None` if that is not smaller.
type Form = OnceCell<Option<Bytes>>;

impl KeptBody {
    /// Returns the body of a JSON text.
    pub fn json(text: Bytes) -> Self {
        Self::new(JSON, text)
    }

    /// Returns the body of a table. Its media type, and the part of it that is sent, depend on the request.
    pub fn from_table(plain: Bytes) -> Self {
        Self::new(HeaderValue::from_static("application/octet-stream"), plain)
    }

    /// Returns JSON that consists of `pieces`, in one encoding alone: the plain text is not kept beside it. If the encoding
    /// does not make it smaller, the body is the plain text.
    pub async fn json_in<const N: usize>(encoding: Encoding, pieces: [Bytes; N]) -> Self {
        match compressed(encoding, pieces.clone()).await {
            Some(bytes) => Self::encoded(JSON, bytes, encoding),
            None => Self::json(pieces.concat().into()),
        }
    }

    /// Returns a body that is not compressed.
    pub fn new(content_type: HeaderValue, plain: Bytes) -> Self {
        Self::encoded(content_type, plain, Encoding::Identity)
    }

    fn encoded(content_type: HeaderValue, bytes: Bytes, encoding: Encoding) -> Self {
        let [brotli, zstd, gzip] = [(); 3].map(|()| Form::new());
        Self(Arc::new(Forms { content_type, bytes, encoding, brotli, zstd, gzip }))
    }

    /// Completes `response` with the body, in an encoding if that makes it smaller.
    pub async fn send(&self, encoding: Encoding, mut response: HttpResponseBuilder) -> HttpResponse {
        response.insert_header((CONTENT_TYPE, self.0.content_type.clone()));
        let (encoding, bytes) = match self.compressed(encoding).await {
            Some(compressed) => (encoding, compressed),
            None => (self.0.encoding, self.bytes()),
        };
        if let Some(name) = encoding.content_encoding() {
            response.insert_header((CONTENT_ENCODING, name));
        }
        response.body(bytes)
    }

    /// Returns the body as it was made.
    pub fn bytes(&self) -> Bytes {
        self.0.bytes.clone()
    }

    /// Compresses the body, if that was not done before.
    pub async fn prepare(&self, encoding: Encoding) {
        drop(self.compressed(encoding).await);
    }

    /// Returns true if the body can be sent in an encoding without being compressed first.
    pub fn is_prepared(&self, encoding: Encoding) -> bool {
        self.form(encoding).is_none_or(OnceCell::initialized)
    }

    fn form(&self, encoding: Encoding) -> Option<&Form> {
        // Its format compresses.
        if self.0.content_type.as_bytes() == b"image/png" {
            return None;
        }
        match (self.0.encoding, encoding) {
            (Encoding::Identity, Encoding::Brotli) => Some(&self.0.brotli),
            (Encoding::Identity, Encoding::Zstd) => Some(&self.0.zstd),
            (Encoding::Identity, Encoding::Gzip) => Some(&self.0.gzip),
            _ => None,
        }
    }

    /// Returns the body compressed; `None` if that is not smaller. Concurrent first requests share one compression.
    async fn compressed(&self, encoding: Encoding) -> Option<Bytes> {
        self.form(encoding)?.get_or_init(|| compressed(encoding, [self.bytes()])).await.clone()
    }
}

/// The media type of JSON.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

impl Weighed for KeptBody {
    /// Returns the bytes of the body and of its compressed forms so far.
    fn weight(&self) -> usize {
        let forms = [&self.0.brotli, &self.0.zstd, &self.0.gzip].into_iter().filter_map(|form| form.get()?.as_ref());
        size_of::<Forms>() + self.0.bytes.len() + forms.map(Bytes::len).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn compressed_forms_are_made_once_and_weighed() {
        for numbers in [50, 20_000] {
            let body = KeptBody::json(format!("{:?}", (0..numbers).collect::<Vec<_>>()).into());
            let mut kept = body.bytes().len();
            for encoding in Encoding::COMPRESSED {
                assert!(!body.is_prepared(encoding));
                let (first, second) = tokio::join!(body.compressed(encoding), body.compressed(encoding));
                let first = first.expect("smaller");
                assert_eq!(first.as_ptr(), second.expect("smaller").as_ptr());
                assert!(body.is_prepared(encoding));
                kept += first.len();
            }
            assert_eq!(body.weight(), size_of::<Forms>() + kept);
        }
    }

    async fn sent(body: &KeptBody, encoding: Encoding) -> (Option<HeaderValue>, Bytes) {
        let response = body.send(encoding, HttpResponse::Ok()).await;
        let header = response.headers().get(CONTENT_ENCODING).cloned();
        (header, to_bytes(response.into_body()).await.expect("bytes"))
    }

    #[tokio::test]
    async fn json_in_one_encoding_is_the_compressed_form_of_the_whole_without_the_plain_text() {
        let pieces = ["[".to_owned(), "\"boston_celtics\",".repeat(9_000), "1]".to_owned()].map(Bytes::from);
        let whole = KeptBody::json(pieces.concat().into());
        for encoding in [Encoding::Identity].into_iter().chain(Encoding::COMPRESSED) {
            let body = KeptBody::json_in(encoding, pieces.clone()).await;
            let (header, bytes) = sent(&body, encoding).await;
            assert_eq!(header, encoding.content_encoding());
            assert_eq!(body.weight(), size_of::<Forms>() + bytes.len(), "{encoding:?}");
            assert_eq!((header, bytes), sent(&whole, encoding).await, "{encoding:?}");
        }
    }

    #[tokio::test]
    async fn a_body_that_does_not_become_smaller_is_sent_plain() {
        let written = KeptBody::json(Bytes::from_static(b"1"));
        for encoding in Encoding::COMPRESSED {
            let in_one = KeptBody::json_in(encoding, [Bytes::from_static(b"1")]).await;
            for body in [&written, &in_one] {
                assert_eq!(sent(body, encoding).await, (None, Bytes::from_static(b"1")), "{encoding:?}");
            }
        }
    }
}
