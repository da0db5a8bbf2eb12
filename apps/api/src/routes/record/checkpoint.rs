use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use sports_usecases::record::{RecordName, ServedRecords};

use super::note::{NOTE_EXAMPLE, send};
use crate::auth::CrossOriginCaller;
use crate::error::{ApiError, DependencyDown, ErrorBody, Unchanged};
use crate::params::Params;
use crate::paths::{Path, SportPath};

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
    records: Data<ServedRecords>,
) -> Result<HttpResponse, ApiError> {
    let Path(record) = path;
    let newest = records.newest(record).await?;
    let newest = newest.ok_or_else(|| ApiError::NotFound(format!("No checkpoint of {record} is signed yet")))?;
    Ok(send(&request, &newest))
}
