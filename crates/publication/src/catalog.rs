use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate, SecondsFormat, TimeDelta, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, ModelName, ModelType, OutOfReach, Season, Sport, within_reach};
use sports_transparency::{Leaf, LeafFact, Nonce, RightEdge, StatedHead, VerifierKey, WrittenLeaf};

use crate::{ClockSource, Exceptions, SeasonArchive};

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
        Self(format!("{slate_date}.{}.{}", Self::time_of(published_at), content.short(12)))
    }

    /// Returns the text of an instant in a name.
    fn time_of(published_at: DateTime<Utc>) -> String {
        published_at.format("%Y%m%dT%H%M%S%3fZ").to_string()
    }

    /// Returns true if a text has the form of the name of a release of an instant.
    pub fn is_name_at(text: &str, published_at: DateTime<Utc>) -> bool {
        matches!(*text.split('.').collect::<Vec<_>>(), [_, time, _] if time == Self::time_of(published_at))
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// Games without a start that a release of an earlier slate date listed: they may begin on the day before.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeSet::is_empty"))]
    pub listed_ahead: BTreeSet<GameKey>,
    /// The exceptions of the release that this entry published.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub exceptions: Exceptions,
    /// The registry of models; `None` until the league declares something.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", serialize_with = "crate::serialized::in_json_option")
    )]
    pub models: Option<ModelsEntry>,
    /// The default model of each market in which it is not BLEND, without a declared headline. Entries of before the field lack
    /// it: a market without a model here is resolved from its forecasts.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub default_models: BTreeMap<ModelType, ModelName>,
    /// The newest season, if it was over when this entry or an earlier one was published: a game that is added later does not
    /// begin it anew.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub ended_season: Option<Season>,
    /// The upload through the publishers' door that this entry published; `None` for a publish from the machine.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub upload: Option<Upload>,
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

/// An upload that an entry published. It stands in the entry itself, so that both appear in one step: a repeated upload is
/// recognised even after its first answer was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Upload {
    /// The id of the token that it was sent with.
    pub token: String,
    /// The SHA-256 of that id and the idempotency key: equal keys of one token are one upload.
    pub key: ObjectHash,
    /// The SHA-256 of what was uploaded: the league, the parameters and the files.
    pub content: ObjectHash,
}

/// The days without a game after which the newest season is over.
const QUIET_DAYS: Days = Days::new(30);

impl Catalog {
    /// Returns the seasons that are over on an Eastern date: a later one has a game on record, or it is 30 days after the last
    /// game on record and every game has its final or was called off. A season that was over stays so.
    pub fn finished_seasons(&self, today: NaiveDate) -> BTreeSet<Season> {
        let seasons = || self.results.iter().map(|((_, season), entry)| (*season, &entry.coverage));
        let newest = seasons().filter(|(_, coverage)| coverage.rows > 0).map(|(season, _)| season).max();
        let quiet_since = today - QUIET_DAYS;
        let is_over = |coverage: &SeasonCoverage| {
            coverage.oldest_unsettled_date.is_none() && coverage.last_date.is_none_or(|last| last < quiet_since)
        };
        let open: BTreeSet<_> =
            seasons().filter(|(_, coverage)| !is_over(coverage)).map(|(season, _)| season).collect();
        let is_finished =
            |season: &Season| newest > Some(*season) || self.ended_season == Some(*season) || !open.contains(season);
        seasons().map(|(season, _)| season).filter(is_finished).collect()
    }

    /// Returns what the next entry has as [`ended_season`](Self::ended_season) if it is published on an Eastern date.
    pub fn ended_season_on(&self, today: NaiveDate) -> Option<Season> {
        let newest = self.results.keys().map(|(_, season)| *season).max()?;
        Some(newest).filter(|newest| self.finished_seasons(today).contains(newest))
    }

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

/// The number of days around a season's dates in which a listed game may belong to the season.
const NEARBY: Days = Days::new(15);

/// The coverage of a season archive, kept in the catalog so that the season list and freshness checks need not open the
/// archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SeasonCoverage {
    /// The number of games, graded or not.
    pub rows: usize,
    /// The number of games with a final and a posted line that did not push.
    pub decided: usize,
    /// The date of the first game.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub first_date: Option<NaiveDate>,
    /// The date of the last game.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub last_date: Option<NaiveDate>,
    /// The date of the last decided game.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub last_decided_date: Option<NaiveDate>,
    /// The date of the last game played against a posted line, pushes included.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub last_played_with_line_date: Option<NaiveDate>,
    /// The date of the first game without a final that was not called off.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub oldest_unsettled_date: Option<NaiveDate>,
}

