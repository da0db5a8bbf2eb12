use std::path::PathBuf;

use crate::SettingsError;
use crate::entry::{Entry, variable};

/// A named configuration file, and the keys of [`PLACES`] that no source sets.
#[derive(Debug, Clone)]
pub(crate) struct LeftOut {
    file: PathBuf,
    keys: Vec<&'static str>,
}

/// The settings whose defaults apply only if no configuration file is named: a configured program must not run on a
/// new, empty database.
const PLACES: [&str; 2] = ["database.url", "store.url"];

impl LeftOut {
    pub fn by(file: Option<&PathBuf>, entries: &[Entry]) -> Option<Self> {
        let is_set = |key: &str| entries.iter().any(|entry| entry.key == key);
        let keys: Vec<_> = PLACES.into_iter().filter(|key| !is_set(key)).collect();
        file.filter(|_| !keys.is_empty()).map(|file| Self { file: file.clone(), keys })
    }

    pub fn expect(&self, key: &str) -> Result<(), SettingsError> {
        let Some(key) = self.keys.iter().find(|left_out| **left_out == key) else { return Ok(()) };
        let section = key.split('.').next().unwrap_or_default();
        let (variable, flag) = (variable(key), format!("--{section}"));
        Err(SettingsError::LeftOut { path: self.file.clone(), key, variable, flag })
    }

    pub fn expect_all(&self) -> Result<(), SettingsError> {
        PLACES.into_iter().try_for_each(|key| self.expect(key))
    }
}
