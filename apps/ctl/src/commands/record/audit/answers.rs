//! The answers of a service about a season, in the words of the audit.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sports_domain::{ClockSource, FinalScore, GameKey, LineColumn, ModelColumn, ModelType, Season, Sport, TeamSlug};
use sports_system::print_error_line;
use sports_transparency::audit::{ListedRelease, LocatedOpening, ResultRow, RowStatements};
use sports_transparency::{Opening, RecordedEnding, StatusWord};

use super::super::remote::{Remote, json_of, not_json};
use crate::failure::Failure;
use crate::instant;

/// The fields of a line of NDJSON.
type Line<'l> = BTreeMap<&'l str, Value>;

/// A league at a service.
pub struct Answers<'r> {
    pub remote: &'r Remote,
    pub sport: Sport,
}

/// Prints what happens now, on standard error.
pub fn progress(sentence: &str) {
    print_error_line!("{sentence}");
}

impl Answers<'_> {
    /// Returns the names of the publisher's own models.
    pub async fn own_models(&self) -> Result<BTreeSet<String>, Failure> {
        let answer = self.get(&format!("/api/v1/models/{}", self.sport)).await?.unwrap_or_default();
        let models = json_of(&answer)?;
        let models = models["models"].as_array().map_or(&[][..], Vec::as_slice);
        let own = models.iter().filter(|model| model["kind"] == "own");
        Ok(own.filter_map(|model| model["model"].as_str().map(str::to_owned)).collect())
    }

    /// Returns the seasons of a market; none if the service does not list them.
    pub async fn seasons(&self, model_type: ModelType) -> Vec<Season> {
        let path = format!("/api/v1/results/{}/{model_type}/seasons", self.sport);
        let answer = self.remote.answer(&path).await.ok();
        let listed = answer.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok()).unwrap_or_default();
        let seasons = listed["seasons"].as_array().map_or(&[][..], Vec::as_slice);
        seasons.iter().filter_map(|season| Season::parse(self.sport, season.as_str()?).ok()).collect()
    }

    /// Returns the rows of a market and season as of an entry; none if the market has no such season.
    pub async fn rows(
        &self,
        (model_type, season): (ModelType, Season),
        generation: u64,
        own: &BTreeSet<String>,
    ) -> Result<Vec<ResultRow>, Failure> {
        let Self { sport, .. } = self;
        progress(&format!("Reading results and openings of {model_type} {season}"));
        let path =
            format!("/api/v1/results/{sport}/{model_type}?season={season}&format=ndjson&generation={generation}");
        self.lines(&path, |row| result_row(row, (model_type, season), own)).await
    }

    /// Returns the openings of a market and season.
    pub async fn openings(&self, model_type: ModelType, season: Season) -> Result<Vec<LocatedOpening>, Failure> {
        let Self { sport, .. } = self;
        self.lines(&format!("/api/v1/record/{sport}/{model_type}/openings?season={season}"), opening).await
    }

    /// Returns all releases of the league.
    pub async fn releases(&self) -> Result<Vec<ListedRelease>, Failure> {
        progress("Reading the list of releases");
        let (mut releases, mut before) = (Vec::new(), None);
        loop {
            let below = before.map_or_else(String::new, |before: u64| format!("&before={before}"));
            let path = format!("/api/v1/releases/{}?limit=100{below}", self.sport);
            let page = json_of(&self.get(&path).await?.unwrap_or_default())?;
            let items = page["releases"].as_array().map_or(&[][..], Vec::as_slice);
            for item in items {
                releases.push(release(item).ok_or_else(|| unreadable(&path))?);
            }
            match page["next_before"].as_u64() {
                Some(next) if before.is_none_or(|before| next < before) => before = Some(next),
                Some(_) => return Err(Failure::other("the list of releases does not go on")),
                None => return Ok(releases),
            }
        }
    }

    /// Reads an answer; `None` if the service has no such thing.
    async fn get(&self, path: &str) -> Result<Option<bytes::Bytes>, Failure> {
        match self.remote.answer(path).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(Failure::other(error)),
        }
    }

    async fn lines<T>(&self, path: &str, read: impl Fn(&Line<'_>) -> Option<T>) -> Result<Vec<T>, Failure> {
        let Some(bytes) = self.get(path).await? else { return Ok(Vec::new()) };
        let text = std::str::from_utf8(&bytes).map_err(|_| unreadable(path))?;
        let lines = text.lines().map(|line| {
            let fields = serde_json::from_str(line).map_err(|error| not_json(&error))?;
            read(&fields).ok_or_else(|| unreadable(path))
        });
        lines.collect()
    }
}

