//! The contract suite of [`NodeRegistry`].
#![expect(clippy::missing_panics_doc, reason = "that is how every function here reports")]

use std::time::Duration;

use sports_accounts::ProcessId;
use sports_ports::nodes::{NodeRegistry, NodeSettings};
use tokio::time::{Instant, sleep};

/// A lifetime longer than any test.
const LONG: Duration = Duration::from_hours(1);

fn node(number: u8) -> ProcessId {
    ProcessId::from_random([number; 8])
}

fn settings(limit: &str) -> NodeSettings {
    [("limits.monthly", limit), ("store.url", "a")].map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

async fn report(registry: &impl NodeRegistry, number: u8, limit: &str, lifetime: Duration) -> Vec<NodeSettings> {
    registry.report(node(number), &settings(limit), lifetime).await.expect("answers")
}

/// Runs every check on an empty registry.
pub async fn node_registry(registry: &impl NodeRegistry) {
    assert_eq!(report(registry, 1, "5", LONG).await, [], "a node does not see itself");
    assert_eq!(report(registry, 2, "6", LONG).await, [settings("5")]);
    assert_eq!(report(registry, 1, "7", LONG).await, [settings("6")]);
    assert_eq!(report(registry, 2, "6", LONG).await, [settings("7")], "the last report counts");
    registry.remove(node(1)).await.expect("answers");
    registry.remove(node(1)).await.expect("removing it again changes nothing");
    assert_eq!(report(registry, 2, "6", LONG).await, []);
    assert_eq!(report(registry, 3, "6", LONG).await, [settings("6")]);
    let (second, started) = (Duration::from_secs(1), Instant::now());
    while !report(registry, 3, "6", second).await.is_empty() {
        assert!(started.elapsed() < Duration::from_mins(1), "a node without reports is removed");
        sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(report(registry, 2, "6", LONG).await, [settings("6")]);
}
