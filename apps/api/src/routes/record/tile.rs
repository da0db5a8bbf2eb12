use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_transparency::{TileKind, TilePath, TreeHash, bundle_beginning};
use sports_usecases::record::{FoundTile, RecordName};
use utoipa::IntoParams;

use crate::auth::CrossOriginCaller;
use crate::caching::File;
use crate::codes::SportCode;
use crate::error::{ApiError, DependencyDown, ErrorBody, Unchanged};
use crate::params::Params;
use crate::paths::{FromPath, Path, Segments};
use crate::response_cache::Repeatable;
use crate::state::{Records, State};

/// The caching of what never changes.
pub(super) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// A league and a tile.
#[derive(Debug, Clone, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the parameters as the document has them")]
pub struct TileParams {
    /// The league's code, in any letter case.
    #[param(example = "nfl")]
    sport: SportCode,
    /// The tile by C2SP tlog-tiles, its slashes as they are: `0/x001/067`, `1/000.p/12`, `entries/000.p/12`.
    #[param(example = "0/000.p/1")]
    tile: String,
}

/// The tile that a path names.
#[derive(Debug, Clone, Copy)]
pub(super) struct TileOf {
    record: RecordName,
    tile: TilePath,
}

impl FromPath for TileOf {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        let record = RecordName::read(segments)?;
        // As it was sent: an encoded character is another form.
        let tile = segments.behind("/tile/").unwrap_or_default().parse();
        let form = |reason: sports_domain::FormError| ApiError::NotFound(reason.to_string());
        Ok(Self { record, tile: tile.map_err(form)? })
    }
}

/// Returns a tile, which is the beginning of the found one. The found one alone is cached, so that anonymous requests for its
/// many beginnings evict nothing.
async fn cached(records: &Records, found: FoundTile, path: TilePath) -> Result<Arc<File>, PortError> {
    let reading = async {
        let bytes = records.served.tile_bytes(&found).await?;
        Ok(Arc::new(file(found.path(), bytes)))
    };
    let whole = records.tiles.result(ObjectHash::of_key(&(found.sport(), found.path())), Box::pin(reading)).await?;
    if path == found.path() {
        return Ok(whole);
    }
    let bytes = whole.bytes();
    let cut = || PortError::corrupt("the tree", format!("tile {} is cut off", found.path()));
    let length = length(path, &bytes).filter(|length| *length <= bytes.len()).ok_or_else(cut)?;
    Ok(Arc::new(file(path, bytes.slice(..length))))
}

fn file(path: TilePath, bytes: Bytes) -> File {
    File::new(&path.to_string(), HeaderValue::from_static("application/octet-stream"), bytes)
}

/// Returns the length of a tile whose items begin these bytes; `None` if it does not end within them.
fn length(path: TilePath, bytes: &[u8]) -> Option<usize> {
    match path.kind() {
        TileKind::Hashes { .. } => Some(usize::from(path.width()) * TreeHash::LENGTH),
        TileKind::Entries => bundle_beginning(bytes, path.width()),
    }
}

/// Fetch a tile of a league's tree
///
/// Hashes of a level of the tree (`0/x001/067`), or the leaves themselves (`entries/x001/067`), by C2SP tlog-tiles: 256 items, or
/// the first few of them (`.p/12`). With tiles anybody can compute the root, and prove that a checkpoint extends another one and
/// that it has a leaf. Leaves have games, finals and withdrawals in clear, and forecasts as commitments that reveal nothing.
/// Readable from any page of the web.
#[utoipa::path(
    get, path = "/api/v1/record/{sport}/tile/{tile}",
    tag = "record",
    params(TileParams),
    responses(
        (status = 200, description = "The tile", content_type = "application/octet-stream",
            headers(("Access-Control-Allow-Origin" = String, description = "Always `*`"))),
        Unchanged,
        (status = 404, description = "The path is no tile of C2SP, or the tree does not have all of it", body = ErrorBody),
        DependencyDown,
    ),
)]
pub(super) async fn show_tile(
    _caller: CrossOriginCaller,
    path: Path<TileOf>,
    _params: Params<()>,
    request: HttpRequest,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let Path(TileOf { record, tile }) = path;
    let records = &state.published.records;
    let found = records.served.tile(record, tile).await?;
    let found =
        found.ok_or_else(|| ApiError::NotFound(format!("The tree of {record} does not have all of tile {tile}")))?;
    let file = cached(records, found, tile).await?;
    let mut response = file.send(&request).await;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(IMMUTABLE));
    Repeatable::mark(&request);
    Ok(response)
}
