use std::collections::BTreeMap;
use std::error::Error;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sports_content::ObjectHash;
use sports_domain::{GameKey, ModelType, Season, Sport, TeamSlug};
use sports_ports::publication::{ObjectKind, OtherForm};
use sports_publication::{
    ArtifactRef, Catalog, ClockSource, CompletedRun, Exceptions, Generation, ModelsEntry, PredictionsEntry, ReleaseId,
    Replacement, ResultsEntry, Run, SeasonCoverage, SlateActivity,
};

use crate::exact_fields::first_difference;
use crate::tree_json::TreeJson;
use crate::within_reach::WithinReach;
use crate::{layout, own_digest};

/// The form of log entries. A reader refuses others rather than misread them.
pub const SCHEMA_VERSION: u32 = 7;

/// The reason why the bytes of a log entry are not a catalog.
pub type DecodeError = Box<dyn Error + Send + Sync>;

/// Writes a catalog as an entry of the log.
pub fn write(catalog: &Catalog) -> Result<Vec<u8>, DecodeError> {
    Ok(own_digest::append_to(serde_json::to_vec_pretty(&CatalogJson::of(catalog)?)?))
}

/// Parses a log entry: it must have exactly the fields of its form, with the values that this program would write.
pub fn read(bytes: &[u8]) -> Result<Catalog, DecodeError> {
    match serde_json::from_slice(bytes)? {
        Version { schema_version: SCHEMA_VERSION } => {}
        Version { schema_version: found @ ..SCHEMA_VERSION } => return Err(OtherForm::Older { found }.into()),
        Version { schema_version: found } => return Err(OtherForm::Newer { found, newest: SCHEMA_VERSION }.into()),
    }
    let decoded = decode(bytes);
    // Comparing the text, which ends with its digest, is cheaper than comparing fields, and holds for most entries.
    if decoded.as_ref().is_ok_and(|catalog| write(catalog).is_ok_and(|written| written == bytes)) {
        return decoded;
    }
    own_digest::check(bytes)?;
    let catalog = decoded?;
    let mut found: Value = serde_json::from_slice(bytes)?;
    remove_fields(&mut found, &[own_digest::FIELD]);
    let expected = serde_json::to_value(CatalogJson::of(&catalog)?)?;
    first_difference(&found, &expected, "the entry").map_or(Ok(catalog), |difference| Err(difference.into()))
}

fn decode(bytes: &[u8]) -> Result<Catalog, DecodeError> {
    serde_json::from_slice::<CatalogJson>(bytes)?.try_into()
}

fn remove_fields(object: &mut Value, fields: &[&str]) {
    if let Some(object) = object.as_object_mut() {
        object.retain(|field, _| !fields.contains(&field.as_str()));
    }
}

#[derive(Deserialize)]
struct Version {
    schema_version: u32,
}

#[derive(Serialize, Deserialize)]
struct CatalogJson {
    schema_version: u32,
    sport: String,
    generation: u64,
    previous: Option<String>,
    release_id: String,
    published_at: WithinReach<DateTime<Utc>>,
    clock: String,
    slate_date: WithinReach<NaiveDate>,
    run: Option<RunJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    earlier_run: Option<EarlierRunJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    frozen_games: Vec<GameKeyJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    overrides: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<ReplacementJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    models: Option<ModelsJson>,
    record: TreeJson,
    odds: Option<ArtifactJson>,
    predictions: Vec<PredictionsJson>,
    openers: Option<ArtifactJson>,
    results: Vec<ResultsJson>,
}

/// The object of the registry of models.
#[derive(Serialize, Deserialize)]
struct ModelsJson {
    #[serde(skip_deserializing)]
    object: String,
    sha256: String,
    bytes: u64,
}

/// A season of one market that the release replaced.
#[derive(Serialize, Deserialize)]
struct ReplacementJson {
    season: String,
    model_type: String,
    rows_before: usize,
    rows_after: usize,
    columns_dropped: Vec<String>,
}

