//! The answers of a service about a season, in the words of the audit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use sports_domain::{
    ClockSource, FinalScore, GameKey, GameLines, LineColumn, ModelColumn, ModelName, ModelType, Season, Sport, TeamSlug,
};
use sports_program::print_error_line;
use sports_record_signing::service::{Answer, FetchError};
use sports_transparency::audit::{
    DecidedPicks, ListedRelease, LocatedOpening, ReleaseList, ResultRow, RowStatements, StatedLeaves, lines_of,
};
use sports_transparency::{Opening, RecordedEnding, StatusWord};

use super::super::remote::{Remote, json_of, not_json, unanswered};
use super::line::Line;
use crate::failure::Failure;
use crate::report;

/// A league at a service.
pub struct Answers<'r> {
    pub remote: &'r Remote,
    pub sport: Sport,
    /// The entry as of which rows and picks are asked for; `None` asks for what stands now.
    pub generation: Option<u64>,
    /// The newest entry of the tree.
    pub newest: u64,
    /// The markets of which the tree has forecasts.
    pub markets: BTreeSet<ModelType>,
    /// Set once an answer is of an entry that the tree does not have.
    pub has_newer: AtomicBool,
}

/// The picks of each model that won and that lost, and the units by unit staked on them, as the service states them.
pub type PickReturns = BTreeMap<(ModelType, ModelName), ([u64; 2], f64)>;

/// Prints what happens now, on standard error.
pub fn progress(sentence: &str) {
    print_error_line!("{sentence}");
}

