//! The registry of a league's models as JSON. An object of another form, or with other fields, is refused.

use std::error::Error;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sports_content::ObjectHash;
use sports_domain::{ModelName, Sport};
use sports_ports::publication::OtherForm;
use sports_publication::Generation;
use sports_publication::registry::{ModelVersion, Moment, RegisteredModel, Registry};

use crate::exact_fields::first_difference;
use crate::within_reach::WithinReach;

/// The version of the form of registries.
pub const SCHEMA_VERSION: u32 = 1;
pub const KIND: &str = "models";
/// The size of the largest registry that is read, in bytes; the largest that can be declared is smaller.
const LARGEST: usize = 8 << 20;

type DecodeError = Box<dyn Error + Send + Sync>;

pub fn write(sport: Sport, registry: &Registry) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = serde_json::to_vec(&RegistryJson::new(sport, registry))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Parses a registry of `sport`.
pub fn read(sport: Sport, bytes: &[u8]) -> Result<Registry, DecodeError> {
    if bytes.len() > LARGEST {
        return Err(format!("the registry has {} bytes; the largest has {LARGEST}", bytes.len()).into());
    }
    let found: serde_json::Value = serde_json::from_slice(bytes)?;
    let form = found["schema_version"].as_u64().and_then(|form| u32::try_from(form).ok()).unwrap_or_default();
    if form > SCHEMA_VERSION {
        return Err(OtherForm::Newer { found: form, newest: SCHEMA_VERSION }.into());
    }
    let json: RegistryJson = serde_json::from_slice(bytes)?;
    if json.sport != sport.code() {
        return Err(format!("the registry is of {}", json.sport).into());
    }
    let registry = json.registry()?;
    let expected = serde_json::to_value(RegistryJson::new(sport, &registry))?;
    first_difference(&found, &expected, "the registry").map_or(Ok(registry), |difference| Err(difference.into()))
}

#[derive(Serialize, Deserialize)]
struct RegistryJson {
    schema_version: u32,
    sport: String,
    kind: String,
    headline: String,
    not_models: Vec<String>,
    models: Vec<ModelJson>,
    before: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct ModelJson {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    public: bool,
    model_types: Vec<String>,
    declared_generation: u64,
    declared_at: WithinReach<DateTime<Utc>>,
    retired_generation: Option<u64>,
    retired_at: Option<WithinReach<DateTime<Utc>>>,
    versions: Vec<VersionJson>,
}

#[derive(Serialize, Deserialize)]
struct VersionJson {
    version: String,
    sha256: Option<String>,
    since_generation: u64,
    published_at: WithinReach<DateTime<Utc>>,
}

impl RegistryJson {
    fn new(sport: Sport, registry: &Registry) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            sport: sport.code().to_owned(),
            kind: KIND.to_owned(),
            headline: registry.headline().to_string(),
            not_models: registry.not_models().iter().map(ToString::to_string).collect(),
            models: registry.models().iter().map(ModelJson::from).collect(),
            before: registry.before().map(|object| object.to_string()),
        }
    }

    fn registry(self) -> Result<Registry, DecodeError> {
        let not_models = self.not_models.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
        let models = self.models.into_iter().map(RegisteredModel::try_from).collect::<Result<_, _>>()?;
        let before = self.before.map(|object| object.parse()).transpose()?;
        Ok(Registry::restored(self.headline.parse()?, not_models, models, before)?)
    }
}

impl From<&RegisteredModel> for ModelJson {
    fn from(model: &RegisteredModel) -> Self {
        Self {
            name: model.name.to_string(),
            title: model.title.clone(),
            description: model.description.clone(),
            url: model.url.clone(),
            public: model.public,
            model_types: model.model_types.iter().map(|model_type| model_type.code().to_owned()).collect(),
            declared_generation: model.declared.generation.get(),
            declared_at: WithinReach(model.declared.at),
            retired_generation: model.retired.map(|retired| retired.generation.get()),
            retired_at: model.retired.map(|retired| WithinReach(retired.at)),
            versions: model.versions.iter().map(VersionJson::from).collect(),
        }
    }
}

impl From<&ModelVersion> for VersionJson {
    fn from(version: &ModelVersion) -> Self {
        Self {
            version: version.version.clone(),
            sha256: version.sha256.map(|hash| hash.to_string()),
            since_generation: version.since.generation.get(),
            published_at: WithinReach(version.since.at),
        }
    }
}

impl TryFrom<ModelJson> for RegisteredModel {
    type Error = DecodeError;

