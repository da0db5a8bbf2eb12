use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;
use sports_accounts_sea_orm::{FILES, LockError, RESTORING, ServerLock, SqliteFile, beside, is_made, make_folder};

use crate::backup::{Backup, Contents, copy_file, copy_store, create_folder, unusable};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Puts a backup's database and store where the settings say, once the copies are verified. Finishes a restore of the same
/// backup that was interrupted while it put the copies into place.
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
    report.warnings.extend(contents.warnings());
    report.warnings.push(format!(
        "keys, plans and counts are those of {made_at}: revoke again what was revoked since, such as leaked keys"
    ));
    Ok(report)
}

/// Where a backup is restored to.
struct Target {
    database: PathBuf,
    store: PathBuf,
}

/// The files and folders that a restore made, to be removed should it fail.
#[derive(Default)]
struct Made {
    /// Folders that were not there, each before the one that holds it.
    folders: Vec<PathBuf>,
    /// Files and folders of the backup in their final places, and the empty file that keeps the place of the database.
    placed: Vec<PathBuf>,
}

impl Target {
    /// Restores to an empty place; leaves nothing there if that fails.
    async fn restore(&self, backup: &Backup) -> Result<Contents, Failure> {
        let mut made = Made::default();
        for folder in [self.database.parent().unwrap_or(&self.database), &self.store] {
            made.folders.extend(folder.ancestors().take_while(|folder| !folder.exists()).map(Path::to_owned));
        }
        make_folder(&self.database)?;
        // Before the empty file that keeps the place of the database: programs that find that file find this, too.
        let is_ours = fs::create_dir(self.staging()).is_ok();
        // Held to the end, on an empty file that keeps the place: a server that starts meanwhile would fill it.
        let locked = self.lock().inspect_err(|_| {
            if is_ours {
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

    /// A restore replaces nothing: what is there may be all that is left of what happened since the backup.
    fn expect_empty(&self) -> Result<(), Failure> {
        if self.database.exists() {
            // Dropped at once: it is for this message.
            drop(ServerLock::take(&self.database).map_err(in_the_way)?);
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

    /// A log, a journal or counts beside the restored file would be taken for its own.
    fn expect_no_database(&self) -> Result<(), Failure> {
        let is_there = |file: &PathBuf| if *file == self.database { is_made(file) } else { file.exists() };
        let found = FILES.map(|ending| beside(&self.database, ending)).into_iter().find(is_there);
        found.map_or(Ok(()), |file| Err(occupied(&file, "is there already")))
    }

    fn lock(&self) -> Result<ServerLock, Failure> {
        make_folder(&self.database)?;
        ServerLock::take(&self.database).map_err(in_the_way)
    }

    /// Copies the backup, verifies the copies, and notes that they are about to be put into place.
    async fn stage(&self, backup: &Backup) -> Result<Contents, Failure> {
        let (database, store) = self.staged();
        create_folder(&self.staging())?;
        self.clear_copies();
        copy_file(&backup.database()?, &database)?;
        copy_store(&backup.store(), &store)?;
        let contents = Self::verified(backup, &database, &store).await?;
        // A server that was started meanwhile has gone, but may have left one.
        self.expect_no_database()?;
        let note = self.note();
        fs::write(&note, self.note_of(backup)).map_err(|error| unusable(&note, &error))?;
        Ok(contents)
    }

    /// Gives the copies their names: the database last.
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

    /// Finishes a restore that was interrupted while it gave the copies their names. Removes nothing if that fails: what is
    /// there may have changed since.
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

    /// Reads a database and a store to the end, and compares them with the manifest.
    async fn verified(backup: &Backup, database: &Path, store: &Path) -> Result<Contents, Failure> {
        let contents = Contents::verified(database, store).await?;
        if backup.manifest.names_heads_of(&contents) {
            return Ok(contents);
        }
        Err(Failure::other(
            "the copy holds together, but it is not what the manifest of the backup says: it was changed",
        ))
    }

    /// Returns true if a restore of this backup to these places was interrupted while it gave the copies their names.
    fn is_being_placed(&self, backup: &Backup) -> bool {
        fs::read_to_string(self.note()).is_ok_and(|note| note == self.note_of(backup))
    }

    /// What is beside the file in its place would be read with it.
    async fn expect_whole_database(&self) -> Result<(), Failure> {
        let database = SqliteFile::open_restored(self.database.clone()).await?;
        let checked = database.check().await;
        database.close().await.and(checked).map_err(Failure::other)
    }

    /// Removes everything that a restore made; last of all the folder that keeps programs from opening the database.
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

    /// Where the copies are until they are verified.
    fn staged(&self) -> (PathBuf, PathBuf) {
        (self.staging().join("sports.db"), self.store.join(STAGED))
    }

    /// The folder of the copied database, on the disk that it is for.
    fn staging(&self) -> PathBuf {
        beside(&self.database, RESTORING)
    }

    /// The file that is there once the copies are verified: which backup is put where.
    fn note(&self) -> PathBuf {
        self.staging().join("placing.json")
    }

    fn note_of(&self, backup: &Backup) -> String {
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

fn in_the_way(error: LockError) -> Failure {
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
