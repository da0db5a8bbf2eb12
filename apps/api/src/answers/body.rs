use std::io::{self, Write};
use std::sync::Arc;

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use actix_web::{HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use serde::Serialize;
use sports_ports::PortError;
use sports_ports::seasons::Weighed;
use sports_ports::tables::TableFormat;
use sports_usecases::record::off_thread;
use tokio::sync::OnceCell;

use crate::encoding::Encoding;
use crate::tables::Tabular;

/// An answer as it is sent. Its compressed forms are made when first asked for, and kept beside it.
#[derive(Clone)]
pub struct KeptBody(Arc<Forms>);

struct Forms {
    content_type: HeaderValue,
    plain: Bytes,
    brotli: Form,
    zstd: Form,
    gzip: Form,
}

/// What an encoding makes of an answer; `None` where it makes nothing smaller of it.
type Form = OnceCell<Option<Bytes>>;

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

    /// Writes an answer as a table, if `tables` says how, else as JSON.
    ///
    /// # Errors
    ///
    /// [`PortError`] when it cannot be written.
    pub async fn in_form<T: Serialize + Tabular + Send + 'static>(
        answer: T,
        tables: Option<Arc<dyn TableFormat>>,
    ) -> Result<Self, PortError> {
        let Some(tables) = tables else { return Self::written(answer).await };
        let written = off_thread("a table", move || tables.encode(answer.table())).await?;
        Ok(Self::from_table(written?))
    }

    /// A table. What it is called and which part of it is sent, a [`Form`](super::Form) says.
    #[must_use]
    pub fn from_table(plain: Bytes) -> Self {
        Self::new(HeaderValue::from_static("application/octet-stream"), plain)
    }

    /// What is there already.
    #[must_use]
    pub fn new(content_type: HeaderValue, plain: Bytes) -> Self {
        let [brotli, zstd, gzip] = [(); 3].map(|()| Form::new());
        Self(Arc::new(Forms { content_type, plain, brotli, zstd, gzip }))
    }

    /// Goes out as `response`, in an encoding if that makes it smaller.
    pub async fn send(&self, encoding: Encoding, mut response: HttpResponseBuilder) -> HttpResponse {
        response.insert_header((CONTENT_TYPE, self.0.content_type.clone()));
        let encoded = self.encoded(encoding).await;
        if let (Some(_), Some(name)) = (&encoded, encoding.content_encoding()) {
            response.insert_header((CONTENT_ENCODING, name));
        }
        response.body(encoded.unwrap_or_else(|| self.plain()))
    }

    /// The answer uncompressed.
    pub(crate) fn plain(&self) -> Bytes {
        self.0.plain.clone()
    }

    /// Compresses the answer, if that was not done before.
    pub(crate) async fn prepare(&self, encoding: Encoding) {
        drop(self.encoded(encoding).await);
    }

    /// Returns whether the answer can be sent in an encoding without being compressed first.
    pub(crate) fn is_prepared(&self, encoding: Encoding) -> bool {
        self.form(encoding).is_none_or(|(form, _)| form.initialized())
    }

    fn form(&self, encoding: Encoding) -> Option<(&Form, Compress)> {
        match encoding {
            Encoding::Identity => None,
            Encoding::Brotli => Some((&self.0.brotli, brotli)),
            Encoding::Zstd => Some((&self.0.zstd, zstd)),
            Encoding::Gzip => Some((&self.0.gzip, gzip)),
        }
    }

    /// The answer compressed; `None` where that makes nothing smaller of it. Those who ask first together share one
    /// compression.
    async fn encoded(&self, encoding: Encoding) -> Option<Bytes> {
        let (form, compress) = self.form(encoding)?;
        form.get_or_init(async || {
            let plain = self.plain();
            let compressed = off_thread("a compressed answer", move || smaller(&plain, compress)).await;
            compressed.ok().flatten()
        })
        .await
        .clone()
    }
}

type Compress = fn(&[u8]) -> io::Result<Vec<u8>>;

/// What `compress` makes of an answer, if that is smaller.
fn smaller(plain: &[u8], compress: Compress) -> Option<Bytes> {
    compress(plain).ok().filter(|compressed| compressed.len() < plain.len()).map(Bytes::from_owner)
}

fn brotli(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ::brotli::CompressorWriter::new(Vec::new(), BUFFER, BROTLI_QUALITY, BROTLI_WINDOW);
    encoder.write_all(plain)?;
    encoder.flush()?;
    Ok(encoder.into_inner())
}

fn zstd(plain: &[u8]) -> io::Result<Vec<u8>> {
    ::zstd::bulk::compress(plain, ::zstd::DEFAULT_COMPRESSION_LEVEL)
}

fn gzip(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(plain)?;
    encoder.finish()
}

impl Weighed for KeptBody {
    /// Grows when a compressed form is made.
    fn weight(&self) -> usize {
        let made = [&self.0.brotli, &self.0.zstd, &self.0.gzip].into_iter().filter_map(|form| form.get()?.as_ref());
        size_of::<Forms>() + self.0.plain.len() + made.map(Bytes::len).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// What a client reads of a compressed answer.
    fn read(encoding: Encoding, compressed: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        match encoding {
            Encoding::Identity => panic!("{encoding:?} compresses nothing"),
            Encoding::Brotli => ::brotli::Decompressor::new(compressed, 4096).read_to_end(&mut plain),
            Encoding::Zstd => ::zstd::stream::copy_decode(compressed, &mut plain).map(|()| plain.len()),
            Encoding::Gzip => flate2::read::GzDecoder::new(compressed).read_to_end(&mut plain),
        }
        .expect("whole");
        plain
    }

    #[tokio::test]
    async fn compressed_forms_have_the_same_text_and_are_made_once() {
        for numbers in [50, 2_000] {
            let text: Vec<_> = (0..numbers).collect();
            let body = KeptBody::written(text.clone()).await.expect("writes");
            let plain = serde_json::to_vec(&text).expect("writes");
            assert_eq!(body.plain(), plain);
            let mut kept = body.plain().len();
            for encoding in Encoding::COMPRESSED {
                let (compressed, at_once) = tokio::join!(body.encoded(encoding), body.encoded(encoding));
                let compressed = compressed.expect("smaller");
                assert_eq!(compressed.as_ptr(), at_once.expect("smaller").as_ptr());
                assert_eq!(read(encoding, &compressed), plain);
                kept += compressed.len();
            }
            assert_eq!(body.weight(), size_of::<Forms>() + kept);
        }
    }

    #[tokio::test]
    async fn an_answer_that_does_not_become_smaller_is_sent_as_it_is() {
        let body = KeptBody::written(1).await.expect("writes");
        for encoding in Encoding::COMPRESSED {
            let sent = body.send(encoding, HttpResponse::Ok()).await;
            assert!(!sent.headers().contains_key(CONTENT_ENCODING), "{encoding:?}");
        }
    }
}