/// An object and its origin.
#[derive(Serialize, Deserialize)]
struct ArtifactJson {
    /// The object's file name, for readers of the store without this program.
    #[serde(skip_deserializing)]
    object: String,
    sha256: String,
    bytes: u64,
    published_at: WithinReach<DateTime<Utc>>,
    source_as_of: WithinReach<DateTime<Utc>>,
    slate_date: WithinReach<NaiveDate>,
    release_id: String,
}

#[derive(Serialize, Deserialize)]
struct PredictionsJson {
    model_type: String,
    season: String,
    #[serde(flatten)]
    artifact: ArtifactJson,
    held_games: Vec<GameKeyJson>,
    newer_odds_since: Option<WithinReach<DateTime<Utc>>>,
}

#[derive(Serialize, Deserialize)]
struct GameKeyJson {
    date: WithinReach<NaiveDate>,
    time_est: Option<NaiveTime>,
    away_team: String,
    home_team: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game_number: Option<u8>,
}

#[derive(Serialize, Deserialize)]
struct RunJson {
    id: String,
    started_at: WithinReach<DateTime<Utc>>,
    completed_at: Option<WithinReach<DateTime<Utc>>>,
    slate: String,
}

/// A completed run of an earlier slate.
#[derive(Serialize, Deserialize)]
struct EarlierRunJson {
    slate_date: WithinReach<NaiveDate>,
    #[serde(flatten)]
    run: RunJson,
}

#[derive(Serialize, Deserialize)]
struct ResultsJson {
    model_type: String,
    season: String,
    #[serde(flatten)]
    artifact: ArtifactJson,
    rows: usize,
    decided: usize,
    first_date: Option<WithinReach<NaiveDate>>,
    last_date: Option<WithinReach<NaiveDate>>,
    last_decided_date: Option<WithinReach<NaiveDate>>,
    last_played_with_line_date: Option<WithinReach<NaiveDate>>,
    oldest_unsettled_date: Option<WithinReach<NaiveDate>>,
    /// The number of games with a value of each own model.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    models: BTreeMap<String, usize>,
}

impl CatalogJson {
    fn of(catalog: &Catalog) -> Result<Self, DecodeError> {
        let tree = catalog.tree.as_ref().ok_or("an entry has a tree")?;
        Ok(Self {
            schema_version: SCHEMA_VERSION,
            sport: catalog.sport.code().to_owned(),
            generation: catalog.generation.get(),
            previous: catalog.previous.map(|hash| hash.to_string()),
            release_id: catalog.release_id.to_string(),
            published_at: WithinReach(catalog.published_at),
            clock: catalog.clock.word().to_owned(),
            slate_date: WithinReach(catalog.slate_date),
            run: catalog.run.as_ref().map(RunJson::from),
            earlier_run: catalog.earlier_run.as_ref().map(EarlierRunJson::from),
            frozen_games: catalog.frozen_games.iter().map(GameKeyJson::from).collect(),
            overrides: catalog.exceptions.overrides.iter().map(ToString::to_string).collect(),
            replaced: catalog.exceptions.replaced.iter().map(ReplacementJson::from).collect(),
            models: catalog.models.as_ref().map(ModelsJson::from),
            record: TreeJson::from(tree),
            odds: catalog.odds.as_ref().map(|odds| ArtifactJson::from_artifact(ObjectKind::Json, odds)),
            predictions: catalog.predictions.iter().map(PredictionsJson::from).collect(),
            openers: catalog.openers.as_ref().map(|openers| ArtifactJson::from_artifact(ObjectKind::Json, openers)),
            results: catalog.results.iter().map(ResultsJson::from).collect(),
        })
    }
}

impl From<&ModelsEntry> for ModelsJson {
    fn from(ModelsEntry { object, bytes }: &ModelsEntry) -> Self {
        let name = layout::object_name(ObjectKind::Json, object);
        Self { object: name, sha256: object.to_string(), bytes: *bytes }
    }
}

impl TryFrom<ModelsJson> for ModelsEntry {
    type Error = DecodeError;

    fn try_from(json: ModelsJson) -> Result<Self, DecodeError> {
        Ok(Self { object: json.sha256.parse()?, bytes: json.bytes })
    }
}

