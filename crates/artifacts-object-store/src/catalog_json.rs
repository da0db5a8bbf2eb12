use std::error::Error;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use sports_domain::{ModelType, Season, Sport};
use sports_ports::publication::ObjectKind;
use sports_publication::{
    ArtifactRef, Catalog, Generation, ObjectHash, ReleaseId, ResultsEntry, Run, SeasonCoverage, Slate,
};

use crate::layout;

/// The version of this form. A reader refuses what it does not know rather than misread it.
const SCHEMA_VERSION: u32 = 1;

/// Why the bytes of a log entry are no catalog.
pub type Reason = Box<dyn Error + Send + Sync>;

/// Writes a catalog as it stands in the log.
pub fn write(catalog: &Catalog) -> Result<Vec<u8>, Reason> {
    let mut bytes = serde_json::to_vec_pretty(&CatalogJson::from(catalog))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads a log entry.
pub fn read(bytes: &[u8]) -> Result<Catalog, Reason> {
    let Version { schema_version } = serde_json::from_slice(bytes)?;
    if schema_version != SCHEMA_VERSION {
        return Err(
            format!("the entry has schema_version {schema_version}; this program reads {SCHEMA_VERSION}").into()
        );
    }
    serde_json::from_slice::<CatalogJson>(bytes)?.try_into()
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
    published_at: DateTime<Utc>,
    slate_date: NaiveDate,
    run: Option<RunJson>,
    results: Vec<ResultsJson>,
}

#[derive(Serialize, Deserialize)]
struct RunJson {
    id: String,
    started_at: DateTime<Utc>,
    completed_at: Option<DateTime<Utc>>,
    slate: String,
}

#[derive(Serialize, Deserialize)]
struct ResultsJson {
    model_type: String,
    season: String,
    /// The object's file name, for whoever reads the store without this program.
    #[serde(skip_deserializing)]
    object: String,
    sha256: String,
    bytes: u64,
    published_at: DateTime<Utc>,
    source_as_of: DateTime<Utc>,
    slate_date: NaiveDate,
    release_id: String,
    rows: usize,
    decided: usize,
    first_date: Option<NaiveDate>,
    last_date: Option<NaiveDate>,
    last_decided_date: Option<NaiveDate>,
    last_played_with_line_date: Option<NaiveDate>,
    oldest_unsettled_date: Option<NaiveDate>,
}

impl From<&Catalog> for CatalogJson {
    fn from(catalog: &Catalog) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            sport: catalog.sport.code().to_owned(),
            generation: catalog.generation.get(),
            previous: catalog.previous.map(|hash| hash.to_string()),
            release_id: catalog.release_id.to_string(),
            published_at: catalog.published_at,
            slate_date: catalog.slate_date,
            run: catalog.run.as_ref().map(RunJson::from),
            results: catalog.results.iter().map(ResultsJson::from).collect(),
        }
    }
}

impl From<&Run> for RunJson {
    fn from(run: &Run) -> Self {
        Self {
            id: run.id.clone(),
            started_at: run.started_at,
            completed_at: run.completed_at,
            slate: run.slate.word().to_owned(),
        }
    }
}

impl From<(&(ModelType, Season), &ResultsEntry)> for ResultsJson {
    fn from(((model_type, season), entry): (&(ModelType, Season), &ResultsEntry)) -> Self {
        let ResultsEntry { artifact, coverage } = entry;
        Self {
            model_type: model_type.code().to_owned(),
            season: season.to_string(),
            object: layout::object_name(ObjectKind::Parquet, &artifact.object),
            sha256: artifact.object.to_string(),
            bytes: artifact.bytes,
            published_at: artifact.published_at,
            source_as_of: artifact.source_as_of,
            slate_date: artifact.slate_date,
            release_id: artifact.release_id.to_string(),
            rows: coverage.rows,
            decided: coverage.decided,
            first_date: coverage.first_date,
            last_date: coverage.last_date,
            last_decided_date: coverage.last_decided_date,
            last_played_with_line_date: coverage.last_played_with_line_date,
            oldest_unsettled_date: coverage.oldest_unsettled_date,
        }
    }
}

impl TryFrom<CatalogJson> for Catalog {
    type Error = Reason;

    fn try_from(json: CatalogJson) -> Result<Self, Reason> {
        let sport: Sport = json.sport.parse()?;
        Ok(Self {
            sport,
            generation: Generation::new(json.generation).ok_or("generation 0")?,
            previous: json.previous.map(|hash| hash.parse()).transpose()?,
            release_id: ReleaseId::from_log(json.release_id),
            published_at: json.published_at,
            slate_date: json.slate_date,
            run: json.run.map(Run::try_from).transpose()?,
            results: json.results.into_iter().map(|results| results.entry(sport)).collect::<Result<_, _>>()?,
        })
    }
}

impl TryFrom<RunJson> for Run {
    type Error = Reason;

    fn try_from(json: RunJson) -> Result<Self, Reason> {
        let slate = [Slate::Active, Slate::None].into_iter().find(|slate| slate.word() == json.slate);
        Ok(Self {
            id: json.id,
            started_at: json.started_at,
            completed_at: json.completed_at,
            slate: slate.ok_or_else(|| format!("slate `{}`", json.slate))?,
        })
    }
}

impl ResultsJson {
    fn entry(self, sport: Sport) -> Result<((ModelType, Season), ResultsEntry), Reason> {
        let key = (self.model_type.parse()?, Season::parse(sport, &self.season)?);
        let artifact = ArtifactRef {
            object: self.sha256.parse::<ObjectHash>()?,
            bytes: self.bytes,
            published_at: self.published_at,
            source_as_of: self.source_as_of,
            slate_date: self.slate_date,
            release_id: ReleaseId::from_log(self.release_id),
        };
        let coverage = SeasonCoverage {
            rows: self.rows,
            decided: self.decided,
            first_date: self.first_date,
            last_date: self.last_date,
            last_decided_date: self.last_decided_date,
            last_played_with_line_date: self.last_played_with_line_date,
            oldest_unsettled_date: self.oldest_unsettled_date,
        };
        Ok((key, ResultsEntry { artifact, coverage }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_another_form_is_refused_by_its_version() {
        let error = read(br#"{"schema_version": 2, "anything": true}"#).expect_err("unknown form");
        assert!(error.to_string().contains("schema_version 2"));
        assert!(read(b"{").is_err());
        assert!(read(b"").is_err());
    }
}
