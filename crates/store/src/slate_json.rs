//! Odds, predictions, first quotes, registries of models and leaves as JSON. Every artifact has its kind and league in it,
//! because other programs read these objects too.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::error::Error;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sports_domain::{Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::SlateCodec;
use sports_publication::registry::{LeagueSettings, Registry};
use sports_publication::{EntryLeaves, Predictions, SlateArtifact};

use crate::catalog_json::first_difference;

const PORT: &str = "the slate artifact format";

/// The newest form of odds, predictions and first quotes: predictions with a publisher's own models.
pub const SCHEMA_VERSION: u32 = 3;

/// The form of odds, first quotes, and predictions without own models.
const WITHOUT_OWN_MODELS: u32 = 2;

/// The form of registries and leaves.
const FIRST: u32 = 1;

/// The form of registries with settings of the league.
const WITH_LEAGUE: u32 = 2;

/// The size of the largest registry that is read, in bytes; the largest that can be declared is smaller.
const LARGEST_REGISTRY: usize = 8 << 20;

type DecodeError = Box<dyn Error + Send + Sync>;

/// Reads and writes the artifacts of a slate as JSON.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonSlates;

impl SlateCodec for JsonSlates {
    fn encode(&self, sport: Sport, artifact: &SlateArtifact) -> Result<Bytes, PortError> {
        write(sport, artifact).map(Bytes::from).map_err(|reason| PortError::corrupt(PORT, reason))
    }

    fn decode(&self, sport: Sport, bytes: &Bytes) -> Result<SlateArtifact, PortError> {
        read(sport, bytes).map_err(|reason| PortError::corrupt(PORT, reason))
    }
}

/// An artifact with the fields that every artifact has.
#[derive(Serialize)]
struct Stored<'a> {
    schema_version: u32,
    sport: Sport,
    #[serde(flatten)]
    artifact: &'a SlateArtifact,
}

/// The fields that every artifact has. The kind selects the others.
#[derive(Deserialize)]
struct Header<'j> {
    #[serde(borrow)]
    kind: Cow<'j, str>,
    schema_version: u32,
    #[serde(borrow)]
    sport: Cow<'j, str>,
}

impl<'a> Stored<'a> {
    fn of(sport: Sport, artifact: &'a SlateArtifact) -> Self {
        Self { schema_version: form_of(artifact), sport, artifact }
    }
}

/// Returns the form of an artifact. Predictions without own models, and registries without settings of the league, have the
/// form of all before, so that equal content has equal bytes.
fn form_of(artifact: &SlateArtifact) -> u32 {
    match artifact {
        SlateArtifact::Models(registry) if *registry.league() != LeagueSettings::default() => WITH_LEAGUE,
        SlateArtifact::Models(_) | SlateArtifact::Leaves(_) => FIRST,
        SlateArtifact::Predictions(predictions) if predictions.games().iter().any(|game| !game.game.own.is_empty()) => {
            SCHEMA_VERSION
        }
        SlateArtifact::Odds(_) | SlateArtifact::Openers(_) | SlateArtifact::Predictions(_) => WITHOUT_OWN_MODELS,
    }
}

fn write(sport: Sport, artifact: &SlateArtifact) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = serde_json::to_vec(&Stored::of(sport, artifact))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Parses an artifact of `sport`: it must have exactly the fields of its kind and form, with the values that this program
/// would write.
fn read(sport: Sport, bytes: &[u8]) -> Result<SlateArtifact, DecodeError> {
    let Header { kind, schema_version: form, sport: of } = serde_json::from_slice(bytes)?;
    if of != sport.code() {
        return Err(format!("the artifact is of {of}").into());
    }
    let forms = match &*kind {
        "models" => FIRST..=WITH_LEAGUE,
        "leaves" => FIRST..=FIRST,
        _ => WITHOUT_OWN_MODELS..=SCHEMA_VERSION,
    };
    if !forms.contains(&form) {
        let (oldest, newest) = forms.into_inner();
        return Err(format!("the artifact has schema_version {form}; this program reads {oldest} to {newest}").into());
    }
    let artifact = match &*kind {
        "odds" => SlateArtifact::Odds(serde_json::from_slice(bytes)?),
        "predictions" => SlateArtifact::Predictions(predictions(sport, bytes)?),
        "openers" => SlateArtifact::Openers(serde_json::from_slice(bytes)?),
        "models" => SlateArtifact::Models(registry(bytes)?),
        "leaves" => SlateArtifact::Leaves(leaves(sport, bytes)?),
        other => return Err(format!("the artifact has the unknown kind `{other}`").into()),
    };
    if write(sport, &artifact)? == bytes {
        return Ok(artifact);
    }
    let (found, expected) = (serde_json::from_slice(bytes)?, serde_json::to_value(Stored::of(sport, &artifact))?);
    first_difference(&found, &expected, "the artifact").map_or(Ok(artifact), |difference| Err(difference.into()))
}

fn predictions(sport: Sport, bytes: &[u8]) -> Result<Predictions, DecodeError> {
    let predictions: Predictions = serde_json::from_slice(bytes)?;
    let _ = Season::parse(sport, &predictions.season().to_string())?;
    Ok(predictions)
}

fn registry(bytes: &[u8]) -> Result<Registry, DecodeError> {
    if bytes.len() > LARGEST_REGISTRY {
        return Err(format!("the registry has {} bytes; the largest has {LARGEST_REGISTRY}", bytes.len()).into());
    }
    Ok(serde_json::from_slice(bytes)?)
}

fn leaves(sport: Sport, bytes: &[u8]) -> Result<EntryLeaves, DecodeError> {
    let leaves: EntryLeaves = serde_json::from_slice(bytes)?;
    match leaves.leaves.iter().find(|leaf| leaf.sport != sport) {
        Some(leaf) => Err(format!("a leaf is of {}", leaf.sport).into()),
        None => Ok(leaves),
    }
}
