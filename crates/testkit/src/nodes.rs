//! The settings of nodes: a registry in memory, and the contract suite of the port.

pub mod contract;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use sports_accounts::ProcessId;
use sports_ports::PortError;
use sports_ports::nodes::{NodeRegistry, NodeSettings};
use tokio::time::Instant;

/// A registry in memory, by the clock of the runtime.
#[derive(Debug, Default)]
pub struct NodeRegistryFake(Mutex<BTreeMap<ProcessId, (Instant, NodeSettings)>>);

#[async_trait]
impl NodeRegistry for NodeRegistryFake {
    async fn report(
        &self,
        node: ProcessId,
        settings: &NodeSettings,
        lifetime: Duration,
    ) -> Result<Vec<NodeSettings>, PortError> {
        let mut reports = self.0.lock().expect("no other holder panicked");
        reports.insert(node, (Instant::now(), settings.clone()));
        reports.retain(|_, (at, _)| at.elapsed() <= lifetime);
        let others = reports.iter().filter(|(other, _)| **other != node);
        Ok(others.map(|(_, (_, settings))| settings.clone()).collect())
    }

    async fn remove(&self, node: ProcessId) -> Result<(), PortError> {
        self.0.lock().expect("no other holder panicked").remove(&node);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{contract, *};

    #[tokio::test]
    async fn the_fake_keeps_the_contract() {
        contract::node_registry(&NodeRegistryFake::default()).await;
    }
}
