#![doc = include_str!("../README.md")]

use std::fmt;
use std::path::{Path, PathBuf};

/// Files that this process makes from now on have mode 0600 at most, and folders 0700.
pub fn from_now_on() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// A file or folder that others than its owner may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exposed {
    path: PathBuf,
    is_folder: bool,
}

/// Whether others than its owner may use what is at a path, where something is.
#[cfg(unix)]
#[must_use]
pub fn exposed(path: &Path) -> Option<Exposed> {
    use std::os::unix::fs::PermissionsExt;
    let found = path.metadata().ok()?;
    let is_open = found.permissions().mode() & 0o077 != 0;
    is_open.then(|| Exposed { path: path.to_owned(), is_folder: found.is_dir() })
}

/// Whether others than its owner may use what is at a path: not known here.
#[cfg(not(unix))]
#[must_use]
pub fn exposed(_: &Path) -> Option<Exposed> {
    None
}

/// A folder in which others than its owner may make, replace and delete files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared(PathBuf);

/// Whether others than its owner may write to a folder, where there is one.
#[cfg(unix)]
#[must_use]
pub fn shared(folder: &Path) -> Option<Shared> {
    use std::os::unix::fs::PermissionsExt;
    let mode = folder.metadata().ok()?.permissions().mode();
    (mode & 0o022 != 0).then(|| Shared(folder.to_owned()))
}

/// Whether others than its owner may write to a folder: not known here.
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
    fn files_open_to_others_are_found_with_the_command_that_mends_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("sports.db");
        fs::write(&file, "secrets").expect("written");
        for (mode, is_exposed) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o620, true)] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).expect("set");
            assert_eq!(exposed(&file).is_some(), is_exposed, "{mode:o}");
        }
        let said = exposed(&file).expect("exposed").to_string();
        assert!(said.ends_with(&format!("chmod go= '{}'", file.display())), "{said}");

        fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).expect("set");
        assert_eq!(exposed(folder.path()), None);
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("set");
        let said = exposed(folder.path()).expect("exposed").to_string();
        assert!(said.ends_with(&format!("chmod -R go= '{}'", folder.path().display())), "{said}");
        assert_eq!(exposed(&folder.path().join("nothing")), None);
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_found_with_the_command_that_mends_it() {
        let folder = tempfile::tempdir().expect("a folder");
        for (mode, is_shared) in [(0o700, false), (0o755, false), (0o770, true), (0o702, true), (0o1777, true)] {
            fs::set_permissions(folder.path(), Permissions::from_mode(mode)).expect("set");
            assert_eq!(shared(folder.path()).is_some(), is_shared, "{mode:o}");
        }
        let said = shared(folder.path()).expect("shared").to_string();
        assert!(said.ends_with(&format!("chmod go-w '{}'", folder.path().display())), "{said}");
        assert_eq!(shared(&folder.path().join("nothing")), None);
    }
}
