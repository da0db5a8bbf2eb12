//! Odds, predictions, openers, registries and leaves as JSON. Every artifact has its kind and league in it, because other programs read
//! these objects too.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;

use bytes::Bytes;
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sports_domain::{
    Forecasts, GameKey, GameLines, GameType, ModelName, OwnForecasts, Probability, Season, Sport, TeamSlug,
};
use sports_ports::PortError;
use sports_ports::publication::SlateCodec;
use sports_publication::{Extras, Odds, Opener, Openers, PredictedGame, Predictions, SlateArtifact, Value as Extra};
use sports_slate::{OddsGame, SlateGame, TeamName, TeamNames};

use crate::lines_json::LinesJson;
use crate::within_reach::WithinReach;
use crate::{models_json, tree_json};

const PORT: &str = "the slate artifact format";
/// The newest version of the form of odds, predictions and first quotes: predictions with a publisher's own models.
pub const SCHEMA_VERSION: u32 = 3;
/// The form of artifacts without own models.
const WITHOUT_OWN_MODELS: u32 = 2;

/// The error for a stored game without an identity.
const NO_ID: &str = "a game has no game_id";

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

fn write(sport: Sport, artifact: &SlateArtifact) -> Result<Vec<u8>, DecodeError> {
    let content = match artifact {
        SlateArtifact::Models(registry) => return models_json::write(sport, registry),
        SlateArtifact::Leaves(leaves) => return tree_json::write(sport, leaves),
        SlateArtifact::Odds(odds) => ContentJson::from(odds),
        SlateArtifact::Openers(openers) => ContentJson::from(openers),
        SlateArtifact::Predictions(predictions) => ContentJson::from(predictions),
    };
    let json = ArtifactJson { schema_version: form_of(artifact), sport: sport.code().to_owned(), content };
    let mut bytes = serde_json::to_vec(&json)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The fields that every artifact has. The kind selects the form of the others.
#[derive(Deserialize)]
struct Header<'j> {
    #[serde(borrow)]
    kind: Cow<'j, str>,
    schema_version: u32,
    #[serde(borrow)]
    sport: Cow<'j, str>,
}

fn read(sport: Sport, bytes: &[u8]) -> Result<SlateArtifact, DecodeError> {
    let header: Header<'_> = serde_json::from_slice(bytes)?;
    match &*header.kind {
        models_json::KIND => return models_json::read(sport, bytes).map(SlateArtifact::Models),
        tree_json::KIND => return tree_json::read(sport, bytes).map(SlateArtifact::Leaves),
        _ => {}
    }
    let form = header.schema_version;
    if ![WITHOUT_OWN_MODELS, SCHEMA_VERSION].contains(&form) {
        return Err(format!(
            "the artifact has schema_version {form}; this program reads {WITHOUT_OWN_MODELS} and {SCHEMA_VERSION}"
        )
        .into());
    }
    if header.sport != sport.code() {
        return Err(format!("the artifact is of {}", header.sport).into());
    }
    let artifact = match &*header.kind {
        "odds" => SlateArtifact::Odds(serde_json::from_slice::<GamesJson>(bytes)?.into_odds()?),
        "predictions" => {
            SlateArtifact::Predictions(serde_json::from_slice::<PredictionsJson>(bytes)?.into_predictions(sport)?)
        }
        "openers" => SlateArtifact::Openers(serde_json::from_slice::<GamesJson>(bytes)?.into_openers()?),
        other => return Err(format!("the artifact has the unknown kind `{other}`").into()),
    };
    match form_of(&artifact) {
        expected if expected == form => Ok(artifact),
        expected => Err(format!("the artifact has schema_version {form} and content of version {expected}").into()),
    }
}

/// Returns the form of an artifact, so that equal content has equal bytes.
fn form_of(artifact: &SlateArtifact) -> u32 {
    match artifact {
        SlateArtifact::Predictions(predictions) if predictions.games().iter().any(|game| !game.game.own.is_empty()) => {
            SCHEMA_VERSION
        }
        _ => WITHOUT_OWN_MODELS,
    }
}

