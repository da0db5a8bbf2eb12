use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse};
use sports_domain::content::ObjectHash;
use sports_http_transport::Audience;
use utoipa::IntoParams;

use super::checkpoint::CheckpointOf;
use super::tile::IMMUTABLE;
use crate::auth::CrossOriginCaller;
use crate::caching::plain_etag;
use crate::codes::SportCode;
use crate::error::{ApiError, DependencyDown, ErrorBody, Unchanged};
use crate::params::Params;
use crate::paths::{FromPath, Path, Segments};
use crate::state::State;

/// A league, the size of a tree, and the hash of a reply.
#[derive(Debug, Clone, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the parameters as the document has them")]
pub struct TimestampPath {
    /// The league's code, in any letter case.
    #[param(example = "nfl")]
    sport: SportCode,
    /// The number of leaves, as `checkpoints` lists it.
    #[param(example = 2)]
    size: u64,
    /// The SHA-256 of the reply, as `checkpoints` lists it.
    #[param(example = "24790e1d103c9ddefacb747549bfe8e3acad1ed280e05af68a10319bca11b72d")]
    sha256: String,
}

/// The reply that a path names.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimestampOf {
    checkpoint: CheckpointOf,
    content: ObjectHash,
}

impl FromPath for TimestampOf {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        let checkpoint = CheckpointOf::read(segments)?;
        let text = segments.text("sha256");
        let content = text.parse().ok().filter(|hash: &ObjectHash| hash.to_string() == text);
        let form = || ApiError::NotFound("A timestamp is named by 64 lower-case hexadecimal digits".to_owned());
        Ok(Self { checkpoint, content: content.ok_or_else(form)? })
    }
}

/// Fetch a timestamp of a checkpoint
///
/// The reply of a timestamp server (RFC 3161) for the three lines of the checkpoint, byte for byte: `openssl ts -verify` checks it.
/// Readable from any page of the web.
#[utoipa::path(
    get, path = "/api/v1/record/{sport}/checkpoints/{size}/timestamps/{sha256}",
    tag = "record",
    params(TimestampPath),
    responses(
        (status = 200, description = "The reply", content_type = "application/timestamp-reply",
            headers(("Access-Control-Allow-Origin" = String, description = "Always `*`"))),
        Unchanged,
        (status = 404, description = "The checkpoint has no such timestamp", body = ErrorBody),
        DependencyDown,
    ),
)]
pub(super) async fn show_timestamp(
    _caller: CrossOriginCaller,
    path: Path<TimestampOf>,
    _params: Params<()>,
    request: HttpRequest,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let Path(TimestampOf { checkpoint, content }) = path;
    let reply = state.published.records.served.timestamp(checkpoint.record, checkpoint.size, content).await?;
    let reply = reply.ok_or_else(|| {
        ApiError::NotFound(format!(
            "The checkpoint of {} of size {} has no such timestamp",
            checkpoint.record, checkpoint.size
        ))
    })?;
    let validator = plain_etag(&[&content.to_string()]);
    let mut response = validator.response(&request, Audience::Public);
    response.insert_header((CACHE_CONTROL, IMMUTABLE));
    if validator.is_current(&request) {
        return Ok(response.finish());
    }
    Ok(response.content_type("application/timestamp-reply").body(reply))
}