impl Answers<'_> {
    /// Checks that no model of the league is hidden from a reader without a key, from whom the openings of its games are.
    pub async fn expect_public_models(&self) -> Result<(), Failure> {
        let path = "/api/v1/public/leagues";
        let answer = json_of(&self.get(path).await?.unwrap_or_default())?;
        let mut leagues = list_of(&answer, "leagues", path)?.iter();
        let league = leagues.find(|league| league["sport"] == self.sport.code());
        match league.map(|league| league["models_hidden"].as_u64()) {
            None => Err(Failure::bad_input(format!("the record of {} is not open: --key is missing", self.sport))),
            Some(None) => Err(unreadable(path)),
            Some(Some(0)) => Ok(()),
            Some(Some(hidden)) => Err(Failure::bad_input(format!(
                "{hidden} of the models of {} are not public, and openings have the values of all: --key is missing",
                self.sport
            ))),
        }
    }

    /// Returns the parameter of answers that an entry pins.
    fn pinned(&self) -> String {
        self.generation.map_or_else(String::new, |generation| format!("&generation={generation}"))
    }

    /// Returns the models whose probabilities the league's rows have: those of every league, and the publisher's own, which the
    /// service lists or which a leaf states.
    pub async fn models(&self, leaves: &StatedLeaves) -> Result<Vec<ModelName>, Failure> {
        let path = format!("/api/v1/models/{}", self.sport);
        let answer = json_of(&self.get(&path).await?.unwrap_or_default())?;
        let listed = list_of(&answer, "models", &path)?;
        let own = listed.iter().filter(|model| model["kind"] == "own");
        let own = own.filter_map(|model| model["model"].as_str()?.parse().ok());
        let stated = leaves.models().filter_map(|model| model.parse().ok());
        Ok(ModelColumn::FORECASTS.into_iter().map(ModelName::of).chain(own).chain(stated).collect())
    }

    /// Returns the seasons of a market; none if the service has no list of them.
    pub async fn seasons(&self, model_type: ModelType) -> Result<Vec<Season>, Failure> {
        let path = format!("/api/v1/results/{}/{model_type}/seasons", self.sport);
        let Some(answer) = self.get(&path).await? else { return Ok(Vec::new()) };
        let answer = json_of(&answer)?;
        let season = |season: &Value| Season::parse(self.sport, season.as_str()?).ok();
        let seasons = list_of(&answer, "seasons", &path)?.iter();
        seasons.map(|listed| season(listed).ok_or_else(|| unreadable(&path))).collect()
    }

    /// Returns the rows of a market and season; none if the market has no such season.
    pub async fn rows(
        &self,
        (model_type, season): (ModelType, Season),
        models: &[ModelName],
    ) -> Result<Vec<ResultRow>, Failure> {
        let Self { sport, .. } = self;
        progress(&format!("Reading results and openings of {model_type} {season}"));
        let pinned = self.pinned();
        let path = format!("/api/v1/results/{sport}/{model_type}?season={season}&format=ndjson{pinned}");
        let rows = self.of_season(&path, (model_type, season)).await?;
        // As from a node that has read nothing yet.
        let lacks_all = rows.is_none() && self.markets.contains(&model_type);
        if lacks_all && self.seasons(model_type).await?.is_empty() {
            let reason = format!("the service has no results of {sport} {model_type}, and the tree has forecasts");
            return Err(Failure::unchecked(reason));
        }
        lines(rows, &path, |row| Ok(result_row(&serde_json::from_str(row)?, model_type, season, models)))
    }

    /// Returns the openings of a market and season.
    pub async fn openings(&self, model_type: ModelType, season: Season) -> Result<Vec<LocatedOpening>, Failure> {
        let Self { sport, .. } = self;
        let path = format!("/api/v1/record/{sport}/{model_type}/openings?season={season}");
        let openings = self.of_season(&path, (model_type, season)).await?;
        lines(openings, &path, |opening| serde_json::from_str::<OpeningLine>(opening).map(OpeningLine::located))
    }

    /// Returns the picks of a market and season as the service counts them over the forecasts that its log recorded; none if the
    /// market has no such season. Models that the service derives from others are left out.
    pub async fn picks(&self, model_type: ModelType, season: Season) -> Result<DecidedPicks, Failure> {
        let (Self { sport, .. }, pinned) = (self, self.pinned());
        let path = format!("/api/v1/summary/{sport}/{model_type}?season={season}&forecast_source=recorded{pinned}");
        let answer = self.of_season(&path, (model_type, season)).await?;
        let Some(answer) = answer else { return Ok(DecidedPicks::new()) };
        let answer = json_of(&answer)?;
        let mut picks = DecidedPicks::new();
        for item in list_of(&answer, "summaries", &path)? {
            let numbers = [item["wins"].as_u64(), item["losses"].as_u64()];
            let ([Some(wins), Some(losses)], Some(name)) = (numbers, item["model"].as_str()) else {
                return Err(unreadable(&path));
            };
            if ![ModelColumn::Implied.name(), ENSEMBLE].contains(&name) {
                picks.insert((model_type, name.parse().map_err(|_| unreadable(&path))?), [wins, losses]);
            }
        }
        Ok(picks)
    }

    /// Returns the return of the picks of each model by the calibration of a market and season, over the forecasts that the log recorded;
    /// nothing where the service has no such answer.
    pub async fn returns(&self, model_type: ModelType, season: Season) -> Result<PickReturns, Failure> {
        let (Self { sport, .. }, pinned) = (self, self.pinned());
        let path = format!("/api/v1/calibration/{sport}/{model_type}?season={season}&forecast_source=recorded{pinned}");
        let Some(answer) = self.get(&path).await? else { return Ok(PickReturns::new()) };
        let answer = json_of(&answer)?;
        let mut returns = PickReturns::new();
        for source in list_of(&answer, "sources", &path)? {
            for item in list_of(source, "models", &path)? {
                let model =
                    item["model"].as_str().and_then(|name| name.parse().ok()).ok_or_else(|| unreadable(&path))?;
                let picks = &item["picks"];
                let decided = [&picks["wins"], &picks["losses"]].map(|count| count.as_u64().unwrap_or_default());
                returns.extend(picks["roi"].as_f64().map(|roi| ((model_type, model), (decided, roi))));
            }
        }
        Ok(returns)
    }

    /// Returns the odds as of an entry, by game.
    pub async fn odds(&self, generation: u64) -> Result<HashMap<GameKey, GameLines>, Failure> {
        let path = format!("/api/v1/odds/{}?format=ndjson&generation={generation}", self.sport);
        let odds = lines(self.fetch(&path).await?.map(|answer| answer.bytes), &path, |line| {
            let line: Line<'_> = serde_json::from_str(line)?;
            Ok(game(&line).map(|game| (game, lines_of(|column| line.number(column.name())))))
        });
        Ok(odds?.into_iter().collect())
    }

    /// Returns all releases of the league.
    pub async fn releases(&self) -> Result<ReleaseList, Failure> {
        progress("Reading the list of releases");
        let (mut list, mut before) = (ReleaseList::default(), None);
        loop {
            let below = before.map_or_else(String::new, |before: u64| format!("&before={before}"));
            let path = format!("/api/v1/releases/{}?limit=100{below}", self.sport);
            let page = json_of(&self.get(&path).await?.unwrap_or_default())?;
            if before.is_none() {
                list.head = match &page["head"] {
                    Value::Null => None,
                    head => Some(head.as_str().and_then(|head| head.parse().ok()).ok_or_else(|| unreadable(&path))?),
                };
                list.simulated = page["simulated"] == true;
            }
            for item in list_of(&page, "releases", &path)? {
                list.releases.push(release(item).ok_or_else(|| unreadable(&path))?);
            }
            match page["next_before"].as_u64() {
                Some(next) if before.is_none_or(|before| next < before) => before = Some(next),
                Some(_) => return Err(Failure::unchecked("the list of releases does not go on")),
                None => break,
            }
        }
        // The list says itself which entry is the newest.
        let newest = list.releases.iter().map(|release| release.generation).max().unwrap_or_default();
        self.expect_not_behind("/api/v1/releases", newest)?;
        Ok(list)
    }

    /// Returns a failure for an answer that has no more than `entry`, which the tree has passed.
    fn expect_not_behind(&self, path: &str, entry: u64) -> Result<(), Failure> {
        if entry >= self.newest {
            return Ok(());
        }
        let newest = self.newest;
        Err(Failure::unchecked(format!(
            "the answer for {path} is of entry {entry}, and the tree has entry {newest}: try again later"
        )))
    }

    /// Reads an answer about the newest entry of the tree; `None` if the service has no such thing. One about an older entry is that of
    /// a node that is behind, which is no statement about the tree.
    async fn get(&self, path: &str) -> Result<Option<Bytes>, Failure> {
        let Some(Answer { bytes, generation }) = self.fetch(path).await? else { return Ok(None) };
        if generation.is_some_and(|generation| generation > self.newest) {
            self.has_newer.store(true, Ordering::Relaxed);
        }
        generation.map_or(Ok(()), |generation| self.expect_not_behind(path, generation))?;
        Ok(Some(bytes))
    }

    async fn fetch(&self, path: &str) -> Result<Option<Answer>, Failure> {
        match self.remote.answer(path).await {
            Ok(answer) => Ok(Some(answer)),
            Err(error) if error.is_missing() && !is_of_a_later_entry(&error) => Ok(None),
            Err(error) => Err(unanswered(error)),
        }
    }

    /// Reads an answer about a market and season; `None` if the service has none, in its list of seasons either.
    async fn of_season(&self, path: &str, (model_type, season): (ModelType, Season)) -> Result<Option<Bytes>, Failure> {
        let answer = self.get(path).await?;
        if answer.is_some() {
            return Ok(answer);
        }
        if self.seasons(model_type).await?.contains(&season) {
            return Err(Failure::unchecked(format!("{path} is not there, and the service lists the season")));
        }
        Ok(None)
    }
}

