use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;
use sports_accounts_sea_orm::{FILES, LockError, ServerLock, SqliteFile, beside, is_made, make_folder};

use crate::backup::{Backup, Contents, copy_file, copy_store, create_folder, unusable};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Puts a backup's database and store where the settings say, once the copies are verified.
pub async fn run(places: &Places<'_>, folder: &Path) -> Result<Report, Failure> {
    let backup = Backup::open(folder)?;
    let target = Target { database: places.database_file()?, store: places.local_store()?.folder().to_owned() };
    target.expect_empty()?;
    // Held to the end, on an empty file that keeps the place: a server that starts meanwhile would fill it.
    let _lock = target.lock()?;
    let contents = target.fill(&backup).await;
    if contents.is_err() {
        target.clear();
    }
    let contents = contents?;
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

impl Target {
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

    /// Copies, verifies the copies, and only then gives them their names: the database last.
    async fn fill(&self, backup: &Backup) -> Result<Contents, Failure> {
        self.clear();
        let (database, store) = self.staged();
        create_folder(&self.staging())?;
        copy_file(&backup.database()?, &database)?;
        copy_store(&backup.store(), &store)?;
        let contents = Contents::verified(&database, &store).await?;
        if !backup.manifest.names_heads_of(&contents) {
            return Err(Failure::other(
                "the backup holds together, but it is not what its manifest says: it was changed",
            ));
        }
        // A server that was started meanwhile has gone, but may have left one.
        self.expect_no_database()?;
        for name in store.read_dir().map_err(|error| unusable(&store, &error))?.flatten() {
            rename(&name.path(), &self.store.join(name.file_name()))?;
        }
        fs::remove_dir(&store).map_err(|error| unusable(&store, &error))?;
        rename(&database, &self.database)?;
        drop(fs::remove_dir(self.staging()));
        self.expect_whole_database().await?;
        Ok(contents)
    }

    /// What is beside the file in its place would be read with it.
    async fn expect_whole_database(&self) -> Result<(), Failure> {
        let database = SqliteFile::open_as_it_is(self.database.clone()).await?;
        let checked = database.check().await;
        database.close().await.and(checked).map_err(Failure::other)
    }

    /// Removes what a restore left that was interrupted or has failed. The empty file that keeps the place stays:
    /// others wait for its lock. It is no database.
    fn clear(&self) {
        drop(fs::remove_dir_all(self.staged().1));
        drop(fs::remove_dir_all(self.staging()));
    }

    /// Where the copies are until they are verified.
    fn staged(&self) -> (PathBuf, PathBuf) {
        (self.staging().join("sports.db"), self.store.join(STAGED))
    }

    /// The folder of the copied database, on the disk that it is for.
    fn staging(&self) -> PathBuf {
        beside(&self.database, ".restoring")
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