impl From<&Replacement> for ReplacementJson {
    fn from(replacement: &Replacement) -> Self {
        Self {
            season: replacement.season.to_string(),
            model_type: replacement.model_type.code().to_owned(),
            rows_before: replacement.rows_before,
            rows_after: replacement.rows_after,
            columns_dropped: replacement.columns_dropped.clone(),
        }
    }
}

impl ReplacementJson {
    fn replacement(self, sport: Sport) -> Result<Replacement, DecodeError> {
        Ok(Replacement {
            season: Season::parse(sport, &self.season)?,
            model_type: self.model_type.parse()?,
            rows_before: self.rows_before,
            rows_after: self.rows_after,
            columns_dropped: self.columns_dropped,
        })
    }
}

impl ArtifactJson {
    fn from_artifact(kind: ObjectKind, artifact: &ArtifactRef) -> Self {
        Self {
            object: layout::object_name(kind, &artifact.object),
            sha256: artifact.object.to_string(),
            bytes: artifact.bytes,
            published_at: WithinReach(artifact.published_at),
            source_as_of: WithinReach(artifact.source_as_of),
            slate_date: WithinReach(artifact.slate_date),
            release_id: artifact.release_id.to_string(),
        }
    }
}

impl From<(&ModelType, &PredictionsEntry)> for PredictionsJson {
    fn from((model_type, entry): (&ModelType, &PredictionsEntry)) -> Self {
        Self {
            model_type: model_type.code().to_owned(),
            season: entry.season.to_string(),
            artifact: ArtifactJson::from_artifact(ObjectKind::Json, &entry.artifact),
            held_games: entry.held_games.iter().map(GameKeyJson::from).collect(),
            newer_odds_since: entry.newer_odds_since.map(WithinReach),
        }
    }
}

impl From<&GameKey> for GameKeyJson {
    fn from(key: &GameKey) -> Self {
        Self {
            date: WithinReach(key.date),
            time_est: key.time,
            away_team: key.away.to_string(),
            home_team: key.home.to_string(),
            game_number: key.game_number,
        }
    }
}

impl From<&Run> for RunJson {
    fn from(run: &Run) -> Self {
        Self {
            id: run.id.clone(),
            started_at: WithinReach(run.started_at),
            completed_at: run.completed_at.map(WithinReach),
            slate: run.slate.word().to_owned(),
        }
    }
}

impl From<&CompletedRun> for EarlierRunJson {
    fn from(earlier: &CompletedRun) -> Self {
        Self { slate_date: WithinReach(earlier.slate_date()), run: RunJson::from(earlier.run()) }
    }
}

impl From<(&(ModelType, Season), &ResultsEntry)> for ResultsJson {
    fn from(((model_type, season), entry): (&(ModelType, Season), &ResultsEntry)) -> Self {
        let ResultsEntry { artifact, coverage, models } = entry;
        Self {
            model_type: model_type.code().to_owned(),
            season: season.to_string(),
            artifact: ArtifactJson::from_artifact(ObjectKind::Parquet, artifact),
            rows: coverage.rows,
            decided: coverage.decided,
            first_date: coverage.first_date.map(WithinReach),
            last_date: coverage.last_date.map(WithinReach),
            last_decided_date: coverage.last_decided_date.map(WithinReach),
            last_played_with_line_date: coverage.last_played_with_line_date.map(WithinReach),
            oldest_unsettled_date: coverage.oldest_unsettled_date.map(WithinReach),
            models: models.iter().map(|(name, games)| (name.to_string(), *games)).collect(),
        }
    }
}

impl TryFrom<CatalogJson> for Catalog {
    type Error = DecodeError;

