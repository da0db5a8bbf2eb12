use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sports_ports::PortError;
use sports_ports::metering::AddressLimit;

use super::connection::{SecondLimit, Seconds};
use super::link::Link;
use crate::LocalAddressLimit;

/// A limit on callers without a key by their address, shared with other servers; local while Redis is away.
#[derive(Debug)]
pub struct RedisAddressLimit {
    /// Shared with the meter.
    pub link: Arc<Link>,
    /// The number of calls that an address may make in a second.
    pub per_second: NonZeroU32,
    /// The clock that measures a second.
    pub seconds: Seconds,
    /// The limit of this server, which applies while Redis is away.
    pub local: LocalAddressLimit,
}

#[async_trait]
impl AddressLimit for RedisAddressLimit {
    async fn admits(&self, address: IpAddr, uptime: Duration) -> Result<bool, PortError> {
        let limit = SecondLimit { per_second: self.per_second, seconds: self.seconds };
        if let Some(connection) = self.link.connection() {
            match connection.admits(address.into(), uptime, limit).await {
                Ok(admits) => return Ok(admits),
                Err(error) => self.link.end(&connection, error.into()),
            }
        }
        self.local.admits(address, uptime).await
    }
}