/// Returns `true` for the answer of a node that does not have the entry yet that is asked for.
fn is_of_a_later_entry(error: &FetchError) -> bool {
    matches!(error, FetchError::Status { detail, .. } if detail.contains("has no generation"))
}

/// Reads each line of an answer; none of one that is not there.
fn lines<T>(
    answer: Option<Bytes>,
    path: &str,
    read: impl Fn(&str) -> Result<Option<T>, serde_json::Error>,
) -> Result<Vec<T>, Failure> {
    let bytes = answer.unwrap_or_default();
    let text = std::str::from_utf8(&bytes).map_err(|_| unreadable(path))?;
    let lines = text.lines().map(|line| read(line).map_err(|error| not_json(&error))?.ok_or_else(|| unreadable(path)));
    lines.collect()
}

/// Returns a list in the answer for a path. An answer without it is no statement that there is nothing.
fn list_of<'a>(answer: &'a Value, name: &str, path: &str) -> Result<&'a [Value], Failure> {
    answer[name].as_array().map(Vec::as_slice).ok_or_else(|| unreadable(path))
}

fn unreadable(path: &str) -> Failure {
    Failure::unchecked(format!("the answer for {path} has another form than expected"))
}

/// The model of the service that is made of the picks of others.
const ENSEMBLE: &str = "ENSEMBLE";

