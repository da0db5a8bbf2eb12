use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::web::Data;
use sports_ports::Clock;
use sports_ports::metering::AddressLimit;
use sports_telemetry::metrics::Decision;

use super::admission::count_decision;
use crate::error::ApiError;
use crate::provided::provided;
use crate::proxy_trust::ProxyTrust;

/// A limit on the requests a second of each address whose key is invalid.
///
/// It applies only after a key has failed: a valid key is served from any address, however many guesses come from
/// there, too.
pub struct FailedKeys {
    limit: Arc<dyn AddressLimit>,
    per_second: NonZeroU32,
}

impl FailedKeys {
    /// Limits each address to so many failures a second, which `limit` counts.
    #[must_use]
    pub fn new(limit: Arc<dyn AddressLimit>, per_second: NonZeroU32) -> Self {
        Self { limit, per_second }
    }

    /// Returns the refusal of a request with an invalid key.
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
        count_decision(request, Decision::FailedKeys);
        Err(ApiError::too_many_failed_keys(failed.per_second))
    }
}
