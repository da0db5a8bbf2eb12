//! Provision of the comparison with other nodes of the service.

use std::error::Error;
use std::sync::Arc;

use sports_accounts::ProcessId;
use sports_accounts_sea_orm::AccountsDatabase;
use sports_artifacts_object_store::ArtifactStore;
use sports_ports::random_bytes;
use sports_settings::Settings;
use sports_system::SystemRandom;

use crate::api::Api;
use crate::node_settings::{NodeSettingsWatch, fingerprints};

/// Starts the comparison of this node's settings with those of other nodes. On a database file there are no other
/// nodes.
pub(super) async fn watch(
    settings: &Settings,
    database: &AccountsDatabase,
    store: &ArtifactStore,
) -> Result<NodeSettingsWatch, Box<dyn Error + Send + Sync>> {
    let fingerprints = fingerprints(settings, store.location());
    if database.file().is_some() {
        return Ok(NodeSettingsWatch::alone(fingerprints));
    }
    let node = ProcessId::from_random(random_bytes(&SystemRandom)?);
    Ok(NodeSettingsWatch::start(Arc::new(database.clone()), node, fingerprints).await)
}

/// Exposes the comparison as a metric, and removes this node from it at the end.
pub(super) fn provide(api: Api, nodes: NodeSettingsWatch) -> Api {
    if let Some(metrics) = api.metrics() {
        let nodes = nodes.clone();
        metrics.add_source(move |exposition| nodes.expose(exposition));
    }
    api.at_the_end(move || {
        let nodes = nodes.clone();
        async move { nodes.end().await }
    })
}
