use actix_web::{HttpRequest, HttpResponse};
use sports_http_transport::Audience;
use sports_usecases::record::{RecordName, StoredCheckpoint};
use utoipa::IntoParams;

use crate::auth::CrossOriginCaller;
use crate::caching::plain_etag;
use crate::codes::SportCode;
use crate::error::{ApiError, DependencyDown, ErrorBody, Unchanged};
use crate::params::Params;
use crate::paths::{FromPath, Path, Segments, SportPath};
use crate::state::State;

/// Show a league's newest signed checkpoint
///
/// The size and the root of the league's tree, signed by the publisher, with all cosignatures of witnesses so far: a signed note of
/// C2SP. A witness' line has the time at which it received the checkpoint. Keep a checkpoint: whoever has one can check later that
/// nothing up to it was changed. Readable from any page of the web. The checkpoints of a record after a restart are under the path
/// that `keys` lists.
#[utoipa::path(
    get, path = "/api/v1/record/{sport}/checkpoint",
    tag = "record",
    params(SportPath),
    responses(
        (status = 200, description = "The signed note", content_type = "text/plain", body = String,
            headers(("Access-Control-Allow-Origin" = String, description = "Always `*`")),
            example = json!(NOTE_EXAMPLE)),
        Unchanged,
        (status = 404, description = "No checkpoint is signed yet", body = ErrorBody),
        DependencyDown,
    ),
)]
pub(super) async fn show_checkpoint(
    _caller: CrossOriginCaller,
    path: Path<RecordName>,
    _params: Params<()>,
    request: HttpRequest,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let Path(record) = path;
    let newest = state.published.records.served.newest(record).await?;
    let newest = newest.ok_or_else(|| ApiError::NotFound(format!("No checkpoint of {record} is signed yet")))?;
    Ok(send(&request, &newest))
}

/// The checkpoint of the week in the examples, signed by the log and a witness.
pub(super) const NOTE_EXAMPLE: &str = "example.com/api/v1/record/nfl\n2\nEQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=\n\n\
                                       — example.com/api/v1/record/nfl …\n— witness.example.org …\n";

/// A league and the size of a tree.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the parameters as the document has them")]
pub struct CheckpointPath {
    /// The league's code, in any letter case.
    #[param(example = "nfl")]
    sport: SportCode,
    /// The number of leaves, as `checkpoints` lists it.
    #[param(example = 2)]
    size: u64,
}

/// The checkpoint that a path names.
#[derive(Debug, Clone, Copy)]
pub(super) struct CheckpointOf {
    pub(super) record: RecordName,
    pub(super) size: u64,
}

impl FromPath for CheckpointOf {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        let record = RecordName::read(segments)?;
        let text = segments.text("size");
        let size = text.parse().ok().filter(|size: &u64| size.to_string() == text);
        let size =
            size.ok_or_else(|| ApiError::NotFound("A size is a whole number without additional zeros".to_owned()))?;
        Ok(Self { record, size })
    }
}

impl CheckpointOf {
    /// Returns the refusal of a size that no signed checkpoint has.
    pub(super) fn unsigned(&self) -> ApiError {
        ApiError::NotFound(format!("No signed checkpoint of {} has the size {}", self.record, self.size))
    }
}

/// Sends a note. Cosignatures are added to it later, so caches revalidate it.
pub(super) fn send(request: &HttpRequest, checkpoint: &StoredCheckpoint) -> HttpResponse {
    let text = checkpoint.note.to_string();
    let validator = plain_etag(&[&text]);
    let mut response = validator.response(request, Audience::Public);
    if validator.is_current(request) {
        return response.finish();
    }
    response.content_type("text/plain; charset=utf-8").body(text)
}

/// Show the signed checkpoint of a size
///
/// The signed note of the tree that had this many leaves, with all cosignatures so far. Readable from any page of the web.
#[utoipa::path(
    get, path = "/api/v1/record/{sport}/checkpoints/{size}",
    tag = "record",
    params(CheckpointPath),
    responses(
        (status = 200, description = "The signed note", content_type = "text/plain", body = String,
            headers(("Access-Control-Allow-Origin" = String, description = "Always `*`")),
            example = json!(NOTE_EXAMPLE)),
        Unchanged,
        (status = 404, description = "No signed checkpoint has that size", body = ErrorBody),
        DependencyDown,
    ),
)]
pub(super) async fn show_signed_checkpoint(
    _caller: CrossOriginCaller,
    path: Path<CheckpointOf>,
    _params: Params<()>,
    request: HttpRequest,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let Path(named) = path;
    let checkpoint = state.published.records.served.checkpoint(named.record, named.size).await?;
    Ok(send(&request, &checkpoint.ok_or_else(|| named.unsigned())?))
}
