//! Permissions of files: accessible to their owner only.

use std::error::Error;
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
pub fn exposed(path: &Path) -> Option<Exposed> {
    use std::os::unix::fs::PermissionsExt;
    let found = path.metadata().ok()?;
    let is_open = found.permissions().mode() & 0o077 != 0;
    is_open.then(|| Exposed { path: path.to_owned(), is_folder: found.is_dir() })
}

/// Returns `None`: permissions are not known on this system.
#[cfg(not(unix))]
pub fn exposed(_: &Path) -> Option<Exposed> {
    None
}

/// A folder in which users other than its owner may create, replace and delete files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared(PathBuf);

/// Returns the folder at a path if users other than its owner may write to it.
#[cfg(unix)]
pub fn shared(folder: &Path) -> Option<Shared> {
    use std::os::unix::fs::PermissionsExt;
    let mode = folder.metadata().ok()?.permissions().mode();
    (mode & 0o022 != 0).then(|| Shared(folder.to_owned()))
}

/// Returns `None`: permissions are not known on this system.
#[cfg(not(unix))]
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

/// A file or folder of another user than the one that this process runs as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherOwner {
    path: PathBuf,
    owner: u32,
    user: u32,
}

/// Checks that a file or folder that is there belongs to the user of this process: that user alone can read what the process
/// writes beside it.
///
/// # Errors
///
/// [`OtherOwner`], for root as for others.
#[cfg(unix)]
pub fn expect_own(path: &Path) -> Result<(), OtherOwner> {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    let owner = path.metadata().map_or(user, |found| found.uid());
    if owner == user { Ok(()) } else { Err(OtherOwner { path: path.to_owned(), owner, user }) }
}

/// Checks a path before something is created at it: what is there, like [`expect_own`]; and where nothing is, that root does not
/// create it in a folder of another user. Other users cannot give away what they create, and a folder of root's, such as /srv, may
/// be open to them.
///
/// # Errors
///
/// [`OtherOwner`], of the path or of the nearest folder above it that is there.
#[cfg(unix)]
pub fn expect_own_place(path: &Path) -> Result<(), OtherOwner> {
    if path.exists() || !rustix::process::geteuid().is_root() {
        return expect_own(path);
    }
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    whole.ancestors().find(|above| above.exists()).map_or(Ok(()), expect_own)
}

/// Returns `Ok`: owners are not known on this system.
///
/// # Errors
///
/// None.
#[cfg(not(unix))]
pub fn expect_own_place(_: &Path) -> Result<(), OtherOwner> {
    Ok(())
}

/// Returns `Ok`: owners are not known on this system.
///
/// # Errors
///
/// None.
#[cfg(not(unix))]
pub fn expect_own(_: &Path) -> Result<(), OtherOwner> {
    Ok(())
}

impl Error for OtherOwner {}

impl fmt::Display for OtherOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The form in which sudo takes a number.
        let named = |id: u32| user_name(id).unwrap_or_else(|| format!("'#{id}'"));
        let (path, owner, user) = (self.path.display(), named(self.owner), named(self.user));
        let program = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
        let program = program.file_name().unwrap_or_default().display();
        write!(
            f,
            "{path} belongs to {owner} and this program runs as {user}, so {owner} could not read what it writes; run it as \
             the owner: sudo -u {owner} {program} …"
        )
    }
}

/// Returns the name of a user of this machine; `None` for one of a directory service.
fn user_name(id: u32) -> Option<String> {
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let mut users = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    users.find(|user| user.get(2).and_then(|of| of.parse().ok()) == Some(id)).map(|user| user[0].to_owned())
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

    #[test]
    fn root_alone_may_not_create_anything_in_the_folder_of_another_user() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("a/b/sports.db");
        expect_own_place(&inner).expect("a folder of this user");
        expect_own_place(Path::new("/nothing/sports.db")).expect("a folder of root's");
        if std::os::unix::fs::chown(folder.path(), Some(65534), None).is_err() {
            return eprintln!("skipped: only root can give files to another user");
        }
        let refused = expect_own_place(&inner).expect_err("nobody's folder");
        assert_eq!((refused.path.as_path(), refused.owner, refused.user), (folder.path(), 65534, 0));
        fs::create_dir(folder.path().join("a")).expect("made");
        expect_own_place(&inner).expect("a folder of root's in nobody's");
    }
}
