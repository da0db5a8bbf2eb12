use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use sports_domain::{GameKey, GameLines, LineColumn, ModelType};
use sports_publication::{MarketHistory, SeasonHistory};
use sports_publisher_files::{ReadRelease, read};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn release(name: &str) -> ReadRelease {
    let now = "2025-02-01T12:00:00Z".parse().expect("an instant");
    read(&fixture(name).join("release"), now).unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

fn expected(name: &str) -> Value {
    let text = std::fs::read_to_string(fixture(name).join("expected.json")).expect("expected.json");
    serde_json::from_str(&text).expect("JSON")
}

fn games(seasons: &[SeasonHistory]) -> BTreeSet<String> {
    let all = seasons.iter().flat_map(|season| {
        let of_markets = season.markets.values().flat_map(|market| &market.games);
        season.shared.iter().chain(of_markets).flat_map(|file| &file.rows)
    });
    all.map(|row| row.value.key.to_string()).collect()
}

/// Returns the game keys of a list in `expected.json`, formatted as [`GameKey`] displays them.
fn keys(list: &Value) -> BTreeSet<String> {
    let key = |row: &Value| {
        let text = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
        let time = row["time_est"].as_str().map(|time| format!(" {time}")).unwrap_or_default();
        let number = row["game_number"].as_u64().map(|number| format!(" (game {number})")).unwrap_or_default();
        format!("{}{time} {} at {}{number}", text("date"), text("away_team"), text("home_team"))
    };
    list.as_array().expect("a list").iter().map(key).collect()
}

#[test]
fn every_game_of_the_good_folders_is_read() {
    for name in ["nfl-2023-week-18", "edge-cases", "doubleheader", "results-layout"] {
        let (read, expected) = (release(name), expected(name));
        let mut expected_keys = keys(&expected["markets"]["over_under"]);
        expected_keys.extend(keys(&expected["left_out"]));
        assert_eq!(games(&read.release.history), expected_keys, "{name}");
    }
}

#[test]
fn forecasts_of_a_good_folder_are_of_its_games() {
    for name in ["nfl-2023-week-18", "edge-cases", "doubleheader"] {
        let history = release(name).release.history;
        let games = games(&history);
        let markets: Vec<&MarketHistory> = history.iter().flat_map(|season| season.markets.values()).collect();
        assert_eq!(markets.len(), 3 * history.len(), "{name}");
        for row in markets.iter().flat_map(|market| &market.forecasts) {
            assert!(games.contains(&row.value.key.to_string()), "{name}: {}", row.value.key);
        }
    }
}

#[test]
fn computed_columns_of_results_are_left_unread_with_a_warning_each() {
    let read = release("results-layout");
    let expected = expected("results-layout");
    let mut warned = BTreeSet::new();
    for file in expected["warnings"].as_array().expect("a list") {
        for column in file["columns"].as_array().expect("a list") {
            let (file, column) = (file["file"].as_str().expect("text"), column.as_str().expect("text"));
            warned.insert(format!("{file}: column {column} is ignored: the service computes it"));
        }
    }
    assert_eq!(read.warnings.into_iter().collect::<BTreeSet<_>>(), warned);
    let [season] = read.release.history.try_into().expect("one season");
    assert_eq!(season.markets.keys().copied().collect::<Vec<_>>(), ModelType::ALL);
    for market in season.markets.values() {
        assert_eq!((market.games[0].rows.len(), market.forecasts.len()), (4, 4));
        assert!(market.games[0].rows.iter().all(|row| row.value.extras.iter().count() == 0));
        assert_eq!(market.forecasts[0].value.record.training_through.as_deref(), Some("2022-23"));
    }
}

#[test]
fn a_real_slate_agrees_with_the_history_of_its_games() {
    let (slate, week) = (release("nfl-2023-week-18-slate"), release("nfl-2023-week-18").release);
    assert_eq!(slate.warnings, [""; 0]);
    let [season] = week.history.try_into().expect("one season");
    let games: BTreeMap<_, _> = season.shared[0].rows.iter().map(|row| (&row.value.key, &row.value)).collect();
    let same = |key: &GameKey, lines: &GameLines, columns: &[LineColumn]| {
        let history = games[key].lines;
        for column in columns {
            assert_eq!(lines.value(*column), history.value(*column), "{key} {column:?}");
        }
    };
    let odds = slate.release.odds.expect("odds");
    assert_eq!(odds.iter().map(|row| &row.value.key).collect::<BTreeSet<_>>(), games.keys().copied().collect());
    let current = LineColumn::ALL.into_iter().filter(|column| !column.name().starts_with("open_")).collect::<Vec<_>>();
    for row in &odds {
        same(&row.value.key, &row.value.lines, &current);
    }
    for (model_type, file) in &slate.release.predictions {
        let forecasts: BTreeMap<_, _> = season.markets[model_type]
            .forecasts
            .iter()
            .map(|row| (row.value.key.clone(), row.value.record.forecasts))
            .collect();
        let predicted = file.rows.iter().map(|row| &row.value.game);
        assert_eq!(predicted.map(|game| (game.key.clone(), game.forecasts)).collect::<BTreeMap<_, _>>(), forecasts);
        for row in &file.rows {
            same(&row.value.game.key, &row.value.game.lines, &file.given);
        }
    }
    assert_eq!(slate.release.predictions.keys().copied().collect::<Vec<_>>(), ModelType::ALL);
}
