use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sports_ports::PortError;
use sports_ports::metering::AddressLimit;

use crate::link::Link;
use crate::session::{SecondLimit, Seconds};

/// A limit on callers without a key by their address, shared with other machines; local while Redis is away.
pub struct RedisAddressLimit {
    /// Shared with the meter.
    pub link: Arc<Link>,
    /// The number of calls that an address may make in a second.
    pub per_second: NonZeroU32,
    /// The clock that measures a second.
    pub seconds: Seconds,
    /// The limit of this machine, which applies while Redis is away.
    pub local: Arc<dyn AddressLimit>,
}

#[async_trait]
impl AddressLimit for RedisAddressLimit {
    async fn admits(&self, address: IpAddr, uptime: Duration) -> Result<bool, PortError> {
        let limit = SecondLimit { per_second: self.per_second, seconds: self.seconds };
        if let Some(session) = self.link.session().await {
            match session.admits(address.into(), uptime, limit).await {
                Ok(admits) => return Ok(admits),
                Err(error) => self.link.end(&session, error.into()),
            }
        }
        self.local.admits(address, uptime).await
    }
}
