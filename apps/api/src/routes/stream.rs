//! The stream of releases and of changes of the data status, as Server-Sent Events.

mod events;

use std::collections::BTreeSet;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::Sport;
use sports_http_transport::ProxyTrust;
use sports_publication::slate::freshness::Assessment;
use sports_usecases::release_stream::StreamCursor;
use sports_usecases::releases::RecentRelease;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::StreamCaller;
use crate::codes::{Code, DataStatusCode, DegradationCode, SportCode};
use crate::error::ApiError;
use crate::operation::operation;
use crate::params::{Given, Params};
use crate::query_params;
use crate::routes::releases::ReleaseItem;
use crate::state::{Standing, State};
use crate::wire::wire;
use events::Events;
pub(crate) use events::text;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(stream_releases));
}

query_params! {
    /// The leagues of a stream, and its beginning.
    #[derive(Debug, Clone)]
    pub struct StreamQuery {
        /// The leagues, with commas between them.
        #[param(value_type = String, example = "nfl,nba")]
        sport: BTreeSet<Sport> = Given::leagues,
        /// The `id` of the last event that arrived: the stream goes on after it. The header `Last-Event-ID`, which a browser
        /// sends when it connects again, takes precedence.
        #[param(value_type = Option<String>)]
        last_event_id: Option<StreamCursor> = Given::parsed,
    }
}

wire! {
    /// The data status of a league on a stream: a part of `data-status/{sport}`.
    #[derive(Clone, PartialEq)]
    pub struct StreamStatus(sport: Sport, verdict: &Assessment) {
        /// The league.
        sport: SportCode = Code(sport),
        /// The status of the data of today.
        status: DataStatusCode = Code(verdict.status()),
        /// True if today's slate is served.
        operational: bool = verdict.operational(),
        /// True if today's slate can be trusted.
        trusted: bool = verdict.trusted(),
        /// The reason that the data is not fully up to date; null if it is.
        #[schema(required)]
        degradation_reason: Option<DegradationCode> = verdict.degradation().map(Code),
        /// True if newer odds are published than those that the predictions of some market include.
        refresh_pending: bool = verdict.refresh_pending(),
        /// Today's Eastern date.
        date: NaiveDate = verdict.day().date,
        /// The deadline for today's data.
        deadline: DateTime<Utc> = verdict.day().deadline,
    }
}

wire! {
    /// A league at the beginning of a stream.
    pub(crate) struct StreamLeague(sport: Sport, standing: &Standing) {
        /// The current generation; null if nothing is published.
        #[schema(required)]
        generation: Option<u64> = standing.current.map(|entry| entry.generation.get()),
        /// The SHA-256 of its entry.
        #[schema(required)]
        head: Option<String> = standing.current.map(|entry| entry.digest.to_string()),
        /// The data status.
        #[serde(flatten)]
        status: StreamStatus = StreamStatus::new(sport, &standing.status),
    }
}

wire! {
    /// The first event of a stream, and the event of one that cannot go on from where it was.
    pub(crate) struct StreamBeginning(reason: Option<&'static str>, leagues: Vec<StreamLeague>) {
        /// The reason of a reset; absent from `hello`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        reason: Option<&'static str> = reason,
        /// The leagues.
        leagues: Vec<StreamLeague> = leagues,
    }
}

wire! {
    /// A release on a stream.
    pub struct StreamRelease(sport: Sport, release: RecentRelease) {
        /// The league.
        sport: SportCode = Code(sport),
        /// The SHA-256 of the entry, which is the head of the league's log after the release.
        head: String = release.entry.digest.to_string(),
        /// The release.
        #[serde(flatten)]
        release: ReleaseItem = ReleaseItem::new(release),
    }
}

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Follow releases as they are published
///
/// A stream of Server-Sent Events, which stays open. Each event has JSON in one line of `data`:
///
/// - `hello`, first: `leagues`, each with `sport`, the current `generation` and `head` (null if nothing is published) and its data
///   status.
/// - `release`: an entry of a league's log with `sport`, `head` and the fields of `releases/{sport}`. It arrives once answers
///   of this server have it. Releases of one league arrive in order and each once; those of several leagues have no order.
/// - `status`: the data status of a league changed. It is not repeated after a reconnection, since `hello` has it.
/// - `reset`: the stream could not go on from the given event. `reason` is `gap` (more than 1,024 releases behind, or one of them
///   cannot be read) or `record` (the event is of another record); `leagues` is as in `hello`, and what was read before has
///   to be read again. With `month` the quota is used up, and the stream ends.
///
/// Each event has an `id`: send the last one as `Last-Event-ID` or `last_event_id` to go on after it, on any server of this
/// record. A league that it lacks begins now. A comment arrives every 15 seconds; `retry` is the time to wait before a
/// reconnection, in milliseconds.
///
/// Without a key an address can have 32 streams open on a server. With a key a customer can have 8; a stream costs one call when
/// it is opened and one an hour, and ends within two seconds once the key is revoked or expires.
#[utoipa::path(
    get, path = "/api/v1/stream",
    tag = "record",
    responses(
        (status = 200, description = "The events", content_type = "text/event-stream", body = String,
            example = json!(include_str!("stream/example.txt"))),
    ),
)]
async fn stream_releases(
    StreamCaller(caller): StreamCaller,
    params: Params<StreamQuery>,
    request: HttpRequest,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let Params(StreamQuery { sport: leagues, last_event_id }) = params;
    let cursor = match request.headers().get(LAST_EVENT_ID).filter(|id| !id.is_empty()) {
        Some(id) => Some(cursor(id.as_bytes())?),
        None => last_event_id,
    };
    for sport in &leagues {
        // A log that was not read yet has no position.
        state.published.releases.newest(*sport)?;
    }
    let holder = caller.as_ref().map(|caller| &*caller.holder);
    let open = state.streams.begin(&state, holder, ProxyTrust::client_address(&request))?;
    let standings = state.streams.standings(&state).await;
    let events = Events::begin(state.clone(), open, standings, &leagues, &cursor.unwrap_or_default());
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(events.into_stream()))
}

fn cursor(id: &[u8]) -> Result<StreamCursor, ApiError> {
    let parsed = str::from_utf8(id).unwrap_or_default().parse();
    parsed.map_err(|reason| ApiError::BadRequest(format!("`Last-Event-ID`: {reason}")))
}