#[derive(Serialize)]
struct ArtifactJson {
    schema_version: u32,
    sport: String,
    #[serde(flatten)]
    content: ContentJson,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ContentJson {
    Odds(GamesJson),
    Predictions(PredictionsJson),
    Openers(GamesJson),
}

#[derive(Serialize, Deserialize)]
struct GamesJson {
    games: Vec<GameJson>,
}

#[derive(Serialize, Deserialize)]
struct PredictionsJson {
    model_type: String,
    season: String,
    games: Vec<GameJson>,
    /// Names by slug. Omitted if empty, so that predictions without names keep their bytes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    team_names: BTreeMap<String, String>,
}

/// A game of any artifact, with the fields of all kinds.
#[derive(Serialize, Deserialize, Default)]
struct GameJson {
    date: WithinReach<NaiveDate>,
    time_est: Option<NaiveTime>,
    away_team: String,
    home_team: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_number: Option<u8>,
    game_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    listed_start: Option<WithinReach<NaiveDateTime>>,
    match_id: Option<String>,
    #[serde(default)]
    lines: LinesJson,
    /// First quotes that are not openers yet.
    #[serde(default, skip_serializing_if = "LinesJson::is_empty")]
    unconfirmed: LinesJson,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    predictions: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quote_source: Option<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    extras: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_updated: Option<WithinReach<NaiveDateTime>>,
}

impl From<&Odds> for ContentJson {
    fn from(odds: &Odds) -> Self {
        Self::Odds(GamesJson { games: odds.games().iter().map(GameJson::from).collect() })
    }
}

impl From<&Openers> for ContentJson {
    fn from(openers: &Openers) -> Self {
        Self::Openers(GamesJson { games: openers.iter().map(GameJson::from).collect() })
    }
}

impl From<&Predictions> for ContentJson {
    fn from(predictions: &Predictions) -> Self {
        Self::Predictions(PredictionsJson {
            model_type: predictions.model_type().code().to_owned(),
            season: predictions.season().to_string(),
            games: predictions.games().iter().map(GameJson::from).collect(),
            team_names: names_json(predictions.names()),
        })
    }
}

impl GameJson {
    fn from_lines(key: &GameKey, match_id: Option<&String>, lines: &GameLines) -> Self {
        Self {
            date: WithinReach(key.date),
            time_est: key.time,
            away_team: key.away.to_string(),
            home_team: key.home.to_string(),
            game_number: key.game_number,
            match_id: match_id.cloned(),
            lines: LinesJson(*lines),
            ..Self::default()
        }
    }

    fn key(&self) -> Result<GameKey, DecodeError> {
        let (away, home) = (TeamSlug::normalise(&self.away_team)?, TeamSlug::normalise(&self.home_team)?);
        Ok(GameKey { date: self.date.0, time: self.time_est, away, home, game_number: self.game_number })
    }
}

impl From<&OddsGame> for GameJson {
    fn from(game: &OddsGame) -> Self {
        Self {
            quote_source: game.quote_source.clone(),
            last_updated: game.last_updated.map(WithinReach),
            game_id: game.game_id.clone(),
            listed_start: game.listed_start.map(WithinReach),
            ..Self::from_lines(&game.key, game.match_id.as_ref(), &game.lines)
        }
    }
}

impl From<(&GameKey, &Opener)> for GameJson {
    fn from((key, opener): (&GameKey, &Opener)) -> Self {
        let unconfirmed = LinesJson(opener.unconfirmed);
        let game_id = opener.game_id.clone();
        Self { game_id, unconfirmed, ..Self::from_lines(key, opener.match_id.as_ref(), &opener.lines) }
    }
}

impl From<&PredictedGame> for GameJson {
    fn from(predicted: &PredictedGame) -> Self {
        let game = &predicted.game;
        let standard = game.forecasts.iter().map(|(model, probability)| (model.into(), probability));
        let forecasts = standard.chain(game.own.iter());
        Self {
            game_id: game.game_id.clone(),
            predictions: forecasts.map(|(model, probability)| (model.to_string(), probability.get())).collect(),
            game_type: predicted.game_type.as_ref().map(ToString::to_string),
            quote_source: predicted.quote_source.clone(),
            extras: predicted.extras.iter().map(|(name, value)| (name.to_owned(), extra_json(value))).collect(),
            ..Self::from_lines(&game.key, game.match_id.as_ref(), &game.lines)
        }
    }
}

impl GamesJson {
    fn into_odds(self) -> Result<Odds, DecodeError> {
        Ok(Odds::new(self.games.into_iter().map(OddsGame::try_from).collect::<Result<_, _>>()?)?)
    }

