//! Nodes of one service and what they have in common.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use sports_accounts::ProcessId;

use crate::PortError;

/// The settings of a node that all nodes of a service have in common: a fingerprint of each value by the setting's name.
/// Fingerprints are compared and never shown.
pub type NodeSettings = BTreeMap<String, String>;

/// The settings of the nodes that share a database.
///
/// # Contract
///
/// - A report takes the place of the node's last one, and returns the last report of every other node.
/// - A node that has not reported for the lifetime of a report, by the clock of the record, is in no answer; nor is one that
///   was removed.
/// - A node is in no answer to itself.
#[async_trait]
pub trait NodeRegistry: Send + Sync {
    /// Records the settings of a node; returns those of the others.
    async fn report(
        &self,
        node: ProcessId,
        settings: &NodeSettings,
        lifetime: Duration,
    ) -> Result<Vec<NodeSettings>, PortError>;

    /// Removes a node that stops.
    async fn remove(&self, node: ProcessId) -> Result<(), PortError>;
}
