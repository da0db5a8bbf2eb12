//! The comparison with other nodes of the service.

use std::error::Error;
use std::sync::Arc;

use sports_accounts::ProcessId;
use sports_accounts_sea_orm::AccountsDatabase;
use sports_domain::content::ObjectHash;
use sports_ports::nodes::NodeSettings;
use sports_ports::random_bytes;
use sports_program::SystemRandom;
use sports_program::settings::{ConnectionUrl, Settings};
use sports_store::ArtifactStore;
use sports_telemetry::BackgroundTasks;
use sports_telemetry::metrics::{Exposition, Kind};
use sports_usecases::node_settings::NodeSettingsWatch;

/// Starts the comparison of this node's settings with those of other nodes. On a database file there are no other
/// nodes.
pub(super) async fn watch(
    tasks: &BackgroundTasks,
    settings: &Settings,
    database: &AccountsDatabase,
    store: &ArtifactStore,
) -> Result<NodeSettingsWatch, Box<dyn Error + Send + Sync>> {
    let fingerprints = fingerprints(settings, store.location());
    if database.file().is_some() {
        return Ok(NodeSettingsWatch::alone(fingerprints));
    }
    let node = ProcessId::from_random(random_bytes(&SystemRandom)?);
    let watch = NodeSettingsWatch::start(Arc::new(database.clone()), node, fingerprints).await;
    let running = watch.clone();
    drop(tasks.supervise("node settings", move |pulse| running.clone().run(move || pulse.beat())));
    Ok(watch)
}

/// Writes the comparison as a metric.
pub(super) fn expose(nodes: &NodeSettingsWatch, exposition: &mut Exposition<'_>) {
    let help = "1 if another node of this database has another value of a setting that all have in common.";
    let mut family = exposition.family("node_settings_differ", Kind::Gauge, help);
    for (setting, differs) in nodes.compared() {
        family.sample(&[("setting", setting)], u32::from(differs));
    }
}

/// Returns the fingerprints of what nodes have in common. Credentials are no part of them.
fn fingerprints(settings: &Settings, store: String) -> NodeSettings {
    let limits = &settings.limits;
    let values = [
        ("store.url", store),
        ("limits.redis", limits.redis.as_ref().map(place_of).unwrap_or_default()),
        ("limits.monthly", limits.monthly.to_string()),
        ("limits.per_second", limits.per_second.to_string()),
        ("limits.public_per_second", limits.public_per_second.to_string()),
        ("limits.failed_keys_per_second", limits.failed_keys_per_second.to_string()),
        ("limits.key_creations_per_minute", limits.key_creations_per_minute.to_string()),
    ];
    let fingerprint = |value: &str| ObjectHash::from_bytes(value.as_bytes()).short(16);
    values.into_iter().map(|(name, value)| (name.to_owned(), fingerprint(&value))).collect()
}

/// Returns an address without the user and the password that this node logs in with.
fn place_of(address: &ConnectionUrl) -> String {
    address.to_string().replace("*****@", "")
}
