use actix_web::http::header::HeaderValue;
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use sports_domain::content::ObjectHash;
use sports_http_transport::{Audience, KeptBody};
use sports_ports::seasons::Weighed;

use super::{accepted_encoding, etag};

/// A public file, compressed at most once.
pub(crate) struct File {
    name: String,
    body: KeptBody,
}

impl File {
    pub(crate) fn new(name: &str, content_type: HeaderValue, content: Bytes) -> Self {
        Self {
            name: format!("{name} {}", ObjectHash::from_bytes(&content)),
            body: KeptBody::new(content_type, content),
        }
    }

    /// Returns the content.
    pub(crate) fn bytes(&self) -> Bytes {
        self.body.bytes()
    }

    pub(crate) async fn send(&self, request: &HttpRequest) -> HttpResponse {
        let validator = etag(&[&self.name], accepted_encoding(request));
        let mut response = validator.response(request, Audience::Public);
        if validator.is_current(request) {
            return response.finish();
        }
        self.body.send(validator.encoding(), response).await
    }
}

impl Weighed for File {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.body.weight()
    }
}
