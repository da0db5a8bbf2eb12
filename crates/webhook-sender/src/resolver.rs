use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;

use crate::networks::ReachableNetworks;

/// A look-up of a name.
pub(crate) type Lookup =
    Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>> + Send + Sync>;

/// Looks names up as the machine does.
pub(crate) fn system() -> Lookup {
    Arc::new(|name| {
        Box::pin(async move { Ok(lookup_host((name, 0)).await?.map(|address| address.ip()).collect::<Vec<_>>()) })
    })
}

/// The reason for which nothing is sent to a name or an address.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the name has no address")]
    NoAddress,
    #[error("the name cannot be looked up")]
    NotFound(#[source] io::Error),
    #[error("the host is at an address that is not public, and nothing is sent there")]
    NotPublic,
}

/// Resolves names to addresses that deliveries may go to: if one of them is refused, all are.
#[derive(Clone)]
pub(crate) struct CheckedResolver {
    pub(crate) networks: Arc<ReachableNetworks>,
    pub(crate) lookup: Lookup,
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (networks, addresses) = (Arc::clone(&self.networks), (self.lookup)(name.as_str().to_owned()));
        Box::pin(async move {
            let addresses = addresses.await.map_err(Refusal::NotFound)?;
            if addresses.is_empty() {
                return Err(Refusal::NoAddress.into());
            }
            if !addresses.iter().all(|address| networks.contain(*address)) {
                return Err(Refusal::NotPublic.into());
            }
            Ok(Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}