impl SeasonCoverage {
    /// Computes the coverage of an archive.
    pub fn from_archive(archive: &SeasonArchive) -> Self {
        let model_type = archive.market().model_type;
        let mut coverage = Self { rows: archive.games().len(), ..Self::default() };
        // Games are in order of date: the first game has the earliest date, the last game the latest.
        for game in archive.games() {
            let date = Some(game.facts.key.date);
            coverage.first_date = coverage.first_date.or(date);
            coverage.last_date = date;
            let push = game.market_game(model_type).push();
            if push.is_some() {
                coverage.last_played_with_line_date = date;
            }
            if push == Some(false) {
                coverage.decided += 1;
                coverage.last_decided_date = date;
            }
            if !game.facts.is_over() {
                coverage.oldest_unsettled_date = coverage.oldest_unsettled_date.or(date);
            }
        }
        coverage
    }

    /// Returns the dates around the season's in which a listed game may belong to the season; `None` without games.
    pub fn nearby(&self) -> Option<RangeInclusive<NaiveDate>> {
        Some(self.first_date? - NEARBY..=self.last_date? + NEARBY)
    }
}

/// The head of a league's tree in one line: the league, the number of leaves and the root, such as `nfl 4145 EQAf…=`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordHead(Arc<str>);

impl RecordHead {
    /// Returns the head after an entry; `None` for an entry whose tree is not known yet.
    pub fn of(entry: &Catalog) -> Option<Self> {
        let edge = &entry.tree.as_ref()?.edge;
        let head = StatedHead { sport: entry.sport, size: edge.size(), root: edge.root() };
        Some(Self(head.to_string().into()))
    }

    /// Returns the line.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RecordHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

// The tree of a league in one entry of its log.

/// The leaves that one entry adds to the tree, in the order of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntryLeaves {
    /// The place of the first one in the tree.
    pub first: u64,
    pub leaves: Vec<WrittenLeaf>,
}

/// A forecast that an entry withdraws after the start of its game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateWithdrawal {
    pub model_type: ModelType,
    /// The game, with the start in force before the entry.
    pub game: GameKey,
}

impl fmt::Display for LateWithdrawal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, self.model_type)
    }
}

/// The object with an entry's leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeavesEntry {
    #[cfg_attr(feature = "serde", serde(rename = "sha256"))]
    pub object: ObjectHash,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The tree after an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TreeEntry {
    /// The secret that the salts of the entry's commitments are derived from.
    pub nonce: Nonce,
    /// The size of the tree before the entry.
    pub first: u64,
    /// The right edge of the tree, with its size and root.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serialized::edge"))]
    pub edge: RightEdge,
    /// The object with the leaves from `first` on.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialized::in_json"))]
    pub leaves: LeavesEntry,
    /// The keys that leaves up to here announce, in their order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub keys: Vec<VerifierKey>,
}

impl EntryLeaves {
    /// Returns the leaves behind the tree of the entry before, which is the empty one without an entry that has a tree.
    pub fn behind(before: Option<&TreeEntry>, leaves: Vec<WrittenLeaf>) -> Self {
        Self { first: before.map_or(0, |before| before.edge.size()), leaves }
    }

    /// Returns the leaves with their places in the tree.
    pub fn placed(&self) -> impl Iterator<Item = (u64, &WrittenLeaf)> {
        (self.first..).zip(&self.leaves)
    }

    /// Returns a forecast with its place; `None` if the entry did not make one.
    pub fn forecast(&self, model_type: ModelType, game: &GameKey) -> Option<(u64, &WrittenLeaf)> {
        let is_it = |leaf: &Leaf| matches!(&leaf.fact, LeafFact::Forecast { model_type: of, game: forecast, .. } if (*of, forecast) == (model_type, game));
        self.placed().find(|(_, leaf)| is_it(leaf))
    }

    /// Returns the place of a new version of a model; `None` if the entry did not declare one.
    pub fn place_of_model(&self, model: ModelName) -> Option<u64> {
        let is_it = |leaf: &Leaf| matches!(&leaf.fact, LeafFact::Model { model: declared, .. } if *declared == model);
        self.placed().find(|(_, leaf)| is_it(leaf)).map(|(place, _)| place)
    }

    /// Returns the withdrawals of forecasts whose games had started, by the start in force before the entry and by the entry's own
    /// time.
    ///
    /// A game that had a date alone and gets a start by the entry is open: the forecast of that start counts.
    pub fn late_withdrawals(&self) -> Vec<LateWithdrawal> {
        let mut published_at = None;
        let (mut starts, mut late) = (HashMap::new(), Vec::new());
        for leaf in &self.leaves {
            match &leaf.fact {
                LeafFact::Release { published_at: at, .. } => published_at = Some(*at),
                LeafFact::Moved { from, to, .. } => _ = starts.insert(to, from),
                LeafFact::Withdrawn { model_type, game, .. } => {
                    let moved = starts.get(game).copied();
                    let start = moved.unwrap_or(game);
                    let is_known = moved.is_none() || start.time.is_some();
                    if published_at.is_some_and(|at| is_known && start.has_started(at)) {
                        late.push(LateWithdrawal { model_type: *model_type, game: start.clone() });
                    }
                }
                _ => {}
            }
        }
        late
    }

    /// Returns the right edge of the tree with these leaves.
    pub fn edge(&self, before: Option<&TreeEntry>) -> RightEdge {
        let mut edge = before.map(|before| before.edge.clone()).unwrap_or_default();
        for leaf in &self.leaves {
            edge.append(leaf.hash());
        }
        edge
    }
}

