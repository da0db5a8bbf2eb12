//! The nodes of a service and the settings they must share.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use sports_accounts::ProcessId;

use crate::PortError;

/// The settings that all nodes of a service must share: a fingerprint of each value by the setting's name. Fingerprints
/// are compared and never shown.
pub type NodeSettings = BTreeMap<String, String>;

/// The registry of settings of the nodes that share a database.
///
/// # Contract
///
/// - A report replaces the node's previous report, and returns the last report of every other node.
/// - A node is omitted once it has not reported for the lifetime of a report, by the clock of the database, or once it
///   is removed.
/// - A node's own report is never returned to it.
#[async_trait]
pub trait NodeRegistry: Send + Sync {
    /// Records the settings of a node; returns the settings of the others.
    async fn report(
        &self,
        node: ProcessId,
        settings: &NodeSettings,
        lifetime: Duration,
    ) -> Result<Vec<NodeSettings>, PortError>;

    /// Removes a node that shuts down.
    async fn remove(&self, node: ProcessId) -> Result<(), PortError>;
}
