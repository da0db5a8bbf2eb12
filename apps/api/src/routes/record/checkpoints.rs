use actix_web::web::Data;
use actix_web::{HttpRequest, Responder};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_http_transport::Audience;
use sports_publication::Generation;
use sports_transparency::Cosignature;
use sports_usecases::record::{CheckpointsPage, RecordName, ServedRecords, StoredCheckpoint};
use utoipa::ToSchema;

use crate::auth::CrossOriginCaller;
use crate::caching::Revalidated;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, DependencyDown, Unchanged};
use crate::examples::read_example;
use crate::params::Params;
use crate::paths::{Path, SportPath};
use crate::query_params;
use crate::wire::wire;

/// The largest number of checkpoints of a page.
const MOST: usize = 100;

query_params! {
    /// The page of a list of checkpoints.
    #[derive(Debug, Clone, Copy)]
    pub struct CheckpointsQuery {
        /// Only checkpoints of trees with this many leaves or more.
        #[param(value_type = Option<u64>, minimum = 0, default = 1)]
        from_size: Option<usize> = |given| given.tree_size(0),
        /// The largest number of checkpoints.
        #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 100)]
        limit: Option<usize> = |given| given.whole_number(1..=MOST),
    }
}

wire! {
    /// Signed checkpoints of a league.
    pub struct SignedCheckpointsResponse(record: RecordName, page: &CheckpointsPage) {
        let checkpoints = page.checkpoints.iter();

        /// The league.
        sport: SportCode = Code(record.sport),
        /// The checkpoints, the smallest tree first.
        checkpoints: Vec<SignedCheckpointItem> =
            checkpoints.map(|(stored, number)| SignedCheckpointItem::new(stored, *number)).collect(),
        /// The `from_size` of the next page; null on the last page.
        #[schema(required, example = 4145)]
        next_size: Option<u64> = page.next_size,
    }
}

wire! {
    /// A signed checkpoint and the evidence of its time.
    pub struct SignedCheckpointItem(stored: &StoredCheckpoint, generation: Option<Generation>) {
        let checkpoint = stored.note.checkpoint();
        let signatures = stored.note.signatures();
        let (own, others) = signatures.partition::<Vec<_>, _>(|line| line.name == checkpoint.origin);
        let cosigned = others.iter().filter_map(|line| {
            let time = i64::try_from(Cosignature::stated_time(line)?).ok()?;
            Some(CosignatureItem { name: line.name.to_string(), time: DateTime::from_timestamp(time, 0)? })
        });

        /// The number of leaves.
        #[schema(example = 2)]
        size: u64 = checkpoint.size,
        /// The root of the tree, in base64.
        #[schema(example = "EQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=")]
        root: String = checkpoint.root.to_string(),
        /// The number of the log entry whose tree this is; null if the log has no such entry now.
        #[schema(required, example = 1)]
        generation: Option<u64> = generation.map(Generation::get),
        /// The log's keys that signed it, each as name and id: the beginning of a key in `keys`.
        #[schema(example = json!(["example.com/api/v1/record/nfl+f7a2c3c4"]))]
        signed_by: Vec<String> = own.iter().map(|line| format!("{}+{}", line.name, line.id)).collect(),
        /// The cosignatures of witnesses.
        cosigned: Vec<CosignatureItem> = cosigned.collect(),
        /// The SHA-256 of each reply of a timestamp server for it.
        timestamps: Vec<String> = stored.timestamps.iter().map(ToString::to_string).collect(),
    }
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

/// List a league's signed checkpoints
///
/// The signed sizes and roots of the league's tree, the smallest first, with the cosignatures of witnesses and the hashes of
/// timestamps. A time is a witness' statement, not this server's. Send a page's `next_size` as the
/// `from_size` of the next. Readable from any page of the web.
#[utoipa::path(
    get, path = "/api/v1/record/{sport}/checkpoints",
    tag = "record",
    params(SportPath),
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
    records: Data<ServedRecords>,
) -> Result<impl Responder, ApiError> {
    let (Path(record), Params(CheckpointsQuery { from_size, limit })) = (path, params);
    let page = records.checkpoints(record, from_size.unwrap_or(1) as u64, limit.unwrap_or(MOST)).await?;
    Ok(Revalidated(Audience::Public, SignedCheckpointsResponse::new(record, &page)).respond_to(&request))
}
