//! What an upload is: its operation, its parameters and its files.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sports_accounts::UploadRight;
use sports_domain::{FormError, Season, Sport};
use sports_publication::Override;

use super::query::Query;
use super::refusal::Refusal;
use crate::cli::{Publish, Settle, Source};

/// The type of a form.
pub const FORM: &str = "multipart/form-data";
const ARCHIVES: [&str; 6] = [
    "application/x-tar",
    "application/gzip",
    "application/zip",
    FORM,
    "application/x-gzip",
    "application/x-zip-compressed",
];
const TABLES: [&str; 3] = ["text/csv", "application/json", "application/vnd.apache.parquet"];

/// The most bytes of files that are read in the process of the door. What reading them takes is some twenty times as much; of a
/// Parquet file it cannot be told.
const SMALL: u64 = 1 << 20;

/// An operation that publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    Releases,
    Finals,
    Convert,
}

impl Area {
    /// Returns the name in paths and logs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Releases => "releases",
            Self::Finals => "finals",
            Self::Convert => "convert",
        }
    }

    pub const fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::Releases => &["dry_run", "strict", "allow", "replace_season"],
            Self::Finals => &["dry_run", "correct", "allow_unknown"],
            Self::Convert => {
                &["preset", "season", "postseason_from", "slate", "finals", "public", "dry_run", "strict", "allow"]
            }
        }
    }

    /// The types of bodies that it takes.
    pub const fn types(self) -> &'static [&'static str] {
        match self {
            Self::Releases => &ARCHIVES,
            Self::Finals => &TABLES,
            Self::Convert => &[FORM],
        }
    }
}

/// The arguments of the command that does what an upload asks.
#[derive(Debug)]
pub enum Arguments {
    Publish(Box<Publish>),
    Settle(Settle),
}

impl Arguments {
    /// Reads the parameters of a request; they name no files yet.
    pub fn of(area: Area, sport: Sport, query: &Query) -> Result<Self, Refusal> {
        let dry_run = query.flag("dry_run")?;
        if area == Area::Finals {
            let (correct, allow_unknown) = (query.flag("correct")?, query.flag("allow_unknown")?);
            return Ok(Self::Settle(Settle { sport, file: PathBuf::new(), correct, allow_unknown, dry_run }));
        }
        let replace_season: Vec<String> = query.list("replace_season")?;
        for label in &replace_season {
            Season::parse(sport, label).map_err(|error| Refusal::bad_request(error.to_string()))?;
        }
        let source = Source {
            preset: query.one("preset")?,
            sport: (area == Area::Convert).then_some(sport),
            season: query.one("season")?,
            postseason_from: query.one("postseason_from")?,
            slate: query.flag("slate")?,
            public: query.flag("public")?,
            ..Source::default()
        };
        let finals = query.flag("finals")?;
        if finals && source.slate {
            return Err(Refusal::bad_request("`slate` and `finals` exclude each other: send one of them"));
        }
        Ok(Self::Publish(Box::new(Publish {
            source,
            finals,
            dry_run,
            strict: query.flag("strict")?,
            allow: query.list::<Allowed>("allow")?.into_iter().filter_map(|allowed| allowed.0).collect(),
            replace_season,
            ..Publish::default()
        })))
    }

    pub fn is_dry_run(&self) -> bool {
        match self {
            Self::Publish(publish) => publish.dry_run,
            Self::Settle(settle) => settle.dry_run,
        }
    }

    /// Returns what a token must be allowed because of the parameters.
    pub fn rights(&self, query: &Query) -> Result<Vec<UploadRight>, Refusal> {
        let (first, mends) = match self {
            Self::Publish(publish) => (
                UploadRight::Publish,
                allows_older(query)? || !publish.allow.is_empty() || !publish.replace_season.is_empty(),
            ),
            Self::Settle(settle) => (UploadRight::Settle, settle.correct),
        };
        Ok([Some(first), mends.then_some(UploadRight::Mend)].into_iter().flatten().collect())
    }
}

/// The word that admits a release of before what is on record.
const OLDER: &str = "older";

/// Returns true if a request admits a release of before what is on record.
pub fn allows_older(query: &Query) -> Result<bool, Refusal> {
    Ok(query.list::<Allowed>("allow")?.iter().any(|allowed| allowed.0.is_none()))
}

/// A finding that may be overridden; `None` for what is older.
struct Allowed(Option<Override>);

impl FromStr for Allowed {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        if word == OLDER {
            return Ok(Self(None));
        }
        word.parse().map(|found| Self(Some(found))).map_err(|error: FormError| format!("{error}, {OLDER}"))
    }
}

/// The files of an upload in the folder that it was received into.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Files {
    /// The folder of all its files; no message names it.
    pub within: PathBuf,
    /// The release folder, or the file of finals.
    pub main: PathBuf,
    pub tables: Vec<PathBuf>,
    pub map: Option<PathBuf>,
    /// Their bytes.
    pub bytes: u64,
    pub has_parquet: bool,
}

impl Files {
    /// Returns true if reading them takes little memory.
    pub const fn are_small(&self) -> bool {
        self.bytes <= SMALL && !self.has_parquet
    }

    /// Notes whether one of the named files is Parquet.
    pub fn note_parquet(&mut self) {
        let is_parquet = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "parquet");
        self.has_parquet = is_parquet(&self.main) || self.tables.iter().any(is_parquet);
    }
}
