use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The files of a release folder, by their relative path.
///
/// [`Self::write`] is the only function of this crate that accesses a disk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReleaseFiles(BTreeMap<String, String>);

impl ReleaseFiles {
    pub(crate) fn add(&mut self, path: impl Into<String>, text: String) {
        self.0.insert(path.into(), text);
    }

    /// Returns the paths, with forward slashes, and the contents.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns the content of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Writes the files into a folder, which is created if necessary; other files are kept.
    ///
    /// # Errors
    ///
    /// The file system's error.
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
