use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The files of a release folder, by their path in it.
///
/// The only part of this crate that writes to a disk, and only when it is called for that.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReleaseFiles(BTreeMap<String, String>);

impl ReleaseFiles {
    pub(crate) fn add(&mut self, path: impl Into<String>, text: String) {
        self.0.insert(path.into(), text);
    }

    /// Paths with forward slashes, and what the files hold.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// What a file holds.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Writes the files into a folder, which is made if it is not there; other files stay.
    ///
    /// # Errors
    ///
    /// Whatever the file system says.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        for (path, text) in self.iter() {
            let file = folder.join(path);
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(file, text)?;
        }
        Ok(())
    }
}
