//! Five own models beside the eight, compared with the same opinions.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sports_testkit::programs::real_data;

use crate::calibration::{PACKAGES, agree, models};
use crate::figures::{compare, compare_own, object};
use crate::python;
use crate::site::{Site, release_of};
use crate::tables::compare_formats;

/// A league of the real data.
const LEAGUE: &str = "nfl";

/// Returns the seasons to compare, all of which are on record before LATE is declared: eleven with
/// `SPORTS_EVERY_SEASON`, else as many as are given here.
fn seasons(few: usize) -> Vec<String> {
    let count = if std::env::var_os("SPORTS_EVERY_SEASON").is_some() { 11 } else { few };
    (2024 - count..2024).map(|year| format!("{year}-{:02}", (year + 1) % 100)).collect()
}

/// Returns the cells of TWIN, GAPS, OLD, LATE and COIN: a copy of BLEND, the mean of BLEND and one half in two games of
/// three, the complement of BLEND, another one, and a model that knows three probabilities.
fn own_cells(blend: &str, number: usize) -> String {
    let Ok(p) = blend.parse::<f64>() else { return ",,,,".to_owned() };
    let gaps = if number.is_multiple_of(3) { String::new() } else { format!("{:.4}", f64::midpoint(p, 0.5)) };
    format!("{blend},{gaps},{:.4},{:.4},{}", 1.0 - p, p * p, ["0", "0.5", "1"][number % 3])
}

/// Replaces a linked table of probabilities by one with own models.
fn add_columns(path: &Path) {
    let text = fs::read_to_string(path).expect("a table");
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    let blend = header.split(',').position(|name| name == "BLEND").expect("a column");
    let mut table = format!("{header},TWIN,GAPS,OLD,LATE,COIN\n");
    for (number, line) in lines.enumerate() {
        let cell = line.split(',').nth(blend).expect("a cell");
        writeln!(table, "{line},{}", own_cells(cell, number)).expect("written");
    }
    fs::remove_file(path).expect("removed");
    fs::write(path, table).expect("written");
}

/// Writes a release folder of the seasons with own models, of which LATE is declared by a second folder that retires OLD.
fn releases(data: &Path, seasons: &[String], folder: &Path) {
    let history = folder.join("history");
    for season in seasons {
        release_of(data, LEAGUE, Some(season), &history);
        for market in ["over_under", "won_on_points", "won_on_spread"] {
            add_columns(&history.join(format!("probabilities/{market}/{season}.csv")));
        }
    }
    let write = |folder: &Path, models: Value| {
        fs::create_dir_all(folder).expect("a folder");
        let release = json!({ "sport": LEAGUE, "slate_date": "2024-12-01", "models": models });
        fs::write(folder.join("release.json"), release.to_string()).expect("written");
    };
    write(&history, json!({ "TWIN": {}, "GAPS": {}, "OLD": {}, "COIN": {} }));
    write(&folder.join("later"), json!({ "LATE": {}, "OLD": { "retired": true } }));
    // The opinion reads the same tables, with all models in the order of their declaration.
    let opinion = folder.join("opinion");
    write(&opinion, json!({ "COIN": {}, "GAPS": {}, "LATE": {}, "OLD": {}, "TWIN": {} }));
    for part in ["games", "probabilities"] {
        std::os::unix::fs::symlink(history.join(part), opinion.join(part)).expect("a link");
    }
}

/// Puts the entries of a list into the order of their models' names: LATE is declared after the others.
fn by_name(mut list: Value) -> Value {
    let order = |entry: &Value| entry["model"].as_str().expect("a name").to_owned();
    list.as_array_mut().expect("a list").sort_by_key(order);
    list
}

/// Puts LATE, which was declared after the others, behind them in a list of models by name.
fn list_late_last(list: &mut Value) {
    let entries = list.as_array_mut().expect("entries");
    let late = entries.iter().position(|entry| entry["model"] == "LATE").expect("an entry");
    let late = entries.remove(late);
    entries.insert(entries.len() - usize::from(entries.last().is_some_and(|of| of["model"] == "ENSEMBLE")), late);
}

/// Compares the games of each own model in the list of models with an opinion about the coverage. All games started
/// before the declarations.
fn compare_listed(listed: &Value, market: &str, season: &str, opinion: &Value) {
    let own = listed.as_array().expect("models").iter().filter(|model| model["kind"] == "own");
    let names: Vec<_> = own.clone().map(|model| model["model"].as_str().expect("a name")).collect();
    assert_eq!(names, ["COIN", "GAPS", "OLD", "TWIN", "LATE"]);
    for model in own {
        let mut markets = model["markets"].as_array().expect("markets").iter();
        let found = markets.find(|of| of["model_type"] == market).expect("a market");
        let mut covered = opinion.as_array().expect("models").iter();
        let games = &covered.find(|of| of["model"] == model["model"]).expect("a model")["games"];
        let expected = json!({ "model_type": market, "seasons": [season], "games": games, "games_before": games });
        assert_eq!(found, &expected, "{season} {}", model["model"]);
    }
}

#[actix_web::test]
async fn own_models_have_the_figures_of_pandas() {
    let Some(data) = real_data() else { return };
    for season in seasons(1) {
        let folder = tempfile::tempdir().expect("a folder");
        releases(&data, std::slice::from_ref(&season), folder.path());
        let opinion = python::answer("analytics.py", "pandas", &[folder.path().join("opinion").as_os_str()]);
        let Some(mut opinion) = opinion else { return };
        let [history, later] = ["history", "later"].map(|part| folder.path().join(part));
        let site = Site::publishing_all(&[&history, &later]).await;
        for (market, seasons) in opinion[LEAGUE].as_object_mut().expect("markets") {
            let opinion = &mut seasons[&season];
            assert_eq!(object(&opinion["own"]).len(), 5, "{market}");
            list_late_last(&mut opinion["summaries"]);
            list_late_last(&mut opinion["tracking"]["models"]);
            let listed = site.get(&format!("/api/v1/models/{LEAGUE}")).await;
            compare_listed(&listed["models"], market, &season, &opinion["tracking"]["models"]);
            let market = format!("{LEAGUE}/{market}");
            compare_own(&site, &market, &season, opinion).await;
            compare(&site, &market, &season, opinion).await;
            compare_formats(&site, &market, &season, opinion).await;
        }
    }
}

#[actix_web::test]
async fn own_models_have_the_calibration_of_scikit_learn() {
    let Some(data) = real_data() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    releases(&data, &seasons(2), folder.path());
    let opinion = python::answer("calibration.py", PACKAGES, &[folder.path().join("opinion").as_os_str()]);
    let Some(opinion) = opinion else { return };
    let [history, later] = ["history", "later"].map(|part| folder.path().join(part));
    let site = Site::publishing_all(&[&history, &later]).await;
    for (market, seasons) in object(&opinion[LEAGUE]) {
        for (season, opinion) in object(seasons) {
            let place = format!("{LEAGUE}/{market}");
            let ours = by_name(models(&site, &place, season).await);
            assert_eq!(ours.as_array().map(Vec::len), Some(12), "{place} {season}");
            agree(&ours, &by_name(opinion.clone()), &format!("{place} {season}"));
        }
    }
}
