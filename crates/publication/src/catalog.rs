use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{GameKey, ModelName, ModelType, Season, Sport};

use crate::{ClockSource, CompletedRun, Exceptions, Run, SeasonCoverage, TreeEntry};
use sports_content::ObjectHash;

/// The number of a log entry: 1 for a league's first entry, then consecutive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Generation(u64);

impl Generation {
    /// The first entry of a log.
    pub const FIRST: Self = Self(1);

    /// Returns the generation with this number; `None` for zero.
    pub const fn new(number: u64) -> Option<Self> {
        if number == 0 { None } else { Some(Self(number)) }
    }

    /// Returns the generation before this one; `None` for the first.
    pub const fn previous(self) -> Option<Self> {
        Self::new(self.0 - 1)
    }

    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the generation after this one.
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The name of a release, made at publication from its slate date, publication time and content.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct ReleaseId(String);

impl ReleaseId {
    /// Creates the name of a release. Slate date and time make it readable; the content's hash makes it unique.
    pub fn new(slate_date: NaiveDate, published_at: DateTime<Utc>, content: &ObjectHash) -> Self {
        Self(format!("{slate_date}.{}.{}", published_at.format("%Y%m%dT%H%M%S%3fZ"), content.short(12)))
    }

    /// Restores a name read from the log, without checks.
    pub fn from_log(name: String) -> Self {
        Self(name)
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ReleaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An immutable published object and its origin.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ArtifactRef {
    #[cfg_attr(feature = "serde", serde(rename = "sha256"))]
    pub object: ObjectHash,
    /// Its size in bytes.
    pub bytes: u64,
    /// The publication instant.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached"))]
    pub published_at: DateTime<Utc>,
    /// The instant as of which its sources were read.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached"))]
    pub source_as_of: DateTime<Utc>,
    /// The slate date of its release.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached"))]
    pub slate_date: NaiveDate,
    pub release_id: ReleaseId,
}

/// A published season archive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ResultsEntry {
    /// The object.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "crate::serialized::in_parquet"))]
    pub artifact: ArtifactRef,
    /// The coverage of the archive.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub coverage: SeasonCoverage,
    /// The number of games with a value of each own model.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub models: BTreeMap<ModelName, usize>,
}

/// One market's published predictions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PredictionsEntry {
    /// The season whose archive records them.
    pub season: Season,
    /// The object.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "crate::serialized::in_json"))]
    pub artifact: ArtifactRef,
    /// Held games, which kept their previous predictions, in the order of games.
    pub held_games: Vec<GameKey>,
    /// The publication instant of the first odds newer than these predictions; `None` once the predictions are rebuilt.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub newer_odds_since: Option<DateTime<Utc>>,
}

/// The published registry of a league's models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModelsEntry {
    #[cfg_attr(feature = "serde", serde(rename = "sha256"))]
    pub object: ObjectHash,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Everything that is published for one league after one publish: an entry of the league's log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Catalog {
    pub sport: Sport,
    pub generation: Generation,
    /// The hash of the previous entry; `None` for the first entry.
    pub previous: Option<ObjectHash>,
    /// The release that this entry published.
    pub release_id: ReleaseId,
    /// The publication instant, later than that of the previous entry.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached"))]
    pub published_at: DateTime<Utc>,
    /// The origin of that instant.
    pub clock: ClockSource,
    /// The latest slate date published.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached"))]
    pub slate_date: NaiveDate,
    /// The run of that slate, if known: the last completed run, else the last started run.
    pub run: Option<Run>,
    /// The last completed run, if it was for an earlier slate.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub earlier_run: Option<CompletedRun>,
    /// Upcoming games that were rescheduled back after another start had passed: they keep the forecast and the prices
    /// of that time.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeSet::is_empty"))]
    pub frozen_games: BTreeSet<GameKey>,
    /// The exceptions of the release that this entry published.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub exceptions: Exceptions,
    /// The registry of models; `None` until the league declares something.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", serialize_with = "crate::serialized::in_json_option")
    )]
    pub models: Option<ModelsEntry>,
    /// The league's tree with the leaves of this entry; `None` only before the entry is stored.
    #[cfg_attr(feature = "serde", serde(rename = "record", with = "crate::serialized::tree"))]
    pub tree: Option<TreeEntry>,
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialized::in_json_option"))]
    pub odds: Option<ArtifactRef>,
    #[cfg_attr(feature = "serde", serde(with = "crate::serialized::of_markets"))]
    pub predictions: BTreeMap<ModelType, PredictionsEntry>,
    /// The first quotes of current games.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialized::in_json_option"))]
    pub openers: Option<ArtifactRef>,
    /// The season archives.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialized::of_seasons"))]
    pub results: BTreeMap<(ModelType, Season), ResultsEntry>,
}

impl Catalog {
    /// Returns true if both catalogs publish the same content, whatever their releases, exceptions, publication times and
    /// trees.
    pub fn same_content(&self, other: &Self) -> bool {
        let slate = |catalog: &Self| (catalog.odds.clone(), catalog.predictions.clone(), catalog.openers.clone());
        let runs = |catalog: &Self| (catalog.slate_date, catalog.run.clone(), catalog.earlier_run.clone());
        (self.sport, &self.results, &self.models) == (other.sport, &other.results, &other.models)
            && runs(self) == runs(other)
            && slate(self) == slate(other)
    }

    /// Returns the season whose archives record today's predictions; `None` before the first predictions.
    pub fn live_season(&self) -> Option<Season> {
        self.predictions.values().map(|entry| entry.season).max()
    }

    /// Returns that season and its archive of one market.
    pub fn live_results(&self, model_type: ModelType) -> Option<(Season, &ResultsEntry)> {
        let season = self.live_season()?;
        self.results.get(&(model_type, season)).map(|entry| (season, entry))
    }

    /// Returns the seasons of one model type, oldest first.
    #[must_use = "iterators are lazy"]
    pub fn seasons(&self, model_type: ModelType) -> impl DoubleEndedIterator<Item = (Season, &ResultsEntry)> {
        self.results.iter().filter(move |((of, _), _)| *of == model_type).map(|((_, season), entry)| (*season, entry))
    }

    /// Returns the newest season in which a game was played against a posted line; out of season, the season last
    /// played.
    pub fn current_season(&self, model_type: ModelType) -> Option<(Season, &ResultsEntry)> {
        self.seasons(model_type).rev().find(|(_, entry)| entry.coverage.last_played_with_line_date.is_some())
    }

    /// Returns the season for requests that name no season; `None` without any archive. Before the first game of a
    /// first season no season is current, and the newest archive is returned.
    pub fn default_season(&self, model_type: ModelType) -> Option<(Season, &ResultsEntry)> {
        self.current_season(model_type).or_else(|| self.seasons(model_type).next_back())
    }
}
