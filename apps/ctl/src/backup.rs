//! A database and a store as one folder, for `backup` and `restore`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_accounts_sea_orm::{AccountsDatabase, SqliteFile};
use sports_domain::Sport;
use sports_domain::content::{ObjectHash, ObjectHasher};
use sports_ports::accounts::Customers;
use sports_store::{ArtifactStore, JsonSlates, LocalStore};
use sports_tables::archive::ParquetArchives;
use sports_usecases::datasets::verify_datasets;
use sports_usecases::record::{Archives, Slates, TreeReader};
use sports_usecases::verify::{Verified, verify, verify_record_files};
use tempfile::TempDir;

use crate::failure::Failure;
use crate::report;

/// The contents of a database and a store, completely read and verified.
#[derive(Debug)]
pub struct Contents {
    customers: usize,
    datasets: usize,
    leagues: Vec<(Sport, Verified)>,
    /// The hash of the paths and hashes of everything that is signed. A checkpoint that is missing is no fault of a record, but one of
    /// a copy.
    signed: ObjectHash,
}

impl Contents {
    /// Reads all of a database and a store: the tables, each league's record, the files on sale. The database is read
    /// in a copy that is brought up to date, so an older form is accepted and not changed.
    pub async fn verified(database: &Path, store: &Path) -> Result<Self, Failure> {
        let unusable = |error| unusable(database, &error);
        let folder = TempDir::new_in(database.parent().unwrap_or(database)).map_err(unusable)?;
        let copy = folder.path().join("sports.db");
        copy_file(database, &copy)?;
        let copy = SqliteFile::in_file(copy).await?;
        let contents = Self::read(&copy, store, fingerprint_of_signed(store)?).await;
        copy.close().await.map_err(Failure::other)?;
        contents
    }

    async fn read(file: &SqliteFile, store: &Path, signed: ObjectHash) -> Result<Self, Failure> {
        file.check().await.map_err(Failure::other)?;
        let database = AccountsDatabase::from(file.clone());
        let customers = database.list().await.map_err(Failure::other)?.len();
        let store = ArtifactStore::open_existing(&format!("file:{}", store.display())).map_err(Failure::other)?;
        let datasets = count_datasets(&database, &store).await?;
        let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
        let slates = Slates::new(Arc::new(store.clone()), Arc::new(JsonSlates));
        let trees = TreeReader::new(Arc::new(store.clone()), slates.clone(), Arc::new(store.clone()));
        let mut leagues = Vec::new();
        for sport in Sport::ALL {
            let failed = |error| Failure::other(format!("{sport}: {error}"));
            let verified = verify(&store, &archives, &slates, sport).await.map_err(failed)?;
            verify_record_files(&trees, sport, &verified.trees, &[]).await.map_err(failed)?;
            leagues.push((sport, verified));
        }
        Ok(Self { customers, datasets, leagues, signed })
    }

    /// Returns the contents as text lines.
    pub fn lines(&self) -> Vec<String> {
        let accounts = format!("{} customers and {} datasets verified", self.customers, self.datasets);
        let leagues = self.leagues.iter().map(|(sport, verified)| match verified.head {
            Some(head) => {
                format!(
                    "{sport}: {} log entries and {} objects verified; head {head}",
                    verified.entries, verified.objects
                )
            }
            None => format!("{sport}: nothing published"),
        });
        [accounts].into_iter().chain(leagues).collect()
    }

    /// Returns the contents as JSON, for programs and for the manifest.
    pub fn json(&self) -> Value {
        let leagues = self.leagues.iter().map(|(sport, verified)| {
            json!({
                "sport": sport.code(),
                "entries": verified.entries,
                "objects": verified.objects,
                "head": verified.head.map(|head| head.to_string()),
            })
        });
        json!({
            "customers": self.customers,
            "datasets": self.datasets,
            "record": leagues.collect::<Vec<_>>(),
            "signed_sha256": self.signed.to_string(),
        })
    }
}

fn fingerprint_of_signed(store: &Path) -> Result<ObjectHash, Failure> {
    let mut files = LocalStore::in_folder(store.to_owned()).signed_files().map_err(|error| unusable(store, &error))?;
    files.sort_unstable();
    let mut hasher = ObjectHasher::default();
    for file in files {
        hasher.update(format!("{} {}\n", file.display(), fingerprint(&store.join(&file))?).as_bytes());
    }
    Ok(hasher.finish())
}

async fn count_datasets(database: &AccountsDatabase, store: &ArtifactStore) -> Result<usize, Failure> {
    let datasets = verify_datasets(database, store).await.map_err(Failure::other)?;
    for (dataset, found) in &datasets {
        found.map_err(|fault| {
            let (name, object) = (&dataset.file_name, dataset.object);
            Failure::other(format!("{name} of {} for {}: the object {object} {fault}", dataset.product, dataset.sport))
        })?;
    }
    Ok(datasets.len())
}

