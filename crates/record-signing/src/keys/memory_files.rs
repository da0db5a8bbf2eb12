use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::signing::{SigningMemories, SigningMemory, TreeLoss};
use sports_program::regular_file;
use sports_transparency::{Checkpoint, KeyName};

use super::SyncedFolder;

const PORT: &str = "the memory of signatures beside the key file";

/// The file whose lock is that of whoever signs.
const LOCK: &str = "lock";

/// The longest file that is read.
const LIMIT: u64 = 1 << 20;

/// The memory of a machine, in the folder `KEY_FILE.signed` beside a key file: a file for each log.
#[derive(Debug, Clone)]
pub struct MemoryFiles {
    folder: PathBuf,
}

impl MemoryFiles {
    /// Names the memory beside a key file. Nothing is read or written.
    pub fn beside(key_file: &Path) -> Self {
        let mut folder = OsString::from(key_file);
        folder.push(".signed");
        Self { folder: folder.into() }
    }

    /// Records that the key of these logs was made on this machine. A copy of the key on another machine has no memory.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the memory cannot be written.
    pub fn begin(&self, logs: impl IntoIterator<Item = KeyName>) -> Result<(), PortError> {
        logs.into_iter().try_for_each(|log| self.remember(&log, &SigningMemory::default()))
    }

    /// Returns the file of a log. Origins contain symbols that are invalid in file names, and a league may have several.
    fn file(&self, log: &KeyName) -> PathBuf {
        let league = log.as_str().rsplit('/').next().unwrap_or_default();
        let league: String = league.chars().filter(char::is_ascii_alphanumeric).collect();
        let hash = ObjectHash::from_bytes(log.as_str().as_bytes()).to_string();
        self.folder.join(format!("{league}-{}", &hash[..16]))
    }

    /// Returns the log of a file of the folder; `None` for a file that no log has.
    fn log_of(&self, name: &OsStr) -> Result<Option<KeyName>, PortError> {
        let parts = name.to_str().and_then(|name| name.rsplit_once('-'));
        if parts.is_none_or(|(_, hash)| hash.len() != 16 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            return Ok(None);
        }
        let path = self.folder.join(name);
        let bytes = regular_file::read(&path, LIMIT).map_err(|error| PortError::unavailable(PORT, error))?;
        let first = str::from_utf8(&bytes).ok().and_then(|text| text.split_once('\n')).map_or("", |(first, _)| first);
        let log = first.strip_prefix("log ").and_then(|log| log.parse().ok());
        log.map(Some).ok_or_else(|| unreadable(&path))
    }

    fn written(&self, log: &KeyName, memory: &SigningMemory) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::Builder::new().prefix(".").tempfile_in(&self.folder)?;
        file.write_all(text(log, memory).as_bytes())?;
        file.as_file().sync_all()?;
        let path = self.file(log);
        file.persist(&path)?;
        SyncedFolder::of(&path)?.sync()
    }
}

fn unreadable(path: &Path) -> PortError {
    let reason =
        format!("{} is not one; remove it, and restore no older copy (docs/record-recovery.md)", path.display());
    PortError::corrupt(PORT, reason)
}

fn text(log: &KeyName, memory: &SigningMemory) -> String {
    let mut lines = vec![format!("log {log}")];
    lines.extend(memory.signed.as_ref().map(|signed| format!("signed {} {}", signed.size, signed.root)));
    lines.extend(memory.witnessed.iter().map(|(id, size)| format!("witness {id} {size}")));
    lines.extend(memory.timestamped.iter().map(|address| format!("timestamp {address}")));
    lines.extend(memory.after.map(|TreeLoss { checkpoint, size }| format!("after {checkpoint} {size}")));
    lines.extend(memory.stopped.as_ref().map(|reason| format!("stopped {}", reason.replace('\n', " "))));
    lines.join("\n") + "\n"
}

/// Parses the memory of a log; `None` for malformed text.
fn parsed(log: &KeyName, text: &str) -> Option<SigningMemory> {
    let mut lines = text.strip_suffix('\n')?.split('\n');
    if lines.next()?.strip_prefix("log ")? != log.as_str() {
        return None;
    }
    let mut memory = SigningMemory::default();
    for line in lines {
        match line.split_once(' ')? {
            ("signed", signed) => {
                let (size, root) = signed.split_once(' ')?;
                let origin = log.clone();
                let signed = Checkpoint { origin, size: size.parse().ok()?, root: root.parse().ok()? };
                memory.signed = Some(signed);
            }
            ("witness", witness) => {
                let (id, size) = witness.split_once(' ')?;
                memory.witnessed.insert(id.parse().ok()?, size.parse().ok()?);
            }
            ("timestamp", address) => drop(memory.timestamped.insert(address.to_owned())),
            ("after", loss) => {
                let (checkpoint, size) = loss.split_once(' ')?;
                memory.after = Some(TreeLoss { checkpoint: checkpoint.parse().ok()?, size: size.parse().ok()? });
            }
            ("stopped", reason) => memory.stopped = Some(reason.to_owned()),
            _ => return None,
        }
    }
    Some(memory)
}

impl SigningMemories for MemoryFiles {
    fn try_lock(&self) -> Result<Option<Box<dyn Send>>, PortError> {
        let lock = || {
            fs::create_dir_all(&self.folder)?;
            let file = File::options().create(true).truncate(false).write(true).open(self.folder.join(LOCK))?;
            match file.try_lock() {
                Ok(()) => Ok(Some(Box::new(file) as Box<dyn Send>)),
                Err(TryLockError::WouldBlock) => Ok(None),
                Err(TryLockError::Error(error)) => Err(error),
            }
        };
        lock().map_err(|error: io::Error| PortError::unavailable(PORT, error))
    }

    fn recall(&self, log: &KeyName) -> Result<Option<SigningMemory>, PortError> {
        let path = self.file(log);
        let bytes = match regular_file::read(&path, LIMIT) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(PortError::unavailable(PORT, error)),
        };
        let memory = std::str::from_utf8(&bytes).ok().and_then(|text| parsed(log, text));
        memory.map(Some).ok_or_else(|| unreadable(&path))
    }

    fn logs(&self) -> Result<Vec<KeyName>, PortError> {
        let files = match fs::read_dir(&self.folder) {
            Ok(files) => files,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(PortError::unavailable(PORT, error)),
        };
        let mut logs = Vec::new();
        for file in files {
            let file = file.map_err(|error| PortError::unavailable(PORT, error))?;
            logs.extend(self.log_of(&file.file_name())?);
        }
        Ok(logs)
    }

    fn remember(&self, log: &KeyName, memory: &SigningMemory) -> Result<(), PortError> {
        self.written(log, memory).map_err(|error| PortError::unavailable(PORT, error))
    }
}
