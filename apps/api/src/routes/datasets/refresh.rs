use actix_web::HttpRequest;
use actix_web::web::Data;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_accounts::{Download, REFRESHES_A_MONTH};
use sports_http_transport::ProxyTrust;
use sports_ports::datasets::SignedLink;
use sports_usecases::datasets::{DatasetService, RefreshError, Refreshed};
use utoipa::ToSchema;

use crate::auth::Subscriber;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, NothingThere};
use crate::json::Unstored;
use crate::params::Params;

/// Links to every dataset a customer owns.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DatasetRefresh)]
pub struct DatasetRefreshResponse {
    /// Refreshes left this calendar month (UTC), after this one.
    #[schema(example = 7)]
    refreshes_remaining: u32,
    /// The time at which the allowance resets: the first instant of the next calendar month (UTC).
    next_reset_at: DateTime<Utc>,
    /// One signed link for each file.
    downloads: Vec<DownloadItem>,
}

/// A link to one file.
#[derive(Debug, Serialize, ToSchema)]
pub struct DownloadItem {
    /// The league of the dataset.
    sport: SportCode,
    /// A file name for the download.
    #[schema(example = "nfl-odds.csv.gz")]
    filename: String,
    /// The signed address of the file. It needs no key and is not counted; its form may change.
    #[schema(format = "uri", example = "https://api.example.com/downloads/historical-odds/nfl/nfl-odds.csv.gz")]
    url: String,
    /// The time at which the link stops working: 15 minutes after the refresh.
    expires_at: DateTime<Utc>,
}

impl DatasetRefreshResponse {
    fn new(refreshed: Refreshed, base_url: &str) -> Self {
        Self {
            refreshes_remaining: refreshed.allowance.remaining(),
            next_reset_at: refreshed.allowance.month.ends_at(),
            downloads: refreshed.links.into_iter().map(|link| DownloadItem::new(link, base_url)).collect(),
        }
    }
}

impl DownloadItem {
    fn new((download, link): (Download, SignedLink), base_url: &str) -> Self {
        let url = match link {
            SignedLink::Here(path) => format!("{base_url}{path}"),
            SignedLink::Elsewhere(url) => url,
        };
        Self {
            sport: Code(download.sport),
            filename: download.file_name.to_string(),
            url,
            expires_at: download.expires_at,
        }
    }
}

/// Refresh your datasets
///
/// Returns a link to the current file of every dataset you own. The call uses one of 8 refreshes a calendar month
/// (UTC), but only after every link is made: an answer other than 200 uses no refresh.
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
    datasets: Data<DatasetService>,
) -> Result<Unstored<DatasetRefreshResponse>, ApiError> {
    let refreshed = datasets.refresh(caller.0.holder.customer.id).await;
    let refreshed = refreshed.map_err(|error| failure(error, datasets.clock.now()))?;
    Ok(Unstored(DatasetRefreshResponse::new(refreshed, &ProxyTrust::base_url(&request))))
}

fn failure(error: RefreshError, now: DateTime<Utc>) -> ApiError {
    match error {
        RefreshError::NotEntitled => ApiError::Forbidden("You own no dataset at the moment".to_owned()),
        RefreshError::NothingToDownload => {
            ApiError::NotFound("There is no file yet for the datasets you own; no refresh was taken".to_owned())
        }
        RefreshError::NoneLeft(month) => ApiError::TooManyRequests {
            detail: format!("Refresh limit exceeded. Limit: {REFRESHES_A_MONTH} refreshes per month"),
            retry_after: month.seconds_left(now),
        },
        RefreshError::Port(error) => error.into(),
    }
}
