use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::web::Data;
use sports_ports::Clock;
use sports_ports::metering::AddressLimit;

use crate::error::ApiError;
use crate::metrics::{Decision, Metrics};
use crate::provided::provided;
use crate::proxy_trust::ProxyTrust;

/// Holds addresses to a number of requests a second whose key opens nothing.
///
/// It is asked after a key has failed and never before: a valid key is served wherever it comes from, however many guesses
/// come from there, too.
pub struct FailedKeys {
    limit: Arc<dyn AddressLimit>,
    per_second: NonZeroU32,
}

impl FailedKeys {
    /// So many a second from each address, which `limit` counts.
    #[must_use]
    pub fn new(limit: Arc<dyn AddressLimit>, per_second: NonZeroU32) -> Self {
        Self { limit, per_second }
    }

    /// How a request with such a key is refused.
    pub(super) async fn refusal(request: &HttpRequest) -> ApiError {
        match Self::admits(request).await {
            Ok(()) => ApiError::KeyRefused,
            Err(refusal) => refusal,
        }
    }

    async fn admits(request: &HttpRequest) -> Result<(), ApiError> {
        let failed: &Data<Self> = provided(request, "limit of failed keys")?;
        let clock: &Data<dyn Clock> = provided(request, "clock")?;
        let admits = failed.limit.admits(ProxyTrust::client_address(request), clock.uptime()).await?;
        if admits {
            return Ok(());
        }
        Metrics::decided(request, Decision::FailedKeys);
        Err(ApiError::too_many_failed_keys(failed.per_second))
    }
}
