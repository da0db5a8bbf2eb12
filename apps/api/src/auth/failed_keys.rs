use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use sports_ports::metering::AddressLimit;

use crate::error::ApiError;

/// The limit of requests with invalid keys, for each address and second.
///
/// It is checked after a key has failed and never before: a valid key is served from any address, however many guesses come
/// from there, too.
pub struct FailedKeys {
    limit: Arc<dyn AddressLimit>,
    per_second: NonZeroU32,
}

impl FailedKeys {
    /// Creates a limit of requests a second, which `limit` counts.
    pub fn new(limit: Arc<dyn AddressLimit>, per_second: NonZeroU32) -> Self {
        Self { limit, per_second }
    }

    /// Counts a request with an invalid key; returns its refusal.
    pub(super) async fn refusal(&self, address: IpAddr, uptime: Duration) -> ApiError {
        match self.limit.admits(address, uptime).await {
            Ok(true) => ApiError::KeyRefused,
            Ok(false) => ApiError::too_many_failed_keys(self.per_second),
            Err(error) => error.into(),
        }
    }
}