/// A line of the openings.
#[derive(Deserialize)]
struct OpeningLine {
    index: u64,
    entry: String,
    salt: String,
    payload: String,
}

impl OpeningLine {
    fn located(self) -> Option<LocatedOpening> {
        let Self { index, entry, payload, .. } = self;
        Some(LocatedOpening { index, opening: Opening { entry, salt: self.salt.parse().ok()?, payload } })
    }
}

fn release(item: &Value) -> Option<ListedRelease> {
    Some(ListedRelease {
        generation: item["generation"].as_u64()?,
        release_id: item["release_id"].as_str()?.to_owned(),
        published_at: report::read_instant(item["published_at"].as_str()?).ok()?,
        clock: ClockSource::from_word(item["clock"].as_str()?)?,
        sha256: item["sha256"].as_str()?.parse().ok()?,
        previous: match &item["previous"] {
            Value::Null => None,
            previous => Some(previous.as_str()?.parse().ok()?),
        },
    })
}

fn result_row(row: &Line<'_>, model_type: ModelType, season: Season, models: &[ModelName]) -> Option<ResultRow> {
    let is_live = row.text("forecast_source").is_some_and(|source| source == "live");
    Some(ResultRow {
        model_type,
        season,
        game: game(row)?,
        live_run: is_live.then(|| row.value("forecast_run").unwrap_or_default()),
        is_recorded: row.value("recorded").unwrap_or(is_live),
        lines: LineColumn::ALL.into_iter().filter_map(|column| Some((column, row.number(column.name())?))).collect(),
        probabilities: models.iter().filter_map(|model| Some((*model, row.number(model.as_str())?))).collect(),
        ending: ending(row)?,
        statements: statements(row, model_type)?,
    })
}

fn statements(row: &Line<'_>, model_type: ModelType) -> Option<RowStatements> {
    let published_at = match row.text("forecast_published_at") {
        None => None,
        Some(instant) => Some(report::read_instant(&instant).ok()?),
    };
    Some(RowStatements {
        season: row.value("season")?,
        published_at,
        probability_source: row.value("model_probability_source"),
        positive_won: row.value(model_type.outcome_column()).map(|won: u64| won == 1),
        push: row.value("push"),
        graded: row.value("graded")?,
        ungraded_reason: row.value("ungraded_reason"),
    })
}

fn game(row: &Line<'_>) -> Option<GameKey> {
    let team = |name: &str| TeamSlug::normalise(&row.text(name)?).ok();
    let time = match ["time_est", "time"].into_iter().find(|name| row.has(name)) {
        Some(name) => Some(row.text(name)?.parse().ok()?),
        None => None,
    };
    let game_number = if row.has("game_number") { Some(row.value("game_number")?) } else { None };
    let date = row.text("date")?.parse().ok()?;
    Some(GameKey { date, time, away: team("away_team")?, home: team("home_team")?, game_number })
}

fn ending(row: &Line<'_>) -> Option<RecordedEnding> {
    let status = row.text("settlement_status").map(|status| StatusWord::like(&status));
    Some(match (row.value("away_score").zip(row.value("home_score")), status) {
        (Some((away, home)), Some(status)) => RecordedEnding::Final { score: FinalScore { away, home }, status },
        (None, Some(status)) => RecordedEnding::CalledOff { status },
        (None, None) => RecordedEnding::Gone,
        (Some(_), None) => return None,
    })
}
