//! The files of a release folder.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde_json::{Map, Value, json};
use sports_domain::{LineColumn, ModelColumn, ModelType, Season, Sport, escaped_for_spreadsheets};

use sports_publication::Run;

use super::entry::Game;
use super::prices::Decimal;
use crate::convert::tables::field::TextColumn;
use crate::convert::tables::reader::GameSelection;

/// A file of a release folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFile {
    /// The path in the folder.
    pub path: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// Columns that a release may have or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Optional {
    Time,
    GameNumber,
    GameType,
    Scores,
    Status,
}

/// The columns that the tables of a release have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shape {
    pub(crate) optional: Vec<Optional>,
    pub(crate) texts: Vec<TextColumn>,
    pub(crate) lines: Vec<LineColumn>,
    pub(crate) extras: Vec<String>,
    /// The markets and names of the models, in the order of a game's probabilities.
    pub(crate) models: Vec<(ModelType, String)>,
}

impl Shape {
    fn has(&self, column: Optional) -> bool {
        self.optional.contains(&column)
    }
}

/// Writes the tables of seasons, or of a slate.
pub(crate) fn tables(games: &[Game], shape: &Shape, selection: GameSelection) -> Vec<ReleaseFile> {
    let mut files = Vec::new();
    if selection == GameSelection::Slate {
        let quoted = games.iter().filter(|game| game.is_quoted());
        let rows = table(quoted, |row, game| odds_row(row, game, shape), &odds_header(shape));
        files.extend(rows.map(|bytes| ReleaseFile { path: "odds.csv".to_owned(), bytes }));
        for market in ModelType::ALL {
            files.extend(forecasts(
                games.iter(),
                market,
                shape,
                selection,
                format!("predictions/{}.csv", market.code()),
            ));
        }
        return files;
    }
    let mut seasons: BTreeMap<Season, Vec<&Game>> = BTreeMap::new();
    for game in games {
        seasons.entry(game.season).or_default().push(game);
    }
    for (season, games) in seasons {
        let rows = table(games.iter().copied(), |row, game| game_row(row, game, shape), &games_header(shape));
        files.extend(rows.map(|bytes| ReleaseFile { path: format!("games/{season}.csv"), bytes }));
        for market in ModelType::ALL {
            let path = format!("probabilities/{}/{season}.csv", market.code());
            files.extend(forecasts(games.iter().copied(), market, shape, selection, path));
        }
    }
    files
}

/// Writes a table of some games; `None` without a game.
fn table<'g>(
    games: impl Iterator<Item = &'g Game>,
    write: impl Fn(&mut Row, &Game),
    header: &[&str],
) -> Option<Vec<u8>> {
    let mut row = Row::default();
    for name in header {
        row.text(name);
    }
    row.end();
    let mut games = games.peekable();
    games.peek()?;
    for game in games {
        write(&mut row, game);
        row.end();
    }
    Some(row.text.into_bytes())
}

fn forecasts<'g>(
    games: impl Iterator<Item = &'g Game>,
    market: ModelType,
    shape: &Shape,
    selection: GameSelection,
    path: String,
) -> Option<ReleaseFile> {
    let models = shape.models.iter().enumerate().filter(|(_, (known, _))| *known == market);
    let models: Vec<_> = models.map(|(place, (_, name))| (place, name.as_str())).collect();
    let has_runs = selection == GameSelection::History && shape.texts.contains(&TextColumn::ForecastRun);
    let mut header = key_header(shape);
    header.extend(models.iter().map(|(_, name)| *name));
    header.extend(has_runs.then_some(TextColumn::ForecastRun.name()));
    let games = games.filter(|game| models.iter().any(|(place, _)| game.models[*place].is_some()));
    let write = |row: &mut Row, game: &Game| {
        key(row, game, shape);
        for (place, _) in &models {
            row.value(game.models[*place]);
        }
        if has_runs {
            row.text(game.text(TextColumn::ForecastRun));
        }
    };
    table(games, write, &header).map(|bytes| ReleaseFile { path, bytes })
}

fn key_header(shape: &Shape) -> Vec<&'static str> {
    let mut header = vec!["date"];
    header.extend(shape.has(Optional::Time).then_some("time_est"));
    header.extend(["away_team", "home_team"]);
    header.extend(shape.has(Optional::GameNumber).then_some("game_number"));
    header
}

fn key(row: &mut Row, game: &Game, shape: &Shape) {
    row.value(Some(game.date));
    if shape.has(Optional::Time) {
        row.value(game.time);
    }
    row.value(Some(&game.away));
    row.value(Some(&game.home));
    if shape.has(Optional::GameNumber) {
        row.value(game.number);
    }
}

/// The columns of games that hold texts.
const OF_GAMES: [TextColumn; 2] = [TextColumn::MatchId, TextColumn::QuoteSource];

