use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_RANGES, CONTENT_DISPOSITION, CONTENT_RANGE};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use sports_ports::tables::TableFormat;
use sports_row_formats::{CsvTables, NdjsonTables};

use super::body::KeptBody;
use crate::caching::{Audience, Etag};
use crate::error::ApiError;
use crate::format::Format;
use crate::provided::provided;
use crate::ranges::Asked;

/// The form in which one request is answered.
#[derive(Clone)]
pub struct Form {
    request: HttpRequest,
    format: Format,
    /// The headers that the form depends on.
    vary: &'static str,
    /// What a file of the answer is called, without its ending.
    file_name: Option<String>,
}

impl Form {
    /// The form that a request names, else the one that its `Accept` header asks for.
    #[must_use]
    pub fn chosen(request: &HttpRequest, named: Option<Format>) -> Self {
        let format = named.unwrap_or_else(|| Format::accepted_by(request));
        Self { request: request.clone(), format, vary: "Accept, Accept-Encoding", file_name: None }
    }

    /// JSON, where there is no other form.
    #[must_use]
    pub fn only_json(request: &HttpRequest) -> Self {
        Self { request: request.clone(), format: Format::Json, vary: "Accept-Encoding", file_name: None }
    }

    /// The same, and a file of the answer is called so; else it is called by its path.
    #[must_use]
    pub fn called(self, file_name: String) -> Self {
        Self { file_name: Some(file_name), ..self }
    }

    /// The format.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The request.
    #[must_use]
    pub const fn request(&self) -> &HttpRequest {
        &self.request
    }

    /// The beginning of an answer: 304 where the client has it, else 200, with what caches need to know. With 304, too, a table
    /// says that it has parts.
    #[must_use]
    pub fn response(&self, etag: &Etag, audience: Audience) -> HttpResponseBuilder {
        let mut response = etag.response_varying(&self.request, audience, self.vary);
        if self.format.is_table() {
            response.insert_header((ACCEPT_RANGES, "bytes"));
        }
        response
    }

    /// The validator of an answer that is identified by `parts`. A table is never compressed on its way: what ranges cut is
    /// what `Content-Length` says, and Parquet is compressed already.
    #[must_use]
    pub fn etag(&self, parts: &[&str]) -> Etag {
        let parts: Vec<_> = parts.iter().copied().chain([self.format.name()]).collect();
        if self.format.is_table() { Etag::plain(&parts) } else { Etag::for_request(&self.request, &parts) }
    }

    /// What writes the answer's table; `None` of JSON.
    ///
    /// # Errors
    ///
    /// [`ApiError::Unavailable`] where the program was started without it.
    pub fn tables(&self) -> Result<Option<Arc<dyn TableFormat>>, ApiError> {
        Ok(match self.format {
            Format::Json => None,
            Format::Csv => Some(Arc::new(CsvTables)),
            Format::Ndjson => Some(Arc::new(NdjsonTables)),
            Format::Parquet => {
                let parquet: &Data<dyn TableFormat> = provided(&self.request, "tables")?;
                Some(Arc::clone(parquet))
            }
        })
    }

    /// Sends an answer: JSON in the encoding of its validator, a table whole or the part of it that is asked for.
    ///
    /// # Errors
    ///
    /// [`ApiError::NoSuchRange`] for bytes that the table does not have.
    pub async fn send(
        &self,
        body: &KeptBody,
        etag: &Etag,
        mut response: HttpResponseBuilder,
    ) -> Result<HttpResponse, ApiError> {
        if !self.format.is_table() {
            return Ok(body.send(etag.encoding(), response).await);
        }
        if self.format == Format::Parquet {
            let attachment = format!("attachment; filename=\"{}.parquet\"", self.file_name());
            response.insert_header((CONTENT_DISPOSITION, attachment));
        }
        response.content_type(self.format.essence());
        let table = body.bytes();
        let size = table.len() as u64;
        match Asked::by(&self.request, size, &etag.etag()) {
            Asked::Whole => Ok(response.body(table)),
            Asked::Part(part) => {
                response.status(StatusCode::PARTIAL_CONTENT);
                response.insert_header((CONTENT_RANGE, Asked::content_range(&part, size)));
                // What is in memory has an address for each of its bytes.
                let place = |of: u64| usize::try_from(of).unwrap_or(usize::MAX);
                Ok(response.body(table.slice(place(part.start)..place(part.end))))
            }
            Asked::Nothing => Err(ApiError::NoSuchRange { size }),
        }
    }

    fn file_name(&self) -> String {
        self.file_name.clone().unwrap_or_else(|| {
            let path = self.request.path();
            let harmless = |letter: char| match letter {
                '/' => '-',
                letter if letter.is_ascii_alphanumeric() => letter.to_ascii_lowercase(),
                _ => '_',
            };
            path.strip_prefix("/api/v1/").unwrap_or(path).chars().map(harmless).collect()
        })
    }
}
