use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_RANGES, CONTENT_DISPOSITION, CONTENT_RANGE};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use sports_http_transport::{Audience, Encoding, Etag, KeptBody, RequestedRange};
use sports_tables::archive::ParquetArchives;
use sports_tables::{CsvTables, NdjsonTables};

use super::body::BodyForm;
use crate::caching::{accepted_encoding, etag};
use crate::error::ApiError;
use crate::format::Format;

/// The form of the answer to one request.
#[derive(Debug, Clone)]
pub struct Form {
    format: Format,
    /// The request headers on which the form depends.
    vary: &'static str,
    /// The name of a file of the answer, without its ending.
    file_name: Option<String>,
}

impl Form {
    /// Returns the form that a request names, else the form that its `Accept` header prefers.
    pub fn chosen(request: &HttpRequest, named: Option<Format>) -> Self {
        let format = named.unwrap_or_else(|| Format::accepted_by(request));
        Self { format, vary: "Accept, Accept-Encoding", file_name: None }
    }

    /// Returns JSON, for an answer without another form.
    pub const fn only_json() -> Self {
        Self { format: Format::Json, vary: "Accept-Encoding", file_name: None }
    }

    /// Sets the name of a file of the answer, which is otherwise made of the path.
    pub fn called(self, file_name: String) -> Self {
        Self { file_name: Some(file_name), ..self }
    }

    pub const fn format(&self) -> Format {
        self.format
    }

    /// Returns the encoding of the answer: a table is never compressed in transit, since ranges count the bytes of
    /// `Content-Length`, and Parquet is compressed already.
    pub fn encoding(&self, request: &HttpRequest) -> Encoding {
        if self.format.is_table() { Encoding::Identity } else { accepted_encoding(request) }
    }

    /// Returns the beginning of a response with the headers for caches: 304 if the client has the answer, else 200. That of a
    /// table has `Accept-Ranges`, also with 304.
    pub fn response(&self, request: &HttpRequest, etag: &Etag, audience: Audience) -> HttpResponseBuilder {
        let mut response = etag.response_varying(request, audience, self.vary);
        if self.format.is_table() {
            response.insert_header((ACCEPT_RANGES, "bytes"));
        }
        response
    }

    /// Returns the validator of an answer that `parts` identify.
    pub fn etag(&self, request: &HttpRequest, parts: &[&str]) -> Etag {
        let parts: Vec<_> = parts.iter().copied().chain([self.format.name()]).collect();
        etag(&parts, self.encoding(request))
    }

    /// Returns the form in which the body is written.
    pub(super) fn of_body(&self) -> BodyForm {
        match self.format {
            Format::Json => BodyForm::Json,
            Format::Csv => BodyForm::Table(Arc::new(CsvTables)),
            Format::Ndjson => BodyForm::Table(Arc::new(NdjsonTables)),
            Format::Parquet => BodyForm::Table(Arc::new(ParquetArchives)),
        }
    }

    /// Completes a response: with JSON in the encoding of its validator, or with a table or the requested part of it.
    ///
    /// # Errors
    ///
    /// [`ApiError::NoSuchRange`] for a range outside the table.
    pub async fn send(
        &self,
        request: &HttpRequest,
        body: &KeptBody,
        etag: &Etag,
        mut response: HttpResponseBuilder,
    ) -> Result<HttpResponse, ApiError> {
        if !self.format.is_table() {
            return Ok(body.send(etag.encoding(), response).await);
        }
        if self.format == Format::Parquet {
            let attachment = format!("attachment; filename=\"{}.parquet\"", self.file_name(request));
            response.insert_header((CONTENT_DISPOSITION, attachment));
        }
        response.content_type(self.format.essence());
        let table = body.bytes();
        let size = table.len() as u64;
        match RequestedRange::by(request, size, &etag.etag()) {
            RequestedRange::Whole => Ok(response.body(table)),
            RequestedRange::Part(part) => {
                response.status(StatusCode::PARTIAL_CONTENT);
                response.insert_header((CONTENT_RANGE, RequestedRange::content_range(&part, size)));
                // Bytes in memory have addresses of the machine's size.
                let place = |of: u64| usize::try_from(of).unwrap_or(usize::MAX);
                Ok(response.body(table.slice(place(part.start)..place(part.end))))
            }
            RequestedRange::Nothing => Err(ApiError::NoSuchRange { size }),
        }
    }

    fn file_name(&self, request: &HttpRequest) -> String {
        self.file_name.clone().unwrap_or_else(|| {
            let path = request.path();
            let harmless = |letter: char| match letter {
                '/' => '-',
                letter if letter.is_ascii_alphanumeric() => letter.to_ascii_lowercase(),
                _ => '_',
            };
            path.strip_prefix("/api/v1/").unwrap_or(path).chars().map(harmless).collect()
        })
    }
}
