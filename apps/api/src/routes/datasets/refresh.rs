use std::sync::Arc;

use actix_web::HttpRequest;
use chrono::{DateTime, Utc};
use sports_accounts::{CustomerId, Download, REFRESHES_A_MONTH};
use sports_http_transport::{Connection, ProxyTrust};
use sports_ports::datasets::SignedLink;
use sports_ports::{PortError, error_chain};
use sports_usecases::datasets::{DatasetService, RefreshError, Refreshed};
use tokio::sync::oneshot;
use tokio::task::yield_now;

use crate::auth::Subscriber;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, NothingThere};
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
    }
}

/// Refresh your datasets
///
/// Returns a link to the current file of every dataset you own. The call uses one of 8 refreshes a calendar month
/// (UTC), but only after every link is made: an answer other than 200 uses no refresh,
/// nor does a client that has gone before the answer.
#[utoipa::path(
    post, path = "/api/v1/service-sports-data/refresh",
    tag = "datasets",
    responses(
        (status = 200, description = "The links", body = DatasetRefreshResponse, example = json!({
            "refreshes_remaining": 7, "next_reset_at": "2025-02-01T00:00:00Z", "downloads": [{
                "sport": "nfl", "filename": "nfl-odds.csv.gz", "url": "https://api.example.com/downloads/historical-odds/nfl/nfl-odds.csv.gz",
                "expires_at": "2025-01-15T15:19:05Z"
            }]
        })),
        NothingThere,
    ),
)]
pub(super) async fn refresh_datasets(
    caller: Subscriber,
    _params: Params<()>,
    request: HttpRequest,
    state: State,
) -> Result<Unstored<DatasetRefreshResponse>, ApiError> {
    let connection = request.conn_data::<Arc<Connection>>().cloned();
    let refreshed = refresh_for(Arc::clone(&state.datasets), caller.0.holder.customer.id, connection).await;
    let refreshed = refreshed.map_err(failure)?.ok_or_else(|| ApiError::BadRequest(GONE.to_owned()))?;
    Ok(Unstored(DatasetRefreshResponse::new(refreshed, &ProxyTrust::base_url(&request))))
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
        RefreshError::Port(error) => error.into(),
    }
}