fn games_header(shape: &Shape) -> Vec<&str> {
    let mut header: Vec<&str> = key_header(shape);
    header.extend(shape.has(Optional::GameType).then_some("game_type"));
    header.extend(OF_GAMES.iter().filter(|text| shape.texts.contains(text)).map(|text| text.name()));
    header.extend(shape.has(Optional::Scores).then_some(["away_score", "home_score"]).into_iter().flatten());
    header.extend(shape.has(Optional::Status).then_some("settlement_status"));
    header.extend(shape.lines.iter().map(|line| line.name()));
    header.extend(shape.extras.iter().map(String::as_str));
    header
}

fn game_row(row: &mut Row, game: &Game, shape: &Shape) {
    key(row, game, shape);
    if shape.has(Optional::GameType) {
        row.text(&game.part);
    }
    OF_GAMES.iter().filter(|text| shape.texts.contains(text)).for_each(|text| row.text(game.text(*text)));
    if shape.has(Optional::Scores) {
        row.value(game.score.map(|score| score.away));
        row.value(game.score.map(|score| score.home));
    }
    if shape.has(Optional::Status) {
        row.text(&game.status);
    }
    shape.lines.iter().for_each(|line| row.line(game, *line));
    game.extras.iter().for_each(|text| row.text(text));
}

fn odds_header(shape: &Shape) -> Vec<&'static str> {
    let mut header = vec!["date", "time", "away_team", "home_team"];
    header.extend(shape.has(Optional::GameNumber).then_some("game_number"));
    header.extend(OF_GAMES.iter().filter(|text| shape.texts.contains(text)).map(|text| text.name()));
    header.extend(current(shape).map(LineColumn::name));
    header
}

fn odds_row(row: &mut Row, game: &Game, shape: &Shape) {
    row.value(Some(game.date));
    row.value(game.time);
    row.value(Some(&game.away));
    row.value(Some(&game.home));
    if shape.has(Optional::GameNumber) {
        row.value(game.number);
    }
    OF_GAMES.iter().filter(|text| shape.texts.contains(text)).for_each(|text| row.text(game.text(*text)));
    current(shape).for_each(|line| row.line(game, line));
}

/// Returns the lines of today: a file of odds has no openers.
fn current(shape: &Shape) -> impl Iterator<Item = LineColumn> {
    shape.lines.iter().copied().filter(|line| !line.name().starts_with("open_"))
}

/// Rows of a CSV file.
#[derive(Default)]
struct Row {
    text: String,
    has_cells: bool,
}

impl Row {
    /// Adds a cell that needs no quotes.
    fn value(&mut self, value: Option<impl Display>) {
        self.separate();
        if let Some(value) = value {
            // Writing to memory does not fail.
            let _ = write!(self.text, "{value}");
        }
    }