    fn try_from(json: CatalogJson) -> Result<Self, DecodeError> {
        let sport: Sport = json.sport.parse()?;
        Ok(Self {
            sport,
            generation: Generation::new(json.generation).ok_or("generation 0")?,
            previous: json.previous.map(|hash| hash.parse()).transpose()?,
            release_id: ReleaseId::from_log(json.release_id),
            published_at: json.published_at.0,
            clock: clock_source(&json.clock)?,
            slate_date: json.slate_date.0,
            run: json.run.map(Run::try_from).transpose()?,
            earlier_run: json.earlier_run.map(CompletedRun::try_from).transpose()?,
            frozen_games: json.frozen_games.into_iter().map(GameKey::try_from).collect::<Result<_, _>>()?,
            exceptions: Exceptions {
                overrides: json.overrides.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
                replaced: json.replaced.into_iter().map(|made| made.replacement(sport)).collect::<Result<_, _>>()?,
            },
            models: json.models.map(ModelsEntry::try_from).transpose()?,
            tree: Some(json.record.try_into()?),
            odds: json.odds.map(ArtifactRef::try_from).transpose()?,
            predictions: json.predictions.into_iter().map(|entry| entry.entry(sport)).collect::<Result<_, _>>()?,
            openers: json.openers.map(ArtifactRef::try_from).transpose()?,
            results: json.results.into_iter().map(|results| results.entry(sport)).collect::<Result<_, _>>()?,
        })
    }
}

fn clock_source(word: &str) -> Result<ClockSource, DecodeError> {
    ClockSource::from_word(word).ok_or_else(|| format!("clock `{word}`").into())
}

impl TryFrom<RunJson> for Run {
    type Error = DecodeError;

    fn try_from(json: RunJson) -> Result<Self, DecodeError> {
        let slate = SlateActivity::ALL.into_iter().find(|slate| slate.word() == json.slate);
        Ok(Self {
            id: json.id,
            started_at: json.started_at.0,
            completed_at: json.completed_at.map(|it| it.0),
            slate: slate.ok_or_else(|| format!("slate `{}`", json.slate))?,
        })
    }
}

impl TryFrom<EarlierRunJson> for CompletedRun {
    type Error = DecodeError;

    fn try_from(json: EarlierRunJson) -> Result<Self, DecodeError> {
        Self::new(json.slate_date.0, json.run.try_into()?).ok_or_else(|| "an earlier run that has not completed".into())
    }
}

impl TryFrom<ArtifactJson> for ArtifactRef {
    type Error = DecodeError;

    fn try_from(json: ArtifactJson) -> Result<Self, DecodeError> {
        Ok(Self {
            object: json.sha256.parse::<ObjectHash>()?,
            bytes: json.bytes,
            published_at: json.published_at.0,
            source_as_of: json.source_as_of.0,
            slate_date: json.slate_date.0,
            release_id: ReleaseId::from_log(json.release_id),
        })
    }
}

impl TryFrom<GameKeyJson> for GameKey {
    type Error = DecodeError;

    fn try_from(json: GameKeyJson) -> Result<Self, DecodeError> {
        let (away, home) = (TeamSlug::normalise(&json.away_team)?, TeamSlug::normalise(&json.home_team)?);
        Ok(Self { date: json.date.0, time: json.time_est, away, home, game_number: json.game_number })
    }
}

impl PredictionsJson {
    fn entry(self, sport: Sport) -> Result<(ModelType, PredictionsEntry), DecodeError> {
        let entry = PredictionsEntry {
            artifact: self.artifact.try_into()?,
            season: Season::parse(sport, &self.season)?,
            held_games: self.held_games.into_iter().map(GameKey::try_from).collect::<Result<_, _>>()?,
            newer_odds_since: self.newer_odds_since.map(|it| it.0),
        };
        Ok((self.model_type.parse()?, entry))
    }
}

impl ResultsJson {
    fn entry(self, sport: Sport) -> Result<((ModelType, Season), ResultsEntry), DecodeError> {
        let key = (self.model_type.parse()?, Season::parse(sport, &self.season)?);
        let coverage = SeasonCoverage {
            rows: self.rows,
            decided: self.decided,
            first_date: self.first_date.map(|it| it.0),
            last_date: self.last_date.map(|it| it.0),
            last_decided_date: self.last_decided_date.map(|it| it.0),
            last_played_with_line_date: self.last_played_with_line_date.map(|it| it.0),
            oldest_unsettled_date: self.oldest_unsettled_date.map(|it| it.0),
        };
        let models = self.models.into_iter().map(|(name, games)| Ok::<_, DecodeError>((name.parse()?, games)));
        let models = models.collect::<Result<_, _>>()?;
        Ok((key, ResultsEntry { artifact: self.artifact.try_into()?, coverage, models }))
    }
}

#[cfg(test)]
mod tests;
