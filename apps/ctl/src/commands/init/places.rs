//! Where the files of deploy/ have their places, and where those of a folder are.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The places of a folder, of the programs, and of the user whose they are.
pub struct Places {
    pub folder: PathBuf,
    /// The folder of `sportsctl` and `sports-api`.
    programs: PathBuf,
    /// The user and the group, by number.
    owner: Option<(u32, u32)>,
}

impl Places {
    /// Finds the programs and the owner.
    pub fn of(folder: PathBuf) -> Result<Self, Failure> {
        let program = env::current_exe().and_then(|program| program.canonicalize()).map_err(Failure::other)?;
        let programs = program.parent().unwrap_or(Path::new("/")).to_owned();
        expect_plain(&programs)?;
        Ok(Self { owner: owner(&folder), programs, folder })
    }

    /// Puts the places of this folder into a file of deploy/.
    pub fn put_into(&self, text: &str) -> String {
        let (folder, programs) = (self.folder.display(), self.programs.display());
        let mut text = text.to_owned();
        for (there, here) in [
            ("/usr/local/bin", programs.to_string()),
            ("/etc/sports/", format!("{folder}/")),
            ("/var/lib/sports-inbox", format!("{folder}/inbox")),
            ("/var/lib/sports-backups", format!("{folder}/backups")),
            ("/var/lib/sports-record", format!("{folder}/record")),
            ("/var/lib/sports", folder.to_string()),
            ("%S/sports-backups", format!("{folder}/backups")),
            ("%S/sports-record", format!("{folder}/record")),
            ("%S/sports", folder.to_string()),
            ("$HOME/", format!("{folder}/")),
        ] {
            text = text.replace(there, &here);
        }
        text
    }

    /// Returns the lines of a unit for this folder: its user, and what of the disk it writes.
    pub fn unit(&self, text: &str) -> String {
        // Home folders are closed to the units of deploy/, whose places are elsewhere.
        let is_at_home = |path: &Path| path.starts_with("/home") || path.starts_with("/root");
        let at_home = is_at_home(&self.folder) || is_at_home(&self.programs);
        let folder = self.folder.display();
        let lines = text.lines().filter_map(|line| match line.split_once('=') {
            Some(("User", _)) => self.owner.map(|(user, _)| format!("User={user}")),
            Some(("Group", _)) => self.owner.map(|(_, group)| format!("Group={group}")),
            Some(("StateDirectory", "sports")) => Some(format!("ReadWritePaths={folder}")),
            Some(("StateDirectory", name)) => {
                Some(format!("ReadWritePaths=%S/{name}").replace("%S/sports-inbox", "/var/lib/sports-inbox"))
            }
            Some(("StateDirectoryMode", _)) => None,
            Some(("ProtectHome", _)) if at_home => Some("ProtectHome=read-only".to_owned()),
            _ => Some(line.to_owned()),
        });
        self.put_into(&(lines.collect::<Vec<_>>().join("\n") + "\n"))
    }

    /// Returns a warning about an owner that may do everything.
    pub fn warning(&self) -> Option<String> {
        (self.owner.is_some_and(|(user, _)| user == 0))
            .then(|| format!("{} is root's, and so is what runs: make it as a user of its own", self.folder.display()))
    }
}

/// Refuses a path with characters that mean something in settings, units or crontabs.
pub fn expect_plain(path: &Path) -> Result<(), Failure> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+@".contains(&byte);
    if path.to_str().is_some_and(|text| text.bytes().all(is_plain)) {
        return Ok(());
    }
    Err(Failure::bad_input(format!(
        "{}: a unit cannot name this path: take one of letters, digits and the characters . _ - + @",
        path.display()
    )))
}

#[cfg(unix)]
fn owner(folder: &Path) -> Option<(u32, u32)> {
    use std::os::unix::fs::MetadataExt;
    folder.metadata().ok().map(|found| (found.uid(), found.gid()))
}

/// Returns `None`: this system has no units.
#[cfg(not(unix))]
fn owner(_: &Path) -> Option<(u32, u32)> {
    None
}