/// Copies a store into a folder: first what is signed, then the log, then the objects. So each signed tree is one of an entry,
/// and the objects of each entry are found, even if a release is published meanwhile. Tiles are left behind: they follow from
/// the leaves.
pub fn copy_store(from: &LocalStore, to: &Path) -> Result<(), Failure> {
    create_folder(to)?;
    let copy = |files: io::Result<Vec<_>>| {
        let files = files.map_err(|error| unusable(from.folder(), &error))?;
        files.iter().try_for_each(|file| {
            let target = to.join(file);
            create_folder(target.parent().unwrap_or(to))?;
            copy_file(&from.folder().join(file), &target)
        })
    };
    copy(from.signed_files())?;
    copy(from.log_files())?;
    copy(from.object_files())
}

/// Copies one file to a path without a file, and flushes the copy to the disk.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), Failure> {
    let mut source = sports_program::regular_file::open(from).map_err(|error| unusable(from, &error))?;
    let mut target = create_file(to)?;
    let copied = io::copy(&mut source, &mut target).and_then(|_| target.sync_all());
    copied.map_err(|error| unusable(to, &error))
}

/// Creates a file at a path without a file.
pub fn create_file(file: &Path) -> Result<File, Failure> {
    File::create_new(file).map_err(|error| unusable(file, &error))
}

/// Creates a folder and its missing parents.
pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))
}

/// Creates a folder that must not exist yet.
fn create_new_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir(folder).map_err(|error| unusable(folder, &error))
}

/// Returns the SHA-256 of a file.
pub fn fingerprint(file: &Path) -> Result<ObjectHash, Failure> {
    let hash = || -> io::Result<ObjectHash> {
        let mut source = sports_program::regular_file::open(file)?;
        let (mut hasher, mut piece) = (ObjectHasher::default(), vec![0; 1 << 20]);
        loop {
            match source.read(&mut piece)? {
                0 => return Ok(hasher.finish()),
                read => hasher.update(&piece[..read]),
            }
        }
    };
    hash().map_err(|error| unusable(file, &error))
}

/// Returns the failure of a file or folder that the system does not make available.
pub fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::other(format!("{} cannot be used: {error}", path.display()))
}

const DATABASE: &str = "sports.db";

const STORE: &str = "store";

/// A finished backup.
#[derive(Debug)]
pub struct Backup {
    folder: PathBuf,
    /// The manifest of the backup.
    pub manifest: Manifest,
}

impl Backup {
    /// Opens a backup. A folder without a manifest is not a backup, or an unfinished one.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        Ok(Self { folder: folder.to_owned(), manifest: Manifest::read(folder)? })
    }

    /// Returns the backup's database file, after a comparison of its hash with the manifest.
    pub fn database(&self) -> Result<PathBuf, Failure> {
        let file = self.folder.join(DATABASE);
        if self.manifest.names_database(fingerprint(&file)?) {
            return Ok(file);
        }
        Err(Failure::other(format!("{} is not the file that was backed up: it was changed or damaged", file.display())))
    }

    /// Returns the backup's store.
    pub fn store(&self) -> LocalStore {
        LocalStore::in_folder(self.folder.join(STORE))
    }
}

/// A backup in progress, in a subfolder of its target. Dropping it removes its files.
#[derive(Debug)]
pub struct Unfinished {
    folder: PathBuf,
    inside: PathBuf,
    /// True if the target existed before.
    existed: bool,
    finished: bool,
}

impl Unfinished {
    const NAME: &'static str = "unfinished";

