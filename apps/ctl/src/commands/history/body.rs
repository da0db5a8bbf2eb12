//! The body of a history: as text, and as the API's JSON.

use serde_json::{Map, Value, json};
use sports_domain::{GameLines, LineColumn, LineValue, ModelName, ModelType, Sport};
use sports_publication::movement::{
    ForecastItem, GameHistory, HistoryLine, LineHistory, LineMark, Published, SeasonMovement,
};
use sports_publication::slate::SlateGame;

use crate::report::written_instant;

/// The fields of a line of the odds.
const POSTED: [LineColumn; 9] = [
    LineColumn::AwayPointSpread,
    LineColumn::AwayPointSpreadLine,
    LineColumn::HomePointSpread,
    LineColumn::HomePointSpreadLine,
    LineColumn::AwayMoneyLine,
    LineColumn::HomeMoneyLine,
    LineColumn::OverUnder,
    LineColumn::OverLine,
    LineColumn::UnderLine,
];

/// Returns the fields that both histories have.
pub fn game(sport: Sport, game: &GameHistory<'_>) -> Value {
    let key = game.key();
    json!({
        "sport": sport.code(),
        "game": {
            "game_id": game.game_id(),
            "date": key.date.to_string(),
            "time": key.time.map(|time| time.to_string()),
            "away_team": key.away.as_str(),
            "home_team": key.home.as_str(),
            "match_id": game.match_id(),
        },
        "starts_at": game.starts_at().map(written_instant),
        "earlier_starts": game.earlier_starts().into_iter().map(written_instant).collect::<Vec<_>>(),
    })
}

/// Adds the lines of the game.
pub fn add_odds(json: &mut Value, history: &LineHistory, complete: bool, has_closed: bool) {
    json["complete"] = complete.into();
    json["lines"] = history.lines.iter().map(|line| odds_line(line, has_closed)).collect();
    json["close"] = history.close.as_ref().filter(|_| has_closed).map_or(Value::Null, |close| {
        json!({
            "generation": close.last_quoted.generation.get(),
            "published_at": written_instant(close.last_quoted.published_at),
            "age_seconds": close.age.num_seconds(),
        })
    });
    json["quoted_after_start"] = history.quoted_after_start.into();
}

fn odds_line(line: &HistoryLine, has_closed: bool) -> Value {
    let mut json = publication(line.published);
    json["mark"] = line.mark(has_closed).map(LineMark::word).into();
    add_lines(&mut json, &line.lines, &POSTED);
    json
}

/// Adds the forecasts of the game.
pub fn add_forecasts(
    json: &mut Value,
    movement: &SeasonMovement,
    model_type: ModelType,
    own: &[ModelName],
    items: &[ForecastItem<'_>],
    places: &[Option<u64>],
    complete: bool,
) {
    let forecast = |(item, place): (&ForecastItem<'_>, &Option<u64>)| {
        let mut json = publication(item.published);
        let entry = movement.entry(item.published.generation);
        json["release_id"] = entry.map(|entry| entry.release_id.as_str()).into();
        let game = item.slate_game();
        json["probabilities"] = probabilities(model_type, item, own).into();
        let mut lines = json!({});
        add_lines(&mut lines, &game.map(|game| game.lines).unwrap_or_default(), LineColumn::of_market(model_type));
        json["lines"] = lines;
        json["standing"] = item.standing.into();
        json["record_index"] = (*place).into();
        json
    };
    json["model_type"] = model_type.code().into();
    json["complete"] = complete.into();
    json["forecasts"] = items.iter().zip(places).map(forecast).collect();
}

fn publication(published: Published) -> Value {
    json!({
        "generation": published.generation.get(),
        "published_at": written_instant(published.published_at),
        "source_as_of": written_instant(published.source_as_of),
    })
}

fn add_lines(json: &mut Value, lines: &GameLines, columns: &[LineColumn]) {
    for column in columns {
        json[column.name()] = match lines.value(*column) {
            Some(LineValue::Price(price)) => price.get().into(),
            Some(LineValue::Points(points)) => points.into(),
            None => Value::Null,
        };
    }
}

/// Returns the probabilities of a forecast by model; none of an empty one.
fn probabilities(model_type: ModelType, item: &ForecastItem<'_>, own: &[ModelName]) -> Map<String, Value> {
    let game = item.slate_game().filter(|_| !item.is_empty());
    let given = |game: &SlateGame| {
        let models = game.probabilities(model_type, own).map(|(model, given)| (model, given.get()));
        models.map(|(model, given)| (model.to_string(), figure(model, given).into())).collect()
    };
    game.as_ref().map(given).unwrap_or_default()
}

/// Returns a probability as the API writes it: that of IMPLIED is computed and rounded.
fn figure(model: ModelName, given: f64) -> f64 {
    let is_computed = model.column() == Some(sports_domain::ModelColumn::Implied);
    if is_computed { sports_domain::rounded(given, 12) } else { given }
}

/// Returns the lines of a game as text; a game may be closed without a known start.
pub fn odds_lines(history: &LineHistory, has_closed: bool, has_start: bool) -> impl Iterator<Item = String> {
    let line = |line: &HistoryLine| {
        let mark = line.mark(has_closed).map_or("", LineMark::word);
        format!("{}  {mark:<6}  {}", place(line.published), posted(&line.lines, &POSTED))
    };
    let lines: Vec<_> = history.lines.iter().map(line).collect();
    let close = history.close.as_ref().filter(|_| has_closed).map(|close| {
        let before = if has_start { "the start" } else { "the end of its date: no start is known" };
        let (generation, age) = (close.last_quoted.generation, close.age.num_minutes());
        format!("close: generation {generation}, {age} minutes before {before}")
    });
    let after = match history.quoted_after_start {
        0 => None,
        count => Some(format!("quoted after the start: {count}")),
    };
    lines.into_iter().chain(close).chain(after)
}

/// Returns the forecasts of a game as text.
pub fn forecast_lines(
    model_type: ModelType,
    items: &[ForecastItem<'_>],
    own: &[ModelName],
) -> impl Iterator<Item = String> {
    let line = |item: &ForecastItem<'_>| {
        let given = probabilities(model_type, item, own);
        let given: Vec<_> = given.iter().map(|(model, given)| format!("{model} {given}")).collect();
        let given = if given.is_empty() { "no forecast".to_owned() } else { given.join("  ") };
        let lines =
            item.slate_game().map(|game| posted(&game.lines, LineColumn::of_market(model_type))).unwrap_or_default();
        let mark = if item.standing { "standing" } else { "" };
        format!("{}  {mark:<8}  {given}  {lines}", place(item.published)).trim_end().to_owned()
    };
    items.iter().map(line).collect::<Vec<_>>().into_iter()
}

fn place(published: Published) -> String {
    format!("{:>6}  {}", published.generation.get(), published.published_at.format("%Y-%m-%d %H:%M:%SZ"))
}

fn posted(lines: &GameLines, columns: &[LineColumn]) -> String {
    let value = |column: &LineColumn| match lines.value(*column)? {
        LineValue::Price(price) => Some(format!("{} {:+}", column.name(), price.get())),
        LineValue::Points(points) => Some(format!("{} {points}", column.name())),
    };
    let values: Vec<_> = columns.iter().filter_map(value).collect();
    if values.is_empty() { "not quoted".to_owned() } else { values.join("  ") }
}
