//! Verdicts that the fixtures' authors computed by hand, compared with served rows.

use std::fs;

use serde_json::{Value, json};
use sports_testkit::programs::fixture;

use crate::service::{Service, Site};

/// Returns every row of a market, all seasons, oldest first.
async fn rows(service: &Service, sport: &str, model_type: &str) -> Vec<Value> {
    let list = service.get(&format!("/api/v1/results/{sport}/{model_type}/seasons")).await.json();
    let mut rows = Vec::new();
    for season in list["seasons"].as_array().expect("seasons").iter().rev() {
        let season = season.as_str().expect("a label");
        let mut page = service.page(&format!("{sport}/{model_type}?season={season}&limit=100000")).await.json();
        rows.append(page["results"].as_array_mut().expect("rows"));
    }
    rows
}

/// Returns a served row in the form of `expected.json`: read from the row's own fields, not graded again.
fn verdict_of_row(row: &Value, model_type: &str, models: &[&str]) -> Value {
    let (outcome, sides) = match model_type {
        "over_under" => ("over", ["over", "under"]),
        market => (market, ["home", "away"]),
    };
    let mut picks = serde_json::Map::new();
    let graded = row["graded"].as_bool().expect("a flag");
    for model in models {
        let favours = row[model].as_f64().and_then(|probability| probability.partial_cmp(&0.5));
        if let Some(favours) = favours.filter(|favours| graded && favours.is_ne()) {
            let won = favours.is_gt() == (row[outcome] == 1);
            picks.insert((*model).to_owned(), json!({ "side": sides[usize::from(favours.is_lt())], "won": won }));
        }
    }
    json!({
        "season": row["season"], "date": row["date"], "time_est": row["time_est"],
        "away_team": row["away_team"], "home_team": row["home_team"], "game_number": row["game_number"],
        "graded": row["graded"], "ungraded_reason": row["ungraded_reason"], "push": row["push"],
        // A game without a posted price still has a winner, which the moneyline's column has.
        "outcome": if row["push"].is_null() { &Value::Null } else { &row[outcome] },
        "picks": picks,
    })
}

#[tokio::test]
async fn rows_equal_the_verdicts_computed_by_hand() {
    let fixtures =
        [("edge-cases", "nfl"), ("nfl-2023-week-18", "nfl"), ("doubleheader", "mlb"), ("results-layout", "nfl")];
    for (name, sport) in fixtures {
        let site = Site::publishing(&[name]);
        let service = site.app().await;
        let text = fs::read_to_string(fixture(name).join("expected.json")).expect("a file");
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        let models = expected["models"].as_array().expect("models").iter();
        let models: Vec<_> = models.map(|model| model.as_str().expect("a name")).collect();
        for (model_type, games) in expected["markets"].as_object().expect("markets") {
            let served = rows(&service, sport, model_type).await;
            let games = games.as_array().expect("games");
            assert_eq!(served.len(), games.len(), "{name} {model_type}");
            for (row, game) in served.iter().zip(games) {
                assert_eq!(verdict_of_row(row, model_type, &models), *game, "{name} {model_type}");
            }
        }
        for game in expected["left_out"].as_array().expect("games") {
            for row in rows(&service, sport, "over_under").await {
                assert!(row["date"] != game["date"] || row["home_team"] != game["home_team"], "{row} was left out");
            }
        }
    }
}

/// The outcome column is null exactly if the outcome is unknown: without a final, or without a line in a market that
/// needs a line.
#[tokio::test]
async fn an_outcome_is_null_without_a_final_or_without_its_line() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.app().await;
    for (model_type, outcome) in
        [("over_under", "over"), ("won_on_points", "won_on_points"), ("won_on_spread", "won_on_spread")]
    {
        for row in rows(&service, "nfl", model_type).await {
            let unknown = match row["ungraded_reason"].as_str() {
                Some("no_final") => true,
                Some("no_line") => model_type != "won_on_points",
                _ => false,
            };
            assert_eq!(row[outcome].is_null(), unknown, "{row}");
            assert!(row[outcome].is_null() || row[outcome] == 0 || row[outcome] == 1, "{row}");
        }
    }
}

#[tokio::test]
async fn extra_columns_pass_through_and_computed_ones_are_computed_again() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.app().await;
    let rows = rows(&service, "nfl", "over_under").await;
    assert!(rows.iter().all(|row| row.as_object().expect("an object").contains_key("stadium")));
    assert_eq!(rows[1]["stadium"], "Invented Park, North");
    // Common fields are null rather than absent; a game without a forecast has no source fields.
    for row in &rows {
        let row = row.as_object().expect("an object");
        for field in ["time_est", "away_score", "over", "IMPLIED", "CATB", "over_line", "quote_source", "push"] {
            assert!(row.contains_key(field), "{field}");
        }
        let has_forecast = ["BLEND", "RF", "XT"].iter().any(|model| !row[*model].is_null());
        assert_eq!(row.contains_key("forecast_source"), has_forecast, "{row:?}");
        assert!(!row.contains_key("AI") && !row.contains_key("forecast_published_at"));
    }
}
