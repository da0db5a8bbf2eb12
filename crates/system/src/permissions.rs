//! Permissions of files: accessible to their owner only.

use std::fmt;
use std::path::{Path, PathBuf};

/// Restricts files that this process creates afterwards to mode 0600, and folders to 0700.
pub fn restrict_new_files() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// A file or folder that users other than its owner may access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exposed {
    path: PathBuf,
    is_folder: bool,
}

/// Returns the file or folder at a path if users other than its owner may access it.
#[cfg(unix)]
#[must_use]
pub fn exposed(path: &Path) -> Option<Exposed> {
    use std::os::unix::fs::PermissionsExt;
    let found = path.metadata().ok()?;
    let is_open = found.permissions().mode() & 0o077 != 0;
    is_open.then(|| Exposed { path: path.to_owned(), is_folder: found.is_dir() })
}

/// Returns `None`: permissions are not known on this system.
#[cfg(not(unix))]
#[must_use]
pub fn exposed(_: &Path) -> Option<Exposed> {
    None
}

/// A folder in which users other than its owner may create, replace and delete files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared(PathBuf);

/// Returns the folder at a path if users other than its owner may write to it.
#[cfg(unix)]
#[must_use]
pub fn shared(folder: &Path) -> Option<Shared> {
    use std::os::unix::fs::PermissionsExt;
    let mode = folder.metadata().ok()?.permissions().mode();
    (mode & 0o022 != 0).then(|| Shared(folder.to_owned()))
}

/// Returns `None`: permissions are not known on this system.
#[cfg(not(unix))]
#[must_use]
pub fn shared(_: &Path) -> Option<Shared> {
    None
}

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.0.display();
        write!(f, "others than its owner may replace files in {path}; to mend that: chmod go-w '{path}'")
    }
}

impl fmt::Display for Exposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        let all_in_it = if self.is_folder { "-R " } else { "" };
        write!(f, "{path} is open to others than its owner; to mend that: chmod {all_in_it}go= '{path}'")
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_open_to_others_is_found_with_the_command_that_closes_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("sports.db");
        fs::write(&file, "secrets").expect("written");
        for (mode, is_exposed) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o620, true)] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).expect("set");
            assert_eq!(exposed(&file).is_some(), is_exposed, "{mode:o}");
        }
        let text = exposed(&file).expect("exposed").to_string();
        assert!(text.ends_with(&format!("chmod go= '{}'", file.display())), "{text}");

        fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).expect("set");
        assert_eq!(exposed(folder.path()), None);
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("set");
        let text = exposed(folder.path()).expect("exposed").to_string();
        assert!(text.ends_with(&format!("chmod -R go= '{}'", folder.path().display())), "{text}");
        assert_eq!(exposed(&folder.path().join("nothing")), None);
    }

    #[test]
    fn a_folder_open_for_writing_is_found_with_the_command_that_closes_it() {
        let folder = tempfile::tempdir().expect("a folder");
        for (mode, is_shared) in [(0o700, false), (0o755, false), (0o770, true), (0o702, true), (0o1777, true)] {
            fs::set_permissions(folder.path(), Permissions::from_mode(mode)).expect("set");
            assert_eq!(shared(folder.path()).is_some(), is_shared, "{mode:o}");
        }
        let text = shared(folder.path()).expect("shared").to_string();
        assert!(text.ends_with(&format!("chmod go-w '{}'", folder.path().display())), "{text}");
        assert_eq!(shared(&folder.path().join("nothing")), None);
    }
}
