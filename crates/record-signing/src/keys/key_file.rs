use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use sports_ports::{PortError, Random, random_bytes};
use sports_program::permissions::{Exposed, exposed};
use sports_program::regular_file;
use sports_transparency::{FormError, KeyKind, KeyName, SigningKey};

use super::{SyncedFolder, folder_of};

/// The longest key file that is read: a hundred rotations.
const LIMIT: u64 = 16 << 10;

type Seed = [u8; SigningKey::SEED];

/// The seeds of the keys that sign: the newest one, and earlier ones that still sign beside it.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyFile {
    newest: Seed,
    earlier: Vec<EarlierSeed>,
}

/// A seed that was replaced, and signs beside the new one for a while.
#[derive(Clone, PartialEq, Eq)]
pub struct EarlierSeed {
    seed: Seed,
    /// The instant from which it no longer signs.
    pub until: DateTime<Utc>,
}

/// The reason for which a key file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// Others can access the file.
    #[error("{0}")]
    Exposed(Exposed),
    /// The file exists already.
    #[error("{} exists already, and a key is never overwritten: name another file, or use this key", .0.display())]
    Exists(PathBuf),
    /// The file cannot be read.
    #[error("{} cannot be read; `sportsctl record init` makes a key", .path.display())]
    Unreadable {
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("{} cannot be written", .path.display())]
    Unwritable {
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is no key file.
    #[error(
        "{} is not a key file: expected a line of {} hexadecimal digits, and further lines with `until` after rotations; \
         it has {length} bytes", .path.display(), 2 * SigningKey::SEED
    )]
    Form { path: PathBuf, length: usize },
    /// The machine has no random bytes.
    #[error(transparent)]
    Random(#[from] PortError),
}

impl KeyFile {
    /// Reads a key file.
    ///
    /// # Errors
    ///
    /// [`KeyFileError`] if others can access it, or it has another form.
    pub fn read(path: &Path) -> Result<Self, KeyFileError> {
        let unreadable = |source| KeyFileError::Unreadable { path: path.to_owned(), source };
        if let Some(exposed) = exposed(path) {
            return Err(KeyFileError::Exposed(exposed));
        }
        let bytes = regular_file::read(path, LIMIT).map_err(unreadable)?;
        let parsed = std::str::from_utf8(&bytes).ok().and_then(parsed);
        parsed.ok_or(KeyFileError::Form { path: path.to_owned(), length: bytes.len() })
    }

    /// Makes a key and writes it to a new file that its owner alone can access.
    ///
    /// # Errors
    ///
    /// [`KeyFileError`] if the file exists already, or cannot be written.
    pub fn create(path: &Path, random: &dyn Random) -> Result<Self, KeyFileError> {
        let made = Self { newest: random_bytes(random)?, earlier: Vec::new() };
        let failed = |source: io::Error| match source.kind() {
            ErrorKind::AlreadyExists => KeyFileError::Exists(path.to_owned()),
            _ => KeyFileError::Unwritable { path: path.to_owned(), source },
        };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let write = || {
            let mut file = options.open(path)?;
            file.write_all(made.text().as_bytes())?;
            file.sync_all()?;
            SyncedFolder::of(path)?.sync()
        };
        write().map_err(failed)?;
        Ok(made)
    }

    /// Makes a new key, which takes the place of the newest one, and replaces the file as a whole. The key before signs beside
    /// it until an instant.
    ///
    /// # Errors
    ///
    /// [`KeyFileError`] if the file cannot be written; it is unchanged then, unless its folder alone could not be synced.
    pub fn rotate(&self, path: &Path, until: DateTime<Utc>, random: &dyn Random) -> Result<Self, KeyFileError> {
        let replaced = EarlierSeed { seed: self.newest, until };
        let earlier = [replaced].into_iter().chain(self.earlier.iter().cloned()).collect();
        let rotated = Self { newest: random_bytes(random)?, earlier };
        let write = || {
            let folder = SyncedFolder::of(path)?;
            // A temporary file belongs to its owner alone.
            let mut file = tempfile::Builder::new().prefix(".").tempfile_in(folder_of(path))?;
            file.write_all(rotated.text().as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(path)?;
            // The store names the new key next: after a power failure the old one must not be back.
            folder.sync()
        };
        write().map_err(|source| KeyFileError::Unwritable { path: path.to_owned(), source })?;
        Ok(rotated)
    }

    /// Returns the key of a log with the newest seed.
    ///
    /// # Errors
    ///
    /// [`FormError`] if no key can be made of it.
    pub fn newest(&self, log: KeyName) -> Result<SigningKey, FormError> {
        SigningKey::from_seed(log, KeyKind::Log, &self.newest)
    }

    /// Returns the key of a witness with the newest seed.
    ///
    /// # Errors
    ///
    /// [`FormError`] if no key can be made of it.
    pub fn witness(&self, name: KeyName) -> Result<SigningKey, FormError> {
        SigningKey::from_seed(name, KeyKind::Witness, &self.newest)
    }

    /// Returns the seeds that were replaced, newest first.
    pub fn earlier(&self) -> &[EarlierSeed] {
        &self.earlier
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", hex::encode(self.newest));
        for EarlierSeed { seed, until } in &self.earlier {
            let until = until.to_rfc3339_opts(SecondsFormat::Millis, true);
            text.extend([hex::encode(seed).as_str(), " until ", until.as_str(), "\n"]);
        }
        text
    }
}

impl EarlierSeed {
    /// Returns the key of a log with this seed.
    ///
    /// # Errors
    ///
    /// [`FormError`] if no key can be made of it.
    pub fn key(&self, log: KeyName) -> Result<SigningKey, FormError> {
        SigningKey::from_seed(log, KeyKind::Log, &self.seed)
    }
}

/// Parses a key file, which has one form only; `None` for another one.
fn parsed(text: &str) -> Option<KeyFile> {
    let mut lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let newest = seed(lines.next()?)?;
    let earlier = lines.map(|line| {
        let (digits, until) = line.split_once(" until ")?;
        Some(EarlierSeed { seed: seed(digits)?, until: until.parse().ok()? })
    });
    Some(KeyFile { newest, earlier: earlier.collect::<Option<_>>()? })
}

fn seed(digits: &str) -> Option<Seed> {
    hex::decode(digits).ok()?.try_into().ok()
}

impl fmt::Debug for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyFile(***, {} earlier)", self.earlier.len())
    }
}

impl fmt::Debug for EarlierSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EarlierSeed(*** until {})", self.until)
    }
}
