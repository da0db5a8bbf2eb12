use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;
use sports_accounts_sea_orm::{FILES, LockError, RESTORING, ServerLock, SqliteFile, beside, is_made, make_folder};

use crate::backup::{Backup, Contents, copy_file, copy_store, create_folder, unusable};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Puts a backup's database and store into the places of the settings, once the copies are verified. If a restore of
/// the same backup was interrupted while it moved the copies to their final paths, finishes it.
pub async fn run(places: &Places<'_>, folder: &Path) -> Result<Report, Failure> {
    let target = Target { database: places.database_file()?, store: places.local_store()?.folder().to_owned() };
    let backup = Backup::open(folder)?;
    let contents = if target.is_being_placed(&backup) {
        let _lock = target.lock()?;
        target.finish(&backup).await?
    } else {
        target.expect_empty()?;
        target.restore(&backup).await?
    };
    let made_at = backup.manifest.made_at();
    let mut lines = contents.lines();
    lines.push(format!("restored into {} and {}", target.database.display(), target.store.display()));
    let mut report = Report::new(
        lines,
        json!({
            "database": target.database.display().to_string(),
            "store": target.store.display().to_string(),
            "backup": backup.manifest.json(),
        }),
    );
    report.warnings.push(format!(
        "keys, plans and counts are those of {made_at}: revoke again what was revoked since, such as leaked keys"
    ));
    Ok(report)
}

/// The paths to which a backup is restored.
struct Target {
    database: PathBuf,
    store: PathBuf,
}

/// The files and folders that a restore created, to be removed if it fails.
#[derive(Default)]
struct Made {
    /// Folders that did not exist before, each ahead of its parent.
    folders: Vec<PathBuf>,
    /// Files and folders of the backup in their final places, and the empty file that reserves the path of the
    /// database.
    placed: Vec<PathBuf>,
}

impl Target {
    /// Restores to an empty place; removes everything again if that fails.
    async fn restore(&self, backup: &Backup) -> Result<Contents, Failure> {
        let mut made = Made::default();
        for folder in [self.database.parent().unwrap_or(&self.database), &self.store] {
            made.folders.extend(folder.ancestors().take_while(|folder| !folder.exists()).map(Path::to_owned));
        }
        make_folder(&self.database)?;
        // Before the empty file that reserves the path of the database: a program that finds that file must find this
        // folder, too.
        let is_new = fs::create_dir(self.staging()).is_ok();
        // Held to the end, on an empty file that reserves the path: a server that starts meanwhile would fill it.
        let locked = self.lock().inspect_err(|_| {
            if is_new {
                drop(fs::remove_dir(self.staging()));
            }
        });
        let _lock = locked?;
        made.placed.push(self.database.clone());
        let contents = self.try_to_restore(backup, &mut made).await;
        if contents.is_err() {
            self.undo(&made);
        }
        contents
    }

    async fn try_to_restore(&self, backup: &Backup, made: &mut Made) -> Result<Contents, Failure> {
        let contents = self.stage(backup).await?;
        self.place(made)?;
        self.expect_whole_database().await?;
        self.clear();
        Ok(contents)
    }

