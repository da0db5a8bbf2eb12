use sports_content::ObjectHash;
use sports_domain::ModelName;

use super::{RegisteredModel, Registry};

/// A version of a model that a release declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionChange {
    pub model: ModelName,
    /// The version; `None` for a model without one.
    pub version: Option<String>,
    /// The hash; `None` for a version without one.
    pub sha256: Option<ObjectHash>,
}

impl Registry {
    /// Returns the models whose version or hash differs from that in an earlier registry, by name.
    pub fn new_versions(&self, before: &Self) -> Vec<VersionChange> {
        let mut changes: Vec<_> = self.models.iter().map(current).collect();
        let known: Vec<_> = before.models.iter().map(current).collect();
        let is_known = |change: &VersionChange| known.iter().any(|known| known.model == change.model);
        changes.retain(|change| !known.contains(change) && (is_known(change) || change.version.is_some()));
        changes.sort_by_key(|change| change.model);
        changes
    }
}

fn current(model: &RegisteredModel) -> VersionChange {
    let newest = model.versions.last();
    VersionChange {
        model: model.name,
        version: newest.map(|newest| newest.version.clone()),
        sha256: newest.and_then(|newest| newest.sha256),
    }
}
