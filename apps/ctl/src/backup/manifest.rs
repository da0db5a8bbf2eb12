use std::io;
use std::path::Path;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_content::ObjectHash;

use super::Contents;
use super::files::{create_file, unusable};
use crate::failure::Failure;
use crate::instant;

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
        Self { made_at: instant::written(made_at), database: database.to_string(), contents: contents.json() }
    }

    /// Reads the manifest of a backup.
    pub fn read(backup: &Path) -> Result<Self, Failure> {
        let file = backup.join(Self::NAME);
        let text = sports_system::regular_file::read(&file, 1 << 20).map_err(|error| match error.kind() {
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