    /// Refuses places that are not empty: their content may be all that is left of changes since the backup.
    fn expect_empty(&self) -> Result<(), Failure> {
        if self.database.exists() {
            // Dropped at once: the lock is only for this message.
            drop(ServerLock::take(&self.database).map_err(lock_failure)?);
        }
        self.expect_no_database()?;
        match self.store.read_dir() {
            Ok(names) => {
                let mut names = names.filter_map(|name| name.ok().map(|name| name.file_name()));
                if names.any(|name| name != STAGED) { Err(occupied(&self.store, "is not empty")) } else { Ok(()) }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(occupied(&self.store, "is not a folder")),
            Err(error) => Err(unusable(&self.store, &error)),
        }
    }

    /// Refuses files beside the database: a log, a journal or counts there would be taken for the restored file's.
    fn expect_no_database(&self) -> Result<(), Failure> {
        let is_there = |file: &PathBuf| if *file == self.database { is_made(file) } else { file.exists() };
        let found = FILES.map(|ending| beside(&self.database, ending)).into_iter().find(is_there);
        found.map_or(Ok(()), |file| Err(occupied(&file, "is there already")))
    }

    fn lock(&self) -> Result<ServerLock, Failure> {
        make_folder(&self.database)?;
        ServerLock::take(&self.database).map_err(lock_failure)
    }

    /// Copies the backup, verifies the copies, and writes the marker that they are about to be moved to their final
    /// paths.
    async fn stage(&self, backup: &Backup) -> Result<Contents, Failure> {
        let (database, store) = self.staged();
        create_folder(&self.staging())?;
        self.clear_copies();
        copy_file(&backup.database()?, &database)?;
        copy_store(&backup.store(), &store)?;
        let contents = Self::verified(backup, &database, &store).await?;
        // A server that ran meanwhile has ended, but may have left a database.
        self.expect_no_database()?;
        let marker = self.marker();
        fs::write(&marker, self.marker_of(backup)).map_err(|error| unusable(&marker, &error))?;
        Ok(contents)
    }

    /// Moves the copies to their final paths: the database last.
    fn place(&self, made: &mut Made) -> Result<(), Failure> {
        let (database, store) = self.staged();
        for name in store.read_dir().map_err(|error| unusable(&store, &error))?.flatten() {
            let place = self.store.join(name.file_name());
            rename(&name.path(), &place)?;
            made.placed.push(place);
        }
        fs::remove_dir(&store).map_err(|error| unusable(&store, &error))?;
        rename(&database, &self.database)
    }

    /// Finishes a restore that was interrupted while it moved the copies to their final paths. If that fails, it
    /// removes nothing: the files may have changed since.
    async fn finish(&self, backup: &Backup) -> Result<Contents, Failure> {
        let (database, store) = self.staged();
        if store.exists() {
            for name in store.read_dir().map_err(|error| unusable(&store, &error))?.flatten() {
                rename(&name.path(), &self.store.join(name.file_name()))?;
            }
            fs::remove_dir(&store).map_err(|error| unusable(&store, &error))?;
        }
        if database.exists() {
            let contents = Self::verified(backup, &database, &self.store).await?;
            self.expect_no_database()?;
            rename(&database, &self.database)?;
            self.expect_whole_database().await?;
            self.clear();
            return Ok(contents);
        }
        self.expect_whole_database().await?;
        let contents = Self::verified(backup, &self.database, &self.store).await?;
        self.clear();
        Ok(contents)
    }

    /// Reads a database and a store completely, and compares them with the manifest.
    async fn verified(backup: &Backup, database: &Path, store: &Path) -> Result<Contents, Failure> {
        let contents = Contents::verified(database, store).await?;
        if backup.manifest.names(&contents) {
            return Ok(contents);
        }
        Err(Failure::other("the copy verifies, but differs from the manifest of the backup: it was changed"))
    }

    /// Returns true if a restore of this backup to these places was interrupted while it moved the copies to their
    /// final paths.
    fn is_being_placed(&self, backup: &Backup) -> bool {
        fs::read_to_string(self.marker()).is_ok_and(|marker| marker == self.marker_of(backup))
    }

    /// Checks the database in its final place. Files beside it would be read with it.
    async fn expect_whole_database(&self) -> Result<(), Failure> {
        let database = SqliteFile::open_restored(self.database.clone()).await?;
        let checked = database.check().await;
        database.close().await.and(checked).map_err(Failure::other)
    }

    /// Removes everything that a restore created; the folder that keeps programs from opening the database goes last.
    fn undo(&self, made: &Made) {
        for placed in &made.placed {
            drop(if placed.is_dir() { fs::remove_dir_all(placed) } else { fs::remove_file(placed) });
        }
        self.clear();
        for folder in &made.folders {
            drop(fs::remove_dir(folder));
        }
    }

    /// Removes the copies, and then the folder that keeps programs from opening the database.
    fn clear(&self) {
        self.clear_copies();
        drop(fs::remove_dir(self.staging()));
    }

    fn clear_copies(&self) {
        drop(fs::remove_dir_all(self.staged().1));
        for left in self.staging().read_dir().into_iter().flatten().flatten() {
            drop(if left.path().is_dir() { fs::remove_dir_all(left.path()) } else { fs::remove_file(left.path()) });
        }
    }

    /// Returns the paths of the copies before they are verified.
    fn staged(&self) -> (PathBuf, PathBuf) {
        (self.staging().join("sports.db"), self.store.join(STAGED))
    }

    /// Returns the folder of the copied database, on the disk of the target.
    fn staging(&self) -> PathBuf {
        beside(&self.database, RESTORING)
    }

    /// Returns the path of the marker, which exists once the copies are verified: it has the backup and the target.
    fn marker(&self) -> PathBuf {
        self.staging().join("placing.json")
    }

    fn marker_of(&self, backup: &Backup) -> String {
        json!({ "store": self.store.display().to_string(), "backup": backup.manifest.json() }).to_string()
    }
}

const STAGED: &str = "restoring";

fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::rename(from, to).map_err(|error| unusable(to, &error))
}

fn occupied(path: &Path, why: &str) -> Failure {
    Failure::bad_input(format!(
        "{} {why}, and a restore replaces nothing: move it away, or name another place with --database and --store",
        path.display()
    ))
}

fn lock_failure(error: LockError) -> Failure {
    match error {
        LockError::Taken { database } => {
            let database = database.display();
            Failure::other(format!(
                "a server or another restore is using the database {database}: stop it, or wait for it"
            ))
        }
        error @ LockError::Unusable { .. } => Failure::other(error),
    }
}
