use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::HeaderValue;
use chrono::{DateTime, Utc};
use sports_accounts::{CustomerId, Download, IdempotencyKey, REFRESHES_A_MONTH};
use sports_http_transport::{Connection, ProxyTrust};
use sports_ports::datasets::{Refreshed, SignedLink};
use sports_ports::{PortError, error_chain};
use sports_usecases::datasets::{DatasetService, RefreshError};
use tokio::sync::oneshot;
use tokio::task::yield_now;

use crate::auth::Refresher;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, NothingThere};
use crate::examples::read_example;
use crate::json::Unstored;
use crate::params::Params;
use crate::state::State;
use crate::wire::wire;

wire! {
    /// Links to every dataset a customer owns.
    #[schema(as = DatasetRefresh)]
    pub struct DatasetRefreshResponse(refreshed: Refreshed, base_url: &str) {
        /// Refreshes left this calendar month (UTC), after this one.
        #[schema(example = 7)]
        refreshes_remaining: u32 = refreshed.allowance.remaining(),
        /// The time at which the allowance resets: the first instant of the next calendar month (UTC).
        next_reset_at: DateTime<Utc> = refreshed.allowance.month.ends_at(),
        /// One signed link for each file.
        downloads: Vec<DownloadItem> =
            refreshed.links.into_iter().map(|link| DownloadItem::new(link, base_url)).collect(),
    }
}

wire! {
    /// A link to one file.
    pub struct DownloadItem(source: (Download, SignedLink), base_url: &str) {
        let (download, link) = source;
        let url = match link {
            SignedLink::Here(path) => format!("{base_url}{path}"),
            SignedLink::Elsewhere(url) => url,
        };

        /// The league of the dataset.
        sport: SportCode = Code(download.sport),
        /// A file name for the download.
        #[schema(example = "nfl-odds.csv.gz")]
        filename: String = download.file_name.to_string(),
        /// The signed address of the file. It needs no key and is not counted; its form may change.
        #[schema(format = "uri", example = "https://api.example.com/downloads/historical-odds/nfl/nfl-odds.csv.gz")]
        url: String = url,
        /// The time at which the link stops working: 15 minutes after the refresh.
        expires_at: DateTime<Utc> = download.expires_at,
        /// The size of the file.
        #[schema(example = 48_213)]
        bytes: u64 = download.bytes,
        /// The SHA-256 of the file, in hexadecimal digits.
        #[schema(example = "ab530a13e45914982b79f9b7e3fba994cfd1f3fb22f71cea1afbf02b460c6d1d")]
        sha256: String = download.object.to_string(),
    }
}

/// Refresh your datasets
///
/// Returns a link to the current file of every dataset you own. The call uses one of 8 refreshes a calendar month
/// (UTC), but only after every link is made: an answer other than 200 uses no refresh,
/// nor does a client that has gone before the answer. With the header `Idempotency-Key`, a text of your own, repeated and concurrent
/// requests take one refresh and get its answer, for 24 hours; a refusal is not kept. Links that still live are at `refresh/last`, too.
#[utoipa::path(
    post, path = "/api/v1/service-sports-data/refresh",
    tag = "datasets",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
        description = "A name for this refresh, 1 to 255 characters, such as a UUID: the same name takes no second one within 24 hours")),
    responses(
        (status = 200, description = "The links", body = DatasetRefreshResponse,
            example = json!(read_example(include_str!("refresh_example.json")))),
        NothingThere,
    ),
)]
pub(super) async fn refresh_datasets(
    caller: Refresher,
    _params: Params<()>,
    request: HttpRequest,
    state: State,
) -> Result<Unstored<DatasetRefreshResponse>, ApiError> {
    let (datasets, customer) = (&state.datasets, caller.0.holder.customer.id);
    let refreshed = if let Some(key) = idempotency_key(&request)? {
        // What a client does not get is there for its next attempt.
        detached(Arc::clone(datasets), customer, key).await.map_err(failure)?
    } else {
        let connection = request.conn_data::<Arc<Connection>>().cloned();
        let refreshed = refresh_for(Arc::clone(datasets), customer, connection).await;
        let refreshed = refreshed.map_err(failure)?.ok_or_else(|| ApiError::BadRequest(GONE.to_owned()))?;
        datasets.keep(customer, &refreshed).await?;
        refreshed
    };
    Ok(Unstored(DatasetRefreshResponse::new(refreshed, &ProxyTrust::base_url(&request))))
}