    fn text(&mut self, text: &str) {
        self.separate();
        let escaped = escaped_for_spreadsheets(text);
        if escaped.contains([',', '"', '\n', '\r']) {
            self.text.push('"');
            self.text.push_str(&escaped.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(&escaped);
        }
    }

    fn line(&mut self, game: &Game, line: LineColumn) {
        let spreads = game.spreads;
        match line {
            LineColumn::HomePointSpread => self.value(spreads.closing),
            LineColumn::AwayPointSpread => self.value(spreads.closing.map(Decimal::negated)),
            LineColumn::OpenHomePointSpread => self.value(spreads.opening),
            LineColumn::OpenAwayPointSpread => self.value(spreads.opening.map(Decimal::negated)),
            LineColumn::OverUnder | LineColumn::OpenOverUnder => self.value(game.total(line)),
            _ => self.value(game.price(line)),
        }
    }

    fn separate(&mut self) {
        if self.has_cells {
            self.text.push(',');
        }
        self.has_cells = true;
    }

    fn end(&mut self) {
        self.text.push('\n');
        self.has_cells = false;
    }
}

// The file `release.json` of a converted folder.

/// Writes `release.json`, with the declarations of own models if there are any.
pub(crate) fn manifest(
    sport: Sport,
    slate_date: NaiveDate,
    season: Option<Season>,
    run: Option<&Run>,
    own_models: &Map<String, Value>,
) -> ReleaseFile {
    let mut manifest = json!({ "sport": sport.code(), "slate_date": slate_date.to_string() });
    if let Some(season) = season {
        manifest["season"] = season.to_string().into();
    }
    if let Some(Run { id, started_at, completed_at, .. }) = run {
        let written = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
        manifest["run"] =
            json!({ "id": id, "started_at": written(*started_at), "completed_at": completed_at.map(written) });
    }
    if !own_models.is_empty() {
        manifest["models"] = own_models.clone().into();
    }
    ReleaseFile { path: crate::MANIFEST.to_owned(), bytes: encode(&manifest) }
}

/// Returns the declarations of the models that are not standard, for `models` of `release.json`: as public ones, or without a word on
/// that.
pub(crate) fn declarations(models: &[(ModelType, String)], public: bool) -> Map<String, Value> {
    let standard = |name: &str| ModelColumn::FORECASTS.iter().any(|model| model.name() == name);
    let own = models.iter().filter(|(_, name)| !standard(name));
    own.map(|(_, name)| (name.clone(), if public { json!({ "public": true }) } else { json!({}) })).collect()
}

/// Adds to the `release.json` of a folder the season, the run and the declarations of models that only a new one has; returns
/// `None` if the folder's has them, or is no JSON object. Whatever a publisher has written there is kept.
///
/// # Errors
///
/// A sentence if both have a season or a run and these differ: a release has one.
pub fn completed_manifest(there: &[u8], new: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let (Some(before), Some(new)) = (object(there), object(new)) else { return Ok(None) };
    let mut manifest = before.clone();
    for field in ["season", "run"] {
        let Some(slate) = new.get(field) else { continue };
        let known = manifest.entry(field).or_insert(Value::Null);
        if known.is_null() {
            known.clone_from(slate);
        } else if known != slate {
            let (there, slate) = (word(known), word(slate));
            return Err(format!(
                "it has the {field} {there}, and the slate is of {slate}: correct the {field}, or name another --out"
            ));
        }
    }
    declare(&new, &mut manifest);
    Ok((manifest != before).then(|| encode(&manifest.into())))
}

/// Replaces in a `release.json` that a conversion wrote before what conversions write: the date, the season, the run, and the
/// declarations without a field. Whatever a publisher has added is kept. Returns `None` if nothing changes, or if it is no JSON
/// object.
#[must_use]
pub fn renewed_manifest(there: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let (before, new) = (object(there)?, object(new)?);
    let mut manifest = before.clone();
    for field in ["slate_date", "season", "run"] {
        match new.get(field) {
            Some(value) => manifest.insert(field.to_owned(), value.clone()),
            None => manifest.remove(field),
        };
    }
    if let Some(models) = manifest.get_mut("models").and_then(Value::as_object_mut) {
        models.retain(|_, declaration| *declaration != json!({}));
        if models.is_empty() {
            manifest.remove("models");
        }
    }
    declare(&new, &mut manifest);
    (manifest != before).then(|| encode(&manifest.into()))
}

fn object(bytes: &[u8]) -> Option<Map<String, Value>> {
    serde_json::from_slice(bytes).ok()
}

/// Adds the declarations of models that only the new file has.
fn declare(new: &Map<String, Value>, manifest: &mut Map<String, Value>) {
    if let Some(own_models) = new.get("models").and_then(Value::as_object)
        && let Some(models) = manifest.entry("models").or_insert_with(|| json!({})).as_object_mut()
    {
        for (name, declaration) in own_models {
            models.entry(name).or_insert_with(|| declaration.clone());
        }
    }
}

/// Returns a value without the quotes of a text.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn encode(manifest: &Value) -> Vec<u8> {
    format!("{manifest:#}\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HISTORY: &str =
        r#"{ "sport": "nba", "slate_date": "2026-01-10", "headline": "ELO", "models": { "ELO": { "title": "Elo" } } }"#;

    const SLATE: &str =
        r#"{ "sport": "nba", "slate_date": "2026-01-15", "season": "2025-26", "models": { "ELO": {}, "nn_v2": {} } }"#;

    fn completed(there: &str, new: &str) -> Result<Option<Value>, String> {
        let bytes = completed_manifest(there.as_bytes(), new.as_bytes())?;
        Ok(bytes.map(|bytes| serde_json::from_slice(&bytes).expect("JSON")))
    }

    #[test]
    fn a_slate_adds_its_season_and_keeps_what_a_publisher_has_written() {
        let expected = json!({
            "sport": "nba",
            "slate_date": "2026-01-10",
            "season": "2025-26",
            "headline": "ELO",
            "models": { "ELO": { "title": "Elo" }, "nn_v2": {} },
        });
        assert_eq!(completed(HISTORY, SLATE), Ok(Some(expected.clone())));
        assert_eq!(completed(&expected.to_string(), SLATE), Ok(None), "nothing is left to add");
        assert_eq!(completed(&expected.to_string(), HISTORY), Ok(None), "a history has no season to add");
        let without = r#"{ "sport": "nba", "slate_date": "2026-01-10", "season": null }"#;
        let new = r#"{ "sport": "nba", "season": "2025-26" }"#;
        let expected = json!({ "sport": "nba", "slate_date": "2026-01-10", "season": "2025-26" });
        assert_eq!(completed(without, new), Ok(Some(expected)));
    }

    #[test]
    fn a_slate_of_another_season_than_the_folder_is_refused() {
        let there = HISTORY.replace("\"headline\"", "\"season\": \"2024-25\", \"headline\"");
        let refused = completed(&there, SLATE).expect_err("two seasons");
        let message =
            "it has the season 2024-25, and the slate is of 2025-26: correct the season, or name another --out";
        assert_eq!(refused, message);
    }
}
