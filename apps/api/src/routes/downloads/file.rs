use std::ops::Range;

use actix_web::body::SizedStream;
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_RANGE, CONTENT_TYPE, ETAG};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use sports_accounts::Download;
use sports_content::Validator;
use sports_http_transport::{Encoding, Etag, RequestedRange};
use sports_ports::datasets::Pieces;

use crate::error::ApiError;

/// The response to a request for a file, without its body.
pub struct Answer {
    response: HttpResponseBuilder,
    range: Option<Range<u64>>,
}

impl Answer {
    /// Chooses between the whole file, a part of it, and 304.
    ///
    /// # Errors
    ///
    /// [`ApiError::NoSuchRange`] for bytes beyond the size of the file, [`ApiError::PreconditionFailed`] if
    /// `If-Match` names another version.
    pub fn to(request: &HttpRequest, download: &Download) -> Result<Self, ApiError> {
        let size = download.bytes;
        let validator = Etag::new(Validator::from_object(&download.object).to_string(), Encoding::Identity);
        let etag = validator.etag();
        if !validator.is_acceptable(request) {
            let detail = format!("The file is not the one that `If-Match` names: its ETag is {etag}");
            return Err(ApiError::PreconditionFailed(detail));
        }
        if validator.is_current(request) {
            return Ok(Self { response: head(StatusCode::NOT_MODIFIED, &etag, download), range: None });
        }
        match RequestedRange::by(request, size, &etag) {
            RequestedRange::Whole => Ok(Self { response: head(StatusCode::OK, &etag, download), range: Some(0..size) }),
            RequestedRange::Part(range) => {
                let mut response = head(StatusCode::PARTIAL_CONTENT, &etag, download);
                response.insert_header((CONTENT_RANGE, RequestedRange::content_range(&range, size)));
                Ok(Self { response, range: Some(range) })
            }
            RequestedRange::Nothing => Err(ApiError::NoSuchRange { size }),
        }
    }

    /// Returns the bytes to send; `None` if the response has no body.
    pub fn range(&self) -> Option<Range<u64>> {
        self.range.clone().filter(|range| !range.is_empty())
    }

    pub fn without_a_body(mut self) -> HttpResponse {
        self.response.finish()
    }

    /// Completes the response with those bytes as its body.
    pub fn with(mut self, pieces: Pieces) -> HttpResponse {
        let length = self.range.map_or(0, |range| range.end - range.start);
        self.response.body(SizedStream::new(length, pieces))
    }
}

/// Starts a response. Bytes are sent as they are stored: parts of them must fit together, and files are often
/// compressed already.
fn head(status: StatusCode, etag: &str, download: &Download) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(status);
    response.insert_header((ETAG, etag)).insert_header((CACHE_CONTROL, "private, no-cache"));
    response.insert_header((ACCEPT_RANGES, "bytes"));
    if status != StatusCode::NOT_MODIFIED {
        response
            .insert_header((CONTENT_TYPE, "application/octet-stream"))
            .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", download.file_name)));
    }
    response
}
