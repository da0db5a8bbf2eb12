use sports_content::ObjectHash;

use super::Registry;
use crate::Generation;

/// The registry of a league's newest entry, under which a release is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryOnRecord {
    pub registry: Registry,
    /// Its object; `None` before the first declaration.
    pub object: Option<ObjectHash>,
    /// The number of the next entry.
    pub next: Generation,
}

impl Default for RegistryOnRecord {
    /// Returns the state of a league without a log.
    fn default() -> Self {
        Self { registry: Registry::default(), object: None, next: Generation::FIRST }
    }
}