/// The activity of a slate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum SlateActivity {
    /// Games today, or later in the league's week.
    Active,
    /// A confirmed off-day.
    None,
}

impl SlateActivity {
    /// Both activities.
    pub const ALL: [Self; 2] = [Self::Active, Self::None];

    /// Returns the word in files: `active` or `none`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::None => "none",
        }
    }
}

/// A run of the publisher's models.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Run {
    /// The publisher's id of the run.
    pub id: String,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached"))]
    pub started_at: DateTime<Utc>,
    /// The end; `None` while it runs.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub completed_at: Option<DateTime<Utc>>,
    /// The activity of its slate.
    pub slate: SlateActivity,
}

/// A run that has completed, and the slate it was for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CompletedRun {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached"))]
    slate_date: NaiveDate,
    #[cfg_attr(feature = "serde", serde(flatten, deserialize_with = "deserialize_completed"))]
    run: Run,
}

impl CompletedRun {
    /// Returns `None` for a run that has only begun.
    pub fn new(slate_date: NaiveDate, run: Run) -> Option<Self> {
        run.completed_at.is_some().then_some(Self { slate_date, run })
    }

    /// Returns the date of its slate.
    pub const fn slate_date(&self) -> NaiveDate {
        self.slate_date
    }

    pub const fn run(&self) -> &Run {
        &self.run
    }

    pub(crate) fn into_run(self) -> Run {
        self.run
    }
}

#[cfg(feature = "serde")]
fn deserialize_completed<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Run, D::Error> {
    let run: Run = serde::Deserialize::deserialize(from)?;
    let has_completed = run.completed_at.is_some();
    has_completed.then_some(run).ok_or_else(|| serde::de::Error::custom("an earlier run that has not completed"))
}

// The instant of a publication, and the checks of the clock that gives it.

/// The tolerated difference between the clocks of two machines that publish or model for one league.
pub(crate) const CLOCK_LEEWAY: TimeDelta = TimeDelta::minutes(5);

/// The error for a clock whose time cannot be a publication instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    /// The clock shows a year that no working machine's clock shows.
    #[error("it is {} by the clock here: expected a time {OutOfReach}; set the clock right", to_rfc3339(.clock))]
    OutOfReach {
        /// The time of the clock.
        clock: DateTime<Utc>,
    },
    /// The record is ahead of the clock.
    #[error(
        "it is {} by the clock here, but the newest entry of the record was published at {}: set the clock right, or \
         wait until that time has passed", to_rfc3339(.clock), to_rfc3339(.head)
    )]
    Behind {
        /// The time of the clock.
        clock: DateTime<Utc>,
        /// The publication instant of the newest entry.
        head: DateTime<Utc>,
    },
    /// The record was published by system clocks; an instant set by hand cannot be added to it.
    #[error(
        "this record is kept by the machines' own clocks, its newest entry since {}: a time set by hand (--as-of) cannot \
         add to it. Publish without it, or into another store", to_rfc3339(.head)
    )]
    SetAfterSystem {
        /// The publication instant of the newest entry.
        head: DateTime<Utc>,
    },
}

/// Parses an instant of RFC 3339; `None` for any other text, and for a leap second.
pub fn parse_instant(text: &str) -> Option<DateTime<Utc>> {
    // The library also reads the minus sign of typography, and a leap second as more than a thousand milliseconds.
    let instant = DateTime::parse_from_rfc3339(Some(text).filter(|text| text.is_ascii())?).ok()?.to_utc();
    (instant.timestamp_subsec_millis() < 1_000).then_some(instant)
}

/// Formats an instant with `Z` and as many decimals of a second as needed; [`parse_instant`] reads it.
pub fn to_rfc3339(instant: &DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Returns the publication instant of the entry after `head`, given `now` by a clock of this source. It is always later
/// than the previous entry, so that time never runs backward in a record. It decides which games have started.
///
/// # Errors
///
/// [`ClockError`] if the clock's time is out of reach, is more than five minutes behind the record, or is set by hand
/// while the record is kept by system clocks.
pub fn publishing_instant(
    now: DateTime<Utc>,
    source: ClockSource,
    head: Option<&Catalog>,
) -> Result<DateTime<Utc>, ClockError> {
    let now = within_reach(to_milliseconds(now)).map_err(|_| ClockError::OutOfReach { clock: now })?;
    let Some(Catalog { published_at: head, clock, .. }) = head.cloned() else { return Ok(now) };
    if source == ClockSource::Set && clock == ClockSource::System {
        return Err(ClockError::SetAfterSystem { head });
    }
    if now + CLOCK_LEEWAY < head {
        return Err(ClockError::Behind { clock: now, head });
    }
    Ok(now.max(head + TimeDelta::milliseconds(1)))
}

/// Truncates an instant to milliseconds, the precision of the log.
fn to_milliseconds(instant: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(instant.timestamp_millis()).unwrap_or(instant)
}
