//! Files behind the links of a refresh, where the store cannot serve them itself. They are not operations: clients
//! follow links as they are, so the document does not list them.

use std::ops::Range;

use actix_web::body::SizedStream;
use actix_web::http::header::{ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_RANGE, CONTENT_TYPE, ETAG};
use actix_web::http::{Method, StatusCode};
use actix_web::web::ServiceConfig;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use sports_accounts::Download;
use sports_domain::content::Validator;
use sports_http_transport::{Encoding, Etag, RequestedRange};
use sports_ports::PortError;
use sports_ports::datasets::{DatasetFiles, DownloadLink, LinkError, Pieces};

use crate::auth::PublicCaller;
use crate::error::ApiError;
use crate::operation::undocumented;
use crate::params::{RawQuery, check_names};
use crate::state::State;

/// The paths of this area.
pub(crate) const PATH: &str = "/downloads/{product}/{sport}/{object}/{file_name}";

pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(undocumented(Method::GET, PATH, follow_link));
}

/// Serves the file of a signed link. The link is the only credential, and the call is not counted. The file is looked
/// up and read anew each time, so calls are limited.
async fn follow_link(_caller: PublicCaller, request: HttpRequest, state: State) -> Result<HttpResponse, ApiError> {
    let datasets = &state.datasets;
    let query = RawQuery::parse(request.query_string());
    check_names(&request, &query, &SIGNED)?;
    let download = datasets.signer.open(&link(&request, &query), state.clock.now())?;
    if !datasets.still_permits(&download).await? {
        return Err(ApiError::Forbidden("You no longer own this dataset, or it was withdrawn".to_owned()));
    }
    // A file that was cut short must not be served under the name of the whole one.
    datasets.expect_stored(&download).await?;
    serve(&request, &download, &*datasets.files).await
}

async fn serve(request: &HttpRequest, download: &Download, files: &dyn DatasetFiles) -> Result<HttpResponse, ApiError> {
    let answer = Answer::to(request, download)?;
    let Some(range) = answer.range() else { return Ok(answer.without_a_body()) };
    let lost = || PortError::corrupt("the store of datasets", format!("{} is not there", download.object));
    let pieces = files.read_file(&download.object, range).await?.ok_or_else(lost)?;
    Ok(answer.with(pieces))
}

/// The parameters of a link.
const SIGNED: [&str; 4] = ["bytes", "customer", "expires", "signature"];

/// Returns the link that a request followed. A parameter that is given twice counts as empty: this service does not
/// write such links.
fn link(request: &HttpRequest, query: &RawQuery) -> DownloadLink {
    let part = |name| request.match_info().get(name).unwrap_or_default().to_owned();
    let [bytes, customer, expires, signature] = SIGNED.map(|name| query.only(name).unwrap_or_default().to_owned());
    DownloadLink {
        product: part("product"),
        sport: part("sport"),
        object: part("object"),
        file_name: part("file_name"),
        bytes,
        customer,
        expires,
        signature,
    }
}

impl From<LinkError> for ApiError {
    fn from(error: LinkError) -> Self {
        Self::Forbidden(match error {
            LinkError::Forged => "This link was not made by this service, or was changed since".to_owned(),
            LinkError::Expired => "This link has expired; a refresh gives new ones".to_owned(),
        })
    }
}

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