    fn try_from(json: ModelJson) -> Result<Self, DecodeError> {
        let name: ModelName = json.name.parse()?;
        let retired = json.retired_generation.zip(json.retired_at);
        let retired = retired.map(|(generation, at)| moment(generation, at)).transpose()?;
        let model_types = json.model_types.iter().map(|code| code.parse()).collect::<Result<_, _>>()?;
        let versions = json.versions.into_iter().map(ModelVersion::try_from).collect::<Result<_, _>>()?;
        Ok(Self {
            name,
            title: json.title,
            description: json.description,
            url: json.url,
            public: json.public,
            model_types,
            declared: moment(json.declared_generation, json.declared_at)?,
            retired,
            versions,
        })
    }
}

impl TryFrom<VersionJson> for ModelVersion {
    type Error = DecodeError;

    fn try_from(json: VersionJson) -> Result<Self, DecodeError> {
        let sha256 = json.sha256.map(|hash| hash.parse::<ObjectHash>()).transpose()?;
        Ok(Self { version: json.version, sha256, since: moment(json.since_generation, json.published_at)? })
    }
}

fn moment(generation: u64, at: WithinReach<DateTime<Utc>>) -> Result<Moment, DecodeError> {
    Ok(Moment { generation: Generation::new(generation).ok_or("generation 0")?, at: at.0 })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use sports_domain::ModelColumn;
    use sports_testkit::publication::contract::a_registry;

    use super::*;

    fn stored() -> Value {
        serde_json::from_slice(&write(Sport::Nfl, &a_registry()).expect("written")).expect("JSON")
    }

    #[test]
    fn a_registry_reads_back_equal() {
        let read = read(Sport::Nfl, &write(Sport::Nfl, &a_registry()).expect("written")).expect("a registry");
        assert_eq!(read, a_registry());
    }

    /// Creates a registry with the most models and versions, each text of the longest characters.
    fn the_largest() -> Registry {
        let moment = |number| Moment {
            generation: Generation::new(number).expect("not zero"),
            at: "2026-11-23T15:00:00.123Z".parse().expect("an instant"),
        };
        let (early, late) = (moment(999_999_999_998), moment(999_999_999_999));
        let text = |length| Some("\u{1f3c8}".repeat(length));
        let version = || ModelVersion {
            version: text(64).expect("a text"),
            sha256: Some(ObjectHash::from_bytes(b"a version")),
            since: late,
        };
        let own = (0..Registry::MOST_EVER).map(|index| format!("m{index:0>31}").parse().expect("a name"));
        let standard = ModelColumn::FORECASTS.into_iter().map(ModelName::of);
        let models = own.chain(standard).map(|name| RegisteredModel {
            title: text(64),
            description: text(500),
            url: text(300),
            retired: Some(late),
            versions: std::iter::repeat_with(version).take(Registry::MOST_VERSIONS).collect(),
            ..RegisteredModel::new(name, early)
        });
        let not_models = (0..Registry::MOST_NOT_MODELS).map(|index| format!("n{index:0>31}").parse().expect("a name"));
        let before = ObjectHash::from_bytes(b"the one before");
        Registry::restored(Registry::DEFAULT_HEADLINE, not_models.collect(), models.collect(), Some(before))
            .expect("a registry")
    }

    #[test]
    fn the_largest_registry_that_can_be_declared_is_read() {
        let bytes = write(Sport::Ncaaf, &the_largest()).expect("written");
        assert!((7 << 20..LARGEST).contains(&bytes.len()), "{} bytes", bytes.len());
        assert_eq!(read(Sport::Ncaaf, &bytes).expect("a registry"), the_largest());
    }

    #[test]
    fn a_registry_of_another_league_form_or_shape_is_refused() {
        let changed = |change: fn(&mut Value)| {
            let mut json = stored();
            change(&mut json);
            read(Sport::Nfl, json.to_string().as_bytes()).map_err(|error| error.to_string())
        };
        assert!(changed(|_| {}).is_ok());
        let refused: [fn(&mut Value); 9] = [
            |json| json["sport"] = "nba".into(),
            |json| json["schema_version"] = 2.into(),
            |json| json["schema_version"] = 0.into(),
            |json| json["kind"] = "odds".into(),
            |json| json["later"] = true.into(),
            |json| json["headline"] = "nobody".into(),
            |json| json["models"][0]["name"] = "implied".into(),
            |json| json["models"][0]["declared_generation"] = 0.into(),
            |json| json["models"] = json!([json["models"][0], json["models"][0]]),
        ];
        for change in refused {
            assert!(changed(change).is_err());
        }
        assert!(read(Sport::Nfl, &vec![b' '; LARGEST + 1]).is_err());
    }
}
