//! The answers to uploads of the last days, which a repeated upload receives again.

use std::cell::Cell;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sports_domain::content::ObjectHash;
use sports_usecases::publish::REMEMBERED;

use crate::whole_file;

/// The folder of answers.
const FOLDER: &str = "answers";

/// An answer that was given, or was about to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The hash of what was uploaded.
    pub content: ObjectHash,
    pub at: DateTime<Utc>,
    pub body: Value,
}

/// The folder of answers. The record itself tells that an upload was published; the answer has its report.
pub struct Answers {
    folder: PathBuf,
    /// When those that are too old were removed.
    pruned: Cell<DateTime<Utc>>,
}

impl Answers {
    /// Opens the answers below a folder.
    pub fn open(received: &Path, now: DateTime<Utc>) -> io::Result<Self> {
        let folder = received.join(FOLDER);
        fs::create_dir_all(&folder)?;
        let answers = Self { folder, pruned: Cell::new(now) };
        answers.prune(now)?;
        Ok(answers)
    }

    /// Removes answers that are too old.
    fn prune(&self, now: DateTime<Utc>) -> io::Result<()> {
        self.pruned.set(now);
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if DateTime::<Utc>::from(entry.metadata()?.modified()?) < now - REMEMBERED {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Returns the answer to an upload with this key, if it is remembered.
    pub fn find(&self, key: &ObjectHash, now: DateTime<Utc>) -> io::Result<Option<Answer>> {
        match fs::read(self.path(key)) {
            Ok(bytes) => {
                let answer: Option<Answer> = serde_json::from_slice(&bytes).ok();
                Ok(answer.filter(|answer| answer.at >= now - REMEMBERED))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Remembers an answer before it is given.
    pub fn keep(&self, key: &ObjectHash, answer: &Answer) -> io::Result<()> {
        if answer.at - self.pruned.get() > TimeDelta::days(1) {
            self.prune(answer.at)?;
        }
        whole_file::write(&self.path(key), &serde_json::to_vec(answer)?)
    }

    fn path(&self, key: &ObjectHash) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}