fn unreadable(path: &str) -> Failure {
    Failure::other(format!("the answer for {path} has another form than expected"))
}

fn text<'l>(line: &'l Line<'_>, name: &str) -> Option<&'l str> {
    line.get(name)?.as_str()
}

fn opening(line: &Line<'_>) -> Option<LocatedOpening> {
    let (entry, payload) = (text(line, "entry")?.to_owned(), text(line, "payload")?.to_owned());
    let opening = Opening { entry, salt: text(line, "salt")?.parse().ok()?, payload };
    Some(LocatedOpening { index: line.get("index")?.as_u64()?, opening })
}

fn release(item: &Value) -> Option<ListedRelease> {
    Some(ListedRelease {
        generation: item["generation"].as_u64()?,
        release_id: item["release_id"].as_str()?.to_owned(),
        published_at: instant::read(item["published_at"].as_str()?).ok()?,
        clock: ClockSource::from_word(item["clock"].as_str()?)?,
        sha256: item["sha256"].as_str()?.parse().ok()?,
    })
}

fn result_row(row: &Line<'_>, (model_type, season): (ModelType, Season), own: &BTreeSet<String>) -> Option<ResultRow> {
    let numbers = |names: &mut dyn Iterator<Item = &str>| -> BTreeMap<String, f64> {
        names.filter_map(|name| row.get(name)?.as_f64().map(|number| (name.to_owned(), number))).collect()
    };
    let is_live = text(row, "forecast_source") == Some("live");
    Some(ResultRow {
        model_type,
        season,
        game: game(row)?,
        live_run: is_live.then(|| text(row, "forecast_run").unwrap_or_default().to_owned()),
        lines: numbers(&mut LineColumn::ALL.into_iter().map(LineColumn::name)),
        standard: numbers(&mut ModelColumn::FORECASTS.into_iter().map(ModelColumn::name)),
        own: numbers(&mut own.iter().map(String::as_str)),
        ending: ending(row)?,
        statements: statements(row, model_type)?,
    })
}

fn statements(row: &Line<'_>, model_type: ModelType) -> Option<RowStatements> {
    let word = |name: &str| text(row, name).map(str::to_owned);
    let published_at = match text(row, "forecast_published_at") {
        None => None,
        Some(instant) => Some(instant::read(instant).ok()?),
    };
    Some(RowStatements {
        season: word("season")?,
        published_at,
        probability_source: word("model_probability_source"),
        positive_won: row.get(model_type.outcome_column()).and_then(Value::as_u64).map(|won| won == 1),
        push: row.get("push").and_then(Value::as_bool),
        graded: row.get("graded")?.as_bool()?,
        ungraded_reason: word("ungraded_reason"),
    })
}

fn game(row: &Line<'_>) -> Option<GameKey> {
    let team = |name: &str| TeamSlug::normalise(text(row, name)?).ok();
    let time = match row.get("time_est") {
        None | Some(Value::Null) => None,
        Some(time) => Some(time.as_str()?.parse().ok()?),
    };
    let game_number = match row.get("game_number") {
        None | Some(Value::Null) => None,
        Some(number) => Some(u8::try_from(number.as_u64()?).ok()?),
    };
    let date = text(row, "date")?.parse().ok()?;
    Some(GameKey { date, time, away: team("away_team")?, home: team("home_team")?, game_number })
}

fn ending(row: &Line<'_>) -> Option<RecordedEnding> {
    let score = |name: &str| row.get(name)?.as_u64().and_then(|score| u16::try_from(score).ok());
    let status = text(row, "settlement_status").map(StatusWord::like);
    Some(match (score("away_score").zip(score("home_score")), status) {
        (Some((away, home)), Some(status)) => RecordedEnding::Final { score: FinalScore { away, home }, status },
        (None, Some(status)) => RecordedEnding::CalledOff { status },
        (None, None) => RecordedEnding::Gone,
        (Some(_), None) => return None,
    })
}
