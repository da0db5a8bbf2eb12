//! Backtests of random rules, compared with loops over the rows that the service serves.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sports_domain::Sport;
use sports_testkit::programs::{fixture, real_data};

use crate::calibration::agree_within;
use crate::site::{Site, release_of};
use crate::{clv, python};

const MARKETS: [&str; 3] = ["over_under", "won_on_points", "won_on_spread"];

const MODELS: [&str; 7] = ["BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];

/// The rules of each market; with `SPORTS_EVERY_SEASON` as many as make 2,000 of all leagues.
fn rules() -> usize {
    if env::var_os("SPORTS_EVERY_SEASON").is_some() { 140 } else { 12 }
}

/// Writes an answer of the site to a file, and returns its path.
async fn saved(site: &Site, path: &str, folder: &Path, name: &str) -> Value {
    let file = folder.join(name);
    fs::write(&file, site.bytes(path).await).expect("written");
    file.display().to_string().into()
}

/// Draws rules over the markets of a site, and compares every answer.
async fn compare(site: &Site, given: Value) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rules.json");
    fs::write(&file, given.to_string()).expect("written");
    let Some(opinion) = python::answer("backtest.py", "pandas", &[file.as_os_str()]) else { return 0 };
    let opinion = opinion.as_array().expect("a list");
    for one in opinion {
        let path = one["query"].as_str().expect("an address");
        agree_within(1e-9, &site.get(path).await, &one["answer"], path);
    }
    opinion.len()
}

/// Returns the markets of a league with the rows of each season, written to a folder.
async fn markets(site: &Site, sport: Sport, models: &[&str], folder: &Path) -> Vec<Value> {
    let mut markets = Vec::new();
    for market in MARKETS {
        let listed = site.get(&format!("/api/v1/results/{sport}/{market}/seasons")).await;
        let mut seasons = json!({});
        for season in listed["seasons"].as_array().expect("seasons") {
            let label = season.as_str().expect("a label");
            let path = format!("/api/v1/results/{sport}/{market}?season={label}&format=csv");
            seasons[label] = json!({ "results": saved(site, &path, folder, &format!("{market}-{label}.csv")).await });
        }
        markets.push(json!({ "sport": sport, "model_type": market, "models": models, "seasons": seasons }));
    }
    markets
}

#[actix_web::test]
async fn rules_over_real_seasons_have_the_bets_of_pandas() {
    let Some(data) = real_data() else { return };
    let mut compared = 0;
    for sport in Sport::ALL.into_iter().filter(|sport| data.join("games").join(sport.code()).exists()) {
        let folder = tempfile::tempdir().expect("a folder");
        release_of(&data, sport.code(), None, folder.path());
        let site = Site::publishing(folder.path()).await;
        let markets = markets(&site, sport, &MODELS, folder.path()).await;
        compared += compare(&site, json!({ "seed": 52, "rules": rules(), "markets": markets })).await;
    }
    assert!(compared > 100, "{compared} rules");
}

/// Prices, openers, lines and finals that are missing or zero, one-sided prices, unverified finals, ties, and probabilities of 0, 1
/// and one half.
#[actix_web::test]
async fn rules_over_awkward_seasons_have_the_bets_of_pandas() {
    let releases = ["edge-cases", "own-models"].map(|name| fixture(name).join("release"));
    let site = Site::publishing_all(&releases.each_ref().map(PathBuf::as_path)).await;
    let folder = tempfile::tempdir().expect("a folder");
    let markets = markets(&site, Sport::Nfl, &["BLEND", "XGB", "RF", "AI"], folder.path()).await;
    assert!(compare(&site, json!({ "seed": 2, "rules": 400, "markets": markets })).await > 1_000);
}

#[actix_web::test]
async fn rules_over_a_season_as_it_was_known_have_the_bets_of_pandas() {
    let (site, _) = clv::played().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut markets = Vec::new();
    for market in MARKETS {
        let results = format!("/api/v1/results/mlb/{market}?season=2025&format=csv");
        let results = saved(&site, &results, folder.path(), &format!("{market}.csv")).await;
        let mut known = json!({});
        for hours in ["0.5", "3", "6.25", "12"] {
            let path = format!("/api/v1/predictions/mlb/{market}/season?season=2025&hours_before={hours}&format=csv");
            known[hours] = saved(&site, &path, folder.path(), &format!("{market}-{hours}.csv")).await;
        }
        let seasons = json!({ "2025": { "results": results, "known": known } });
        markets.push(json!({ "sport": "mlb", "model_type": market, "models": MODELS, "seasons": seasons }));
    }
    let given = json!({ "seed": 7, "rules": 10 * rules(), "markets": markets, "recorded_since": "2025-06-10" });
    assert!(compare(&site, given).await > 100);
}
