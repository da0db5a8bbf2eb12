use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{GameKey, ModelType, Season, Sport};

use crate::{ClockSource, CompletedRun, Run, SeasonCoverage};
use sports_content::ObjectHash;

/// A log entry's number: 1 for a league's first, then one more each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Generation(u64);

impl Generation {
    /// The first entry of a log.
    pub const FIRST: Self = Self(1);

    /// The entry with this number; `None` for zero.
    #[must_use]
    pub const fn new(number: u64) -> Option<Self> {
        if number == 0 { None } else { Some(Self(number)) }
    }

    /// The entry before this one; `None` before the first.
    #[must_use]
    pub const fn previous(self) -> Option<Self> {
        Self::new(self.0 - 1)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The entry after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A release's name, made when it is published: slate date, publication time and content.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReleaseId(String);

impl ReleaseId {
    /// Names a release. Slate date and time make it readable, the content's hash makes it the
    /// release's own.
    #[must_use]
    pub fn new(slate_date: NaiveDate, published_at: DateTime<Utc>, content: &ObjectHash) -> Self {
        Self(format!("{slate_date}.{}.{}", published_at.format("%Y%m%dT%H%M%S%3fZ"), content.short(12)))
    }

    /// A name read back from the log.
    #[must_use]
    pub fn from_log(name: String) -> Self {
        Self(name)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ReleaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One immutable published object, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactRef {
    /// The object.
    pub object: ObjectHash,
    /// Its size.
    pub bytes: u64,
    /// When it was published.
    pub published_at: DateTime<Utc>,
    /// As of when its sources spoke.
    pub source_as_of: DateTime<Utc>,
    /// The slate date of its release.
    pub slate_date: NaiveDate,
    /// Its release.
    pub release_id: ReleaseId,
}

/// A published season archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsEntry {
    /// The object.
    pub artifact: ArtifactRef,
    /// What it covers.
    pub coverage: SeasonCoverage,
}

/// One market's published predictions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredictionsEntry {
    /// The object.
    pub artifact: ArtifactRef,
    /// The season whose archive records them.
    pub season: Season,
    /// Games that kept their previous predictions, in the order of games.
    pub held_games: Vec<GameKey>,
    /// When the first odds newer than these predictions were published; `None` once they are rebuilt.
    pub newer_odds_since: Option<DateTime<Utc>>,
}

/// Everything that is published for one league after one publish: an entry of its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    /// The league.
    pub sport: Sport,
    /// The entry's number.
    pub generation: Generation,
    /// The hash of the entry before; `None` for the first.
    pub previous: Option<ObjectHash>,
    /// The release that made it.
    pub release_id: ReleaseId,
    /// When it was published: later than the entry before.
    pub published_at: DateTime<Utc>,
    /// Whose clock said so.
    pub clock: ClockSource,
    /// The latest slate date published.
    pub slate_date: NaiveDate,
    /// The run of that slate, where one is known: the last that completed, else the last that began.
    pub run: Option<Run>,
    /// The last completed run, where it was for an earlier slate.
    pub earlier_run: Option<CompletedRun>,
    /// Games still to come that were rescheduled back after another start had passed: they keep the forecast and the
    /// prices that they had then.
    pub frozen_games: BTreeSet<GameKey>,
    /// The odds.
    pub odds: Option<ArtifactRef>,
    /// The predictions.
    pub predictions: BTreeMap<ModelType, PredictionsEntry>,
    /// The first quotes of current games.
    pub openers: Option<ArtifactRef>,
    /// The season archives.
    pub results: BTreeMap<(ModelType, Season), ResultsEntry>,
}

impl Catalog {
    /// Whether the same things are published, by whichever release and whenever.
    #[must_use]
    pub fn same_content(&self, other: &Self) -> bool {
        let slate = |catalog: &Self| (catalog.odds.clone(), catalog.predictions.clone(), catalog.openers.clone());
        let runs = |catalog: &Self| (catalog.slate_date, catalog.run.clone(), catalog.earlier_run.clone());
        (self.sport, &self.results) == (other.sport, &other.results)
            && runs(self) == runs(other)
            && slate(self) == slate(other)
    }

    /// The season today's predictions are recorded in; `None` before the first.
    #[must_use]
    pub fn live_season(&self) -> Option<Season> {
        self.predictions.values().map(|entry| entry.season).max()
    }

    /// That season's archive of one market.
    #[must_use]
    pub fn live_results(&self, model_type: ModelType) -> Option<(Season, &ResultsEntry)> {
        let season = self.live_season()?;
        self.results.get(&(model_type, season)).map(|entry| (season, entry))
    }

    /// The seasons of one model type, oldest first.
    #[must_use = "iterators are lazy"]
    pub fn seasons(&self, model_type: ModelType) -> impl DoubleEndedIterator<Item = (Season, &ResultsEntry)> {
        self.results.iter().filter(move |((of, _), _)| *of == model_type).map(|((_, season), entry)| (*season, entry))
    }

    /// The newest season of which a game was played with a line on it: out of season, the one last played.
    #[must_use]
    pub fn current_season(&self, model_type: ModelType) -> Option<(Season, &ResultsEntry)> {
        self.seasons(model_type).rev().find(|(_, entry)| entry.coverage.last_played_with_line_date.is_some())
    }

    /// The season that answers where none is named; `None` without any archive. Before the first game of
    /// a first season nothing is current, and the newest archive is what there is.
    #[must_use]
    pub fn default_season(&self, model_type: ModelType) -> Option<(Season, &ResultsEntry)> {
        self.current_season(model_type).or_else(|| self.seasons(model_type).next_back())
    }
}