const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// Returns the key of a refresh, if the request has one.
fn idempotency_key(request: &HttpRequest) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut given = request.headers().get_all(IDEMPOTENCY_KEY);
    let Some(key) = given.next() else { return Ok(None) };
    let read = |text: &HeaderValue| IdempotencyKey::new(text.to_str().ok()?).ok();
    let key = read(key).filter(|_| given.next().is_none());
    let wanted = format!("`{IDEMPOTENCY_KEY}` must be one text of 1 to {} visible characters", IdempotencyKey::LONGEST);
    key.map(Some).ok_or(ApiError::BadRequest(wanted))
}

/// Refreshes under a key, in a task that goes on if the client does not wait.
async fn detached(
    datasets: Arc<DatasetService>,
    customer: CustomerId,
    key: IdempotencyKey,
) -> Result<Refreshed, RefreshError> {
    let refresh = tokio::spawn(async move { datasets.refresh_once(customer, &key).await });
    refresh.await.map_err(|error| PortError::unavailable("dataset refreshes", error))?
}

/// The text for a client that closed its connection for sending, which looks like one that has gone.
const GONE: &str = "The connection was closed before the answer; no refresh was taken. Keep it open until the answer";

/// Takes a refresh for a client on a connection; returns `None` if the client has gone. A task of its own gives the refresh back
/// then, and if this future is dropped.
async fn refresh_for(
    datasets: Arc<DatasetService>,
    customer: CustomerId,
    connection: Option<Arc<Connection>>,
) -> Result<Option<Refreshed>, RefreshError> {
    let (answer, answered) = oneshot::channel();
    let (keep, kept) = oneshot::channel::<()>();
    tokio::spawn(async move {
        let refreshed = datasets.refresh(customer).await;
        let taken = refreshed.as_ref().ok().cloned();
        let is_kept = answer.send(refreshed).is_ok() && kept.await.is_ok();
        if let Some(taken) = taken.filter(|_| !is_kept)
            && let Err(error) = datasets.give_back(customer, &taken).await
        {
            let causes = error_chain(&error);
            tracing::warn!("a refresh whose client has gone stays taken: {causes}");
        }
    });
    let dropped = |error| PortError::unavailable("dataset refreshes", error);
    let refreshed = answered.await.map_err(dropped)??;
    // The connection is read before this future is polled again.
    yield_now().await;
    if connection.is_some_and(|connection| connection.has_hung_up()) {
        return Ok(None);
    }
    Ok(keep.send(()).is_ok().then_some(refreshed))
}

fn failure(error: RefreshError) -> ApiError {
    match error {
        RefreshError::NotEntitled => ApiError::Forbidden("You own no dataset at the moment".to_owned()),
        RefreshError::NothingToDownload => {
            ApiError::NotFound("There is no file yet for the datasets you own; no refresh was taken".to_owned())
        }
        RefreshError::NoneLeft(month) => ApiError::MonthIsFull {
            detail: format!("Refresh limit exceeded. Limit: {REFRESHES_A_MONTH} refreshes per month"),
            month,
        },
        RefreshError::Underway => ApiError::Conflict(format!(
            "A refresh with this `{IDEMPOTENCY_KEY}` is underway: repeat the request to get its answer"
        )),
        RefreshError::Port(error) => error.into(),
    }
}
