use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ContentEncoding, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use serde::Serialize;
use sports_ports::PortError;
use sports_ports::seasons::Weighed;
use sports_usecases::record::off_thread;

use crate::caching::negotiated;

/// An answer as it is sent. Its compressed forms are made when first asked for, and kept beside it.
#[derive(Clone)]
pub struct KeptBody(Arc<Forms>);

struct Forms {
    content_type: HeaderValue,
    plain: Bytes,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

/// Below this many bytes compressing each time costs less than keeping the result.
const SMALL: usize = 4 * 1024;

/// Brotli's middle: most of the gain, little of the time.
const BROTLI_QUALITY: u32 = 5;
const BROTLI_WINDOW: u32 = 22;
const BUFFER: usize = 64 * 1024;

impl KeptBody {
    /// Writes an answer as JSON.
    ///
    /// # Errors
    ///
    /// [`PortError`] when it cannot be written.
    pub async fn written<T: Serialize + Send + 'static>(answer: T) -> Result<Self, PortError> {
        // A season's worth of text takes milliseconds.
        let written = off_thread("an answer", move || serde_json::to_vec(&answer)).await?;
        let plain = written.map_err(|error| PortError::corrupt("an answer", error))?;
        Ok(Self::new(HeaderValue::from_static("application/json"), plain.into()))
    }

    /// What is there already.
    #[must_use]
    pub fn new(content_type: HeaderValue, plain: Bytes) -> Self {
        Self(Arc::new(Forms { content_type, plain, brotli: OnceLock::new(), gzip: OnceLock::new() }))
    }

    /// Goes out as `response`, in the encoding the client prefers.
    pub async fn send(&self, request: &HttpRequest, mut response: HttpResponseBuilder) -> HttpResponse {
        response.insert_header((CONTENT_TYPE, self.0.content_type.clone()));
        let encoding = negotiated(request);
        match self.encoded(encoding).await {
            Some(encoded) => response.insert_header((CONTENT_ENCODING, encoding.as_str())).body(encoded),
            // What is small, or asked for in a rarer encoding, is compressed on its way out if a key came with the request.
            None => response.body(self.plain()),
        }
    }

    /// The answer uncompressed.
    pub(super) fn plain(&self) -> Bytes {
        self.0.plain.clone()
    }

    /// The answer in an encoding that is kept; `None` for others, and for answers too small to keep twice.
    async fn encoded(&self, encoding: ContentEncoding) -> Option<Bytes> {
        let kept: fn(&Forms) -> (&OnceLock<Bytes>, Encode) = match encoding {
            ContentEncoding::Brotli => |forms| (&forms.brotli, brotli),
            ContentEncoding::Gzip => |forms| (&forms.gzip, gzip),
            _ => return None,
        };
        if self.0.plain.len() < SMALL {
            return None;
        }
        if let Some(ready) = kept(&self.0).0.get() {
            return Some(ready.clone());
        }
        let forms = Arc::clone(&self.0);
        let encoding = tokio::task::spawn_blocking(move || {
            let (place, encode) = kept(&forms);
            let encoded = place.get_or_init(|| encode(&forms.plain).unwrap_or_default().into()).clone();
            // Nothing is what a compressor that failed leaves: the plain form is sent instead.
            (!encoded.is_empty()).then_some(encoded)
        });
        encoding.await.ok().flatten()
    }
}

type Encode = fn(&[u8]) -> io::Result<Vec<u8>>;

fn brotli(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ::brotli::CompressorWriter::new(Vec::new(), BUFFER, BROTLI_QUALITY, BROTLI_WINDOW);
    encoder.write_all(plain)?;
    encoder.flush()?;
    Ok(encoder.into_inner())
}

fn gzip(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(plain)?;
    encoder.finish()
}

impl Weighed for KeptBody {
    /// A cache asks once, so the forms that may still be made count from the start: a ceiling is to hold.
    fn weight(&self) -> usize {
        size_of::<Forms>() + 2 * self.0.plain.len()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[tokio::test]
    async fn compressed_forms_hold_the_same_text_and_small_answers_have_none() {
        let text: Vec<_> = (0..2_000).collect();
        let body = KeptBody::written(text.clone()).await.expect("writes");
        let plain = serde_json::to_vec(&text).expect("writes");
        assert_eq!(body.plain(), plain);
        let (mut from_brotli, mut from_gzip) = (Vec::new(), Vec::new());
        let brotli = body.encoded(ContentEncoding::Brotli).await.expect("kept");
        let gzip = body.encoded(ContentEncoding::Gzip).await.expect("kept");
        ::brotli::Decompressor::new(&*brotli, 4096).read_to_end(&mut from_brotli).expect("whole");
        flate2::read::GzDecoder::new(&*gzip).read_to_end(&mut from_gzip).expect("whole");
        assert_eq!((&from_brotli, &from_gzip), (&plain, &plain));
        assert!(brotli.len() + gzip.len() < plain.len(), "what is kept weighs no more than it was said to");
        assert_eq!(body.encoded(ContentEncoding::Brotli).await.expect("kept"), brotli);
        assert_eq!(body.encoded(ContentEncoding::Deflate).await, None);
        let small = KeptBody::written(1).await.expect("writes");
        assert_eq!(small.encoded(ContentEncoding::Gzip).await, None);
    }
}
