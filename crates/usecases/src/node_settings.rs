//! The settings that all nodes of a service have in common, compared through the database that they share.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sports_accounts::ProcessId;
use sports_ports::nodes::{NodeRegistry, NodeSettings};
use sports_ports::{PortError, error_chain};

use crate::probes::RestrictionCheck;

/// The time between two reports of a node.
const INTERVAL: Duration = Duration::from_secs(5);

/// The time after which a node that does not report is gone. A difference from it clears one interval later.
const LIFETIME: Duration = Duration::from_secs(30);

/// The comparison of this node's settings with those of the others.
#[derive(Clone)]
pub struct NodeSettingsWatch {
    registry: Option<(Arc<dyn NodeRegistry>, ProcessId)>,
    settings: Arc<NodeSettings>,
    others: Arc<AtomicUsize>,
    differing: Arc<Mutex<BTreeSet<String>>>,
}

impl NodeSettingsWatch {
    /// Creates a watch without a comparison, for a database that no other node can share.
    pub fn alone(settings: NodeSettings) -> Self {
        Self { registry: None, settings: Arc::new(settings), others: Arc::default(), differing: Arc::default() }
    }

    /// Reports the settings of this node and compares them once; [`run`](Self::run) does it again.
    pub async fn start(registry: Arc<dyn NodeRegistry>, node: ProcessId, settings: NodeSettings) -> Self {
        let watch = Self { registry: Some((registry, node)), ..Self::alone(settings) };
        watch.compare_and_log().await;
        watch
    }

    /// Reports and compares the settings every few seconds; calls `compared` after each time.
    pub async fn run(self, compared: impl Fn()) {
        loop {
            tokio::time::sleep(INTERVAL).await;
            self.compare_and_log().await;
            compared();
        }
    }

    async fn compare_and_log(&self) {
        let before = self.differing();
        if let Err(error) = self.compare().await {
            // The last comparison stays. Health and the log report a database that fails.
            let causes = error_chain(&error);
            tracing::debug!("the settings of nodes cannot be compared: {causes}");
            return;
        }
        let differing = self.differing();
        if differing == before {
            return;
        }
        if let Some(sentence) = sentence(&differing) {
            tracing::warn!("{sentence}");
        } else {
            tracing::info!("all nodes of this database have the same settings again");
        }
    }

    async fn compare(&self) -> Result<(), PortError> {
        let Some((registry, node)) = &self.registry else { return Ok(()) };
        let others = registry.report(*node, &self.settings, LIFETIME).await?;
        self.others.store(others.len(), Relaxed);
        // A setting that another version does not report is not compared.
        let differs = |name: &str, value: &str| {
            others.iter().any(|other| other.get(name).is_some_and(|theirs| theirs.as_str() != value))
        };
        let differing = self.settings.iter().filter(|(name, value)| differs(name, value));
        let differing = differing.map(|(name, _)| name.clone()).collect();
        *self.differing.lock().unwrap_or_else(PoisonError::into_inner) = differing;
        Ok(())
    }

    fn differing(&self) -> BTreeSet<String> {
        self.differing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of other nodes that reported lately.
    pub fn others(&self) -> usize {
        self.others.load(Relaxed)
    }

    /// Returns the check of the settings for the health routes.
    pub fn restriction_check(&self) -> RestrictionCheck {
        let watch = self.clone();
        Box::new(move || sentence(&watch.differing()))
    }

    /// Returns each setting, with true if another node has another value of it.
    pub fn compared(&self) -> impl Iterator<Item = (&str, bool)> {
        let differing = self.differing();
        self.settings.keys().map(move |name| (name.as_str(), differing.contains(name)))
    }

    /// Removes this node from the registry at once, rather than by the expiry of its entry.
    pub async fn end(&self) {
        let Some((registry, node)) = &self.registry else { return };
        if let Err(error) = registry.remove(*node).await {
            let causes = error_chain(&error);
            tracing::debug!("this node is forgotten by the others a little later: {causes}");
        }
    }
}

fn sentence(differing: &BTreeSet<String>) -> Option<String> {
    let names: Vec<_> = differing.iter().map(String::as_str).collect();
    (!names.is_empty()).then(|| format!("Another node of this database has another value of {}", names.join(", ")))
}
