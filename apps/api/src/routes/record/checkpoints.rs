use actix_web::{HttpRequest, Responder};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_http_transport::Audience;
use sports_publication::Generation;
use sports_transparency::Cosignature;
use sports_usecases::record::{CheckpointsPage, RecordName, StoredCheckpoint};
use utoipa::{IntoParams, ToSchema};

use crate::auth::CrossOriginCaller;
use crate::caching::Revalidated;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, DependencyDown, Unchanged};
use crate::examples::read_example;
use crate::params::{FromParams, ParamReader, Params};
use crate::paths::{Path, SportPath};
use crate::state::State;

/// The largest number of checkpoints of a page.
const MOST: usize = 100;

/// The page of a list of checkpoints.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CheckpointsQuery {
    /// Only checkpoints of trees with this many leaves or more.
    #[param(value_type = Option<u64>, minimum = 0, default = 1)]
    from_size: Option<usize>,
    /// The largest number of checkpoints.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 100)]
    limit: Option<usize>,
}

impl FromParams for CheckpointsQuery {
    const TAKES: &'static [&'static str] = &["from_size", "limit"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self { from_size: params.tree_size("from_size", 0)?, limit: params.whole_number("limit", 1..=MOST)? })
    }
}

/// Signed checkpoints of a league.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedCheckpointsResponse {
    /// The league.
    sport: SportCode,
    /// The checkpoints, the smallest tree first.
    checkpoints: Vec<SignedCheckpointItem>,
    /// The `from_size` of the next page; null on the last page.
    #[schema(required, example = 4145)]
    next_size: Option<u64>,
}

/// A signed checkpoint and the evidence of its time.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedCheckpointItem {
    /// The number of leaves.
    #[schema(example = 2)]
    size: u64,
    /// The root of the tree, in base64.
    #[schema(example = "EQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=")]
    root: String,
    /// The number of the log entry whose tree this is; null if the log has no such entry now.
    #[schema(required, example = 1)]
    generation: Option<u64>,
    /// The log's keys that signed it, each as name and id: the beginning of a key in `keys`.
    #[schema(example = json!(["example.com/api/v1/record/nfl+f7a2c3c4"]))]
    signed_by: Vec<String>,
    /// The cosignatures of witnesses.
    cosigned: Vec<CosignatureItem>,
    /// The SHA-256 of each reply of a timestamp server for it.
    timestamps: Vec<String>,
}

/// A cosignature. The server does not verify it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CosignatureItem {
    /// The name of the witness.
    #[schema(example = "witness.example.org")]
    name: String,
    /// The time at which the witness received the checkpoint, by its own clock.
    time: DateTime<Utc>,
}

impl SignedCheckpointItem {
    fn new(stored: &StoredCheckpoint, generation: Option<Generation>) -> Self {
        let checkpoint = stored.note.checkpoint();
        let (own, others): (Vec<_>, Vec<_>) = stored.note.signatures().partition(|line| line.name == checkpoint.origin);
        let cosigned = others.iter().filter_map(|line| {
            let time = i64::try_from(Cosignature::stated_time(line)?).ok()?;
            Some(CosignatureItem { name: line.name.to_string(), time: DateTime::from_timestamp(time, 0)? })
        });
        Self {
            size: checkpoint.size,
            root: checkpoint.root.to_string(),
            generation: generation.map(Generation::get),
            signed_by: own.iter().map(|line| format!("{}+{}", line.name, line.id)).collect(),
            cosigned: cosigned.collect(),
            timestamps: stored.timestamps.iter().map(ToString::to_string).collect(),
        }
    }
}

impl SignedCheckpointsResponse {
    fn new(record: RecordName, page: &CheckpointsPage) -> Self {
        let checkpoints = page.checkpoints.iter();
        Self {
            sport: Code(record.sport),
            checkpoints: checkpoints.map(|(stored, number)| SignedCheckpointItem::new(stored, *number)).collect(),
            next_size: page.next_size,
        }
    }
}

/// List a league's signed checkpoints
///
/// The signed sizes and roots of the league's tree, the smallest first, with the cosignatures of witnesses and the hashes of
/// timestamps. A time is a witness' statement, not this server's. Send a page's `next_size` as the
/// `from_size` of the next. Readable from any page of the web.
#[utoipa::path(
    get, path = "/api/v1/record/{sport}/checkpoints",
    tag = "record",
    params(SportPath, CheckpointsQuery),
    responses(
        (status = 200, description = "The checkpoints", body = SignedCheckpointsResponse,
            headers(("Access-Control-Allow-Origin" = String, description = "Always `*`")),
            example = json!(read_example(include_str!("checkpoints_example.json")))),
        Unchanged,
        DependencyDown,
    ),
)]
pub(super) async fn list_checkpoints(
    _caller: CrossOriginCaller,
    path: Path<RecordName>,
    params: Params<CheckpointsQuery>,
    request: HttpRequest,
    state: State,
) -> Result<impl Responder, ApiError> {
    let (Path(record), Params(CheckpointsQuery { from_size, limit })) = (path, params);
    let page = state
        .published
        .records
        .served
        .checkpoints(record, from_size.unwrap_or(1) as u64, limit.unwrap_or(MOST))
        .await?;
    Ok(Revalidated(Audience::Public, SignedCheckpointsResponse::new(record, &page)).respond_to(&request))
}