    fn into_openers(self) -> Result<Openers, DecodeError> {
        let games = self.games.into_iter().map(<(GameKey, Opener)>::try_from);
        Ok(Openers::new(games.collect::<Result<Vec<_>, _>>()?)?)
    }
}

impl PredictionsJson {
    fn into_predictions(self, sport: Sport) -> Result<Predictions, DecodeError> {
        let games = self.games.into_iter().map(PredictedGame::try_from).collect::<Result<_, _>>()?;
        let season = Season::parse(sport, &self.season)?;
        Ok(Predictions::new(self.model_type.parse()?, season, games)?.naming(names(&self.team_names)?))
    }
}

impl TryFrom<GameJson> for OddsGame {
    type Error = DecodeError;

    fn try_from(json: GameJson) -> Result<Self, DecodeError> {
        let (key, lines) = (json.key()?, json.lines.0);
        Ok(Self {
            key,
            game_id: Some(json.game_id.ok_or(NO_ID)?),
            listed_start: json.listed_start.map(|it| it.0),
            match_id: json.match_id,
            lines,
            quote_source: json.quote_source,
            last_updated: json.last_updated.map(|it| it.0),
        })
    }
}

impl TryFrom<GameJson> for (GameKey, Opener) {
    type Error = DecodeError;

    fn try_from(json: GameJson) -> Result<Self, DecodeError> {
        let key = json.key()?;
        let (lines, unconfirmed) = (json.lines.0, json.unconfirmed.0);
        let game_id = Some(json.game_id.ok_or(NO_ID)?);
        Ok((key, Opener { game_id, match_id: json.match_id, lines, unconfirmed }))
    }
}

impl TryFrom<GameJson> for PredictedGame {
    type Error = DecodeError;

    fn try_from(json: GameJson) -> Result<Self, DecodeError> {
        let (mut forecasts, mut own) = (Forecasts::default(), OwnForecasts::default());
        for (name, probability) in &json.predictions {
            let (name, probability) = (name.parse::<ModelName>()?, Probability::new(*probability)?);
            match name.column() {
                Some(column) => forecasts = forecasts.with(column, probability),
                None => own.insert(name, probability),
            }
        }
        let mut extras = Extras::default();
        for (name, value) in &json.extras {
            extras.insert(name, extra(value)?);
        }
        let (key, lines) = (json.key()?, json.lines.0);
        let game_id = Some(json.game_id.ok_or(NO_ID)?);
        let game = SlateGame { key, game_id, match_id: json.match_id, lines, forecasts, own };
        let game_type = json.game_type.as_deref().map(GameType::from_word);
        Ok(Self { game, game_type, quote_source: json.quote_source, extras })
    }
}

fn names_json(names: &TeamNames) -> BTreeMap<String, String> {
    names.iter().map(|(team, name)| (team.to_string(), name.as_str().to_owned())).collect()
}

fn names(json: &BTreeMap<String, String>) -> Result<TeamNames, DecodeError> {
    let mut names = TeamNames::default();
    for (team, name) in json {
        names.add(TeamSlug::normalise(team)?, TeamName::recorded(name)?);
    }
    Ok(names)
}

fn extra_json(value: &Extra<String>) -> Value {
    match value.borrowed() {
        Extra::Flag(flag) => Value::from(flag),
        Extra::Integer(number) => Value::from(number),
        Extra::Number(number) => Value::from(number),
        other => Value::from(other.written()),
    }
}

fn extra(value: &Value) -> Result<Extra<String>, DecodeError> {
    match value {
        Value::Bool(flag) => Ok(Extra::Flag(*flag)),
        Value::String(text) => Ok(Extra::Text(text.clone())),
        Value::Number(number) => {
            let whole = number.as_i64().map(Extra::Integer);
            whole.or_else(|| number.as_f64().map(Extra::Number)).ok_or_else(|| "a number out of range".into())
        }
        Value::Null | Value::Array(_) | Value::Object(_) => Err("an extra column holds one value".into()),
    }
}