    /// Begins a backup in a folder that does not exist or is empty.
    pub fn begin(folder: &Path) -> Result<Self, Failure> {
        let existed = match folder.read_dir() {
            Ok(mut names) => match names.next() {
                None => true,
                Some(_) if folder.join(Self::NAME).exists() => return Err(refused(folder, UNFINISHED)),
                Some(_) => return Err(refused(folder, "is not empty")),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(refused(folder, "is a file")),
            Err(error) => return Err(unusable(folder, &error)),
        };
        let inside = folder.join(Self::NAME);
        create_folder(folder)?;
        // If two begin at once, only one of them creates the folder.
        create_new_folder(&inside)
            .map_err(|error| if inside.exists() { refused(folder, UNFINISHED) } else { error })?;
        Ok(Self { folder: folder.to_owned(), inside, existed, finished: false })
    }

    /// Returns the path for the copy of the database.
    pub fn database(&self) -> PathBuf {
        self.inside.join(DATABASE)
    }

    /// Returns the path for the copy of the store.
    pub fn store(&self) -> PathBuf {
        self.inside.join(STORE)
    }

    /// Moves the copies to their final paths, the manifest last: it marks the backup as finished.
    pub fn finish(mut self, manifest: &Manifest) -> Result<(), Failure> {
        manifest.write(&self.inside)?;
        for name in [DATABASE, STORE, Manifest::NAME] {
            fs::rename(self.inside.join(name), self.folder.join(name))
                .map_err(|error| unusable(&self.folder, &error))?;
        }
        self.finished = true;
        fs::remove_dir(&self.inside).map_err(|error| unusable(&self.inside, &error))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        for name in [DATABASE, STORE] {
            let moved = self.folder.join(name);
            drop(fs::remove_dir_all(&moved).or_else(|_| fs::remove_file(&moved)));
        }
        drop(fs::remove_dir_all(&self.inside));
        if !self.existed {
            drop(fs::remove_dir(&self.folder));
        }
    }
}

const UNFINISHED: &str = "holds a backup that is being made, or was interrupted: unless one is running, remove it";

fn refused(folder: &Path, why: &str) -> Failure {
    Failure::bad_input(format!("{} {why}; a backup goes into a folder that is new or empty", folder.display()))
}

/// The manifest of a finished backup: the last file that is written.
#[derive(Debug)]
pub struct Manifest {
    made_at: String,
    database: String,
    contents: Value,
}

impl Manifest {
    /// The manifest's file in a backup.
    pub const NAME: &'static str = "backup.json";

    /// The format of backups that this program makes and reads.
    const FORMAT: u64 = 1;

    /// Creates the manifest of a backup with this database file and these contents.
    pub fn from_contents(made_at: DateTime<Utc>, database: ObjectHash, contents: &Contents) -> Self {
        Self { made_at: report::written_instant(made_at), database: database.to_string(), contents: contents.json() }
    }

    /// Reads the manifest of a backup.
    pub fn read(backup: &Path) -> Result<Self, Failure> {
        let file = backup.join(Self::NAME);
        let text = sports_program::regular_file::read(&file, 1 << 20).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Failure::bad_input(format!(
                "{} is not a finished backup: it has no {}; `sportsctl backup` makes one",
                backup.display(),
                Self::NAME
            )),
            _ => unusable(&file, &error),
        })?;
        let manifest: Value = serde_json::from_slice(&text).unwrap_or_default();
        if manifest["format"].as_u64().is_some_and(|format| format > Self::FORMAT) {
            return Err(Failure::bad_input(format!(
                "{} was made by a newer version: restore it with that version",
                file.display()
            )));
        }
        let text = |name: &str| manifest[name].as_str().map(str::to_owned);
        match (manifest["format"].as_u64(), text("made_at"), text("database_sha256")) {
            (Some(Self::FORMAT), Some(made_at), Some(database)) => {
                Ok(Self { made_at, database, contents: manifest["contents"].clone() })
            }
            _ => Err(Failure::other(format!("{} cannot be read: it is damaged", file.display()))),
        }
    }

    /// Writes the manifest into the folder of a backup.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let file = folder.join(Self::NAME);
        let mut target = create_file(&file)?;
        let written = io::Write::write_all(&mut target, format!("{:#}\n", self.json()).as_bytes());
        written.and_then(|()| target.sync_all()).map_err(|error| unusable(&file, &error))
    }

    /// Returns the manifest as JSON.
    pub fn json(&self) -> Value {
        json!({
            "format": Self::FORMAT,
            "made_at": self.made_at,
            "database_sha256": self.database,
            "contents": self.contents,
        })
    }

    /// Returns whether the database file is the one that was backed up.
    pub fn names_database(&self, database: ObjectHash) -> bool {
        self.database == database.to_string()
    }

    /// Returns whether the heads of the records, and what is signed, are those that were backed up. A record that was cut short
    /// verifies, too, but has another head. Backups before version 0.5 do not name what is signed.
    pub fn names(&self, contents: &Contents) -> bool {
        const SIGNED: &str = "signed_sha256";
        let (backed_up, found) = (&self.contents, contents.json());
        heads(backed_up) == heads(&found) && (backed_up[SIGNED].is_null() || backed_up[SIGNED] == found[SIGNED])
    }

    /// Returns the time at which the backup was made.
    pub fn made_at(&self) -> &str {
        &self.made_at
    }
}

/// Returns the newest hash of each league's log.
fn heads(contents: &Value) -> Vec<[&Value; 2]> {
    let leagues = contents["record"].as_array().into_iter().flatten();
    leagues.map(|league| [&league["sport"], &league["head"]]).collect()
}
