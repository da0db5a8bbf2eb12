use actix_web::{HttpRequest, Responder};
use chrono::{DateTime, Utc};
use sports_http_transport::Audience;
use sports_transparency::VerifierKey;
use sports_usecases::record::{ListedKey, RecordName};

use crate::auth::CrossOriginCaller;
use crate::caching::Revalidated;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, DependencyDown, Unchanged};
use crate::examples::read_example;
use crate::params::Params;
use crate::state::State;
use crate::wire::wire;

wire! {
    /// The keys of the records.
    pub struct RecordKeysResponse(keys: &[ListedKey], witnesses: &[VerifierKey]) {
        let newest = keys.iter().max_by_key(|key| key.age());
        let origin = newest.and_then(|key| key.vkey.name().as_str().rsplit_once('/'));

        /// The common name of the logs, under which the newest key signs; null before a key is published.
        #[schema(required, example = "example.com/api/v1/record")]
        origin: Option<String> = origin.map(|(origin, _)| origin.to_owned()),
        /// The keys that sign checkpoints or have signed them, by league, the earliest first.
        keys: Vec<RecordKeyItem> = keys.iter().map(RecordKeyItem::new).collect(),
        /// The keys of the witnesses that the publisher sends checkpoints to, in the form of C2SP.
        #[schema(example = json!(["witness.example.org+d5bc0c0b+BAPnYLN5x0xBhvCr6J4+nkdPLuMFgMiGRHTs2oFKrVsm"]))]
        witnesses: Vec<String> = witnesses.iter().map(ToString::to_string).collect(),
    }
}

wire! {
    /// A key that signs the checkpoints of one league.
    pub struct RecordKeyItem(key: &ListedKey) {
        /// The league.
        sport: SportCode = Code(key.sport),
        /// The path under which the record that the key signs is served. After a restart it has a number.
        #[schema(example = "/api/v1/record/nfl")]
        path: String = path_of(RecordName { sport: key.sport, number: key.record }),
        /// The key in the form of C2SP: name, id and public key.
        vkey: String = key.vkey.to_string(),
        /// The time from which the key signs, by the publisher's clock.
        since: DateTime<Utc> = key.since,
        /// The time until which the key signs; null while no other key has taken its place.
        #[schema(required)]
        until: Option<DateTime<Utc>> = key.until,
    }
}

/// Returns the path under which a record is served.
pub(super) fn path_of(record: RecordName) -> String {
    let RecordName { sport, number } = record;
    if number.get() == 1 { format!("/api/v1/record/{sport}") } else { format!("/api/v1/record/{number}/{sport}") }
}

/// List the keys of the records
///
/// The public keys by which a verifier checks checkpoints, each with the path of the record that it signs, and the keys of the
/// witnesses. Keep a key that you trust: a list from this server proves nothing about this server. Readable from any page of the web.
#[utoipa::path(
    get, path = "/api/v1/record/keys",
    tag = "record",
    responses(
        (status = 200, description = "The keys", body = RecordKeysResponse,
            headers(("Access-Control-Allow-Origin" = String, description = "Always `*`")),
            example = json!(read_example(include_str!("keys_example.json")))),
        Unchanged,
        DependencyDown,
    ),
)]
pub(super) async fn list_record_keys(
    _caller: CrossOriginCaller,
    _params: Params<()>,
    request: HttpRequest,
    state: State,
) -> Result<impl Responder, ApiError> {
    let keys = state.published.records.served.keys().await?;
    Ok(Revalidated(Audience::Public, RecordKeysResponse::new(&keys, &state.site.witnesses)).respond_to(&request))
}
