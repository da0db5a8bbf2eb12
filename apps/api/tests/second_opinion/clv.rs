//! Closing-line values compared with `SciPy` and pandas, on a simulated season that is published several times a day.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sports_demo::simulation::{ReleaseFiles, Run, Settlement, World};
use sports_domain::Sport;

use crate::calibration::{PACKAGES, agree_within};
use crate::figures::object;
use crate::python;
use crate::site::{PublishedStore, Site};

/// The first morning.
const FIRST: &str = "2025-06-10T14:00:00Z";

/// The number of days played: more than enough picks for a test of each model.
const DAYS: i64 = 12;

const MARKETS: [&str; 3] = ["over_under", "won_on_points", "won_on_spread"];

/// The parts that a release published.
pub struct Published {
    odds_read_at: Option<Value>,
    predictions: bool,
}

/// A publisher who writes down what each release had.
struct Publisher {
    published: PublishedStore,
    folder: tempfile::TempDir,
    releases: Vec<Published>,
}

impl Publisher {
    async fn publish(&mut self, at: DateTime<Utc>, files: &ReleaseFiles) {
        self.published.wait_until(at);
        let folder = self.folder.path().join(self.releases.len().to_string());
        files.write(&folder).expect("written");
        self.published.publish(&folder).await;
        let manifest: Value = serde_json::from_str(files.get("release.json").expect("a manifest")).expect("JSON");
        let has = |start: &str| files.iter().any(|(path, _)| path.starts_with(start));
        let odds_read_at = has("odds").then(|| manifest["source_as_of"]["odds"].clone());
        self.releases.push(Published { odds_read_at, predictions: has("predictions") });
    }

    async fn settle(&mut self, at: DateTime<Utc>, finals: &[Settlement]) {
        self.published.wait_until(at);
        let file = self.folder.path().join("finals.csv");
        fs::write(&file, Settlement::file(finals)).expect("written");
        self.published.settle(Sport::Mlb, &file).await;
        self.releases.push(Published { odds_read_at: None, predictions: false });
    }
}

/// Plays baseball: each day a first run, odds every two hours, a rebuild, and the finals at night.
pub async fn played() -> (Site, Vec<Published>) {
    let first: DateTime<Utc> = FIRST.parse().expect("an instant");
    let world = World::new(29, first, 1);
    let folder = tempfile::tempdir().expect("a folder");
    let mut publisher = Publisher { published: PublishedStore::at(FIRST), folder, releases: Vec::new() };
    for day in 0..DAYS {
        let morning = first + TimeDelta::days(day);
        publisher.publish(morning, &world.day_release(Sport::Mlb, morning, Run::First)).await;
        for hours in [2, 4, 6, 8, 10] {
            let at = morning + TimeDelta::hours(hours);
            if let Some(odds) = world.odds_refresh(Sport::Mlb, at) {
                publisher.publish(at, &odds).await;
            }
        }
        let evening = morning + TimeDelta::minutes(7 * 60 + 30);
        if day % 2 == 0 {
            let rebuilt = evening.max(morning + TimeDelta::minutes(10 * 60 + 15));
            publisher.publish(rebuilt, &world.day_release(Sport::Mlb, rebuilt, Run::Rebuild)).await;
        }
        let night = morning + TimeDelta::hours(20);
        let finals = world.finals(Sport::Mlb, night - TimeDelta::days(1), night);
        if !finals.is_empty() {
            publisher.settle(night, &finals).await;
        }
    }
    (Site::over(publisher.published).await, publisher.releases)
}

/// Returns the games of an answer by their identity.
fn by_id(answer: &Value) -> BTreeMap<String, Value> {
    let games = answer["games"].as_array().expect("games").iter();
    games.map(|game| (game["game_id"].as_str().expect("an id").to_owned(), game.clone())).collect()
}

/// Returns what the service served at each generation, as the input of the script.
async fn record(site: &Site, releases: &[Published]) -> Value {
    let mut served = Vec::new();
    for (number, release) in (1..).zip(releases) {
        let path = |area: &str| format!("/api/v1/{area}?generation={number}");
        let (odds_now, published_at) = site.get_dated(&path("odds/mlb")).await;
        let odds = release.odds_read_at.as_ref().map(|at| json!({ "read_at": at, "games": by_id(&odds_now) }));
        let mut predictions = json!(null);
        if release.predictions {
            for market in MARKETS {
                let page =
                    site.get(&format!("{}&upcoming_only=false", path(&format!("predictions/mlb/{market}")))).await;
                predictions[market] = json!(by_id(&page));
            }
        }
        served.push(json!({
            "generation": number, "published_at": published_at, "odds": odds, "predictions": predictions,
        }));
    }
    let mut results = json!({});
    for market in MARKETS {
        let page = site.get(&format!("/api/v1/results/mlb/{market}?season=2025&limit=10000")).await;
        results[market] = page["results"].clone();
    }
    json!({ "now": site.now(), "releases": served, "results": results })
}

#[actix_web::test]
async fn a_simulated_season_has_the_closing_line_values_of_pandas() {
    let (site, releases) = played().await;
    let record = record(&site, &releases).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("record.json");
    fs::write(&file, record.to_string()).expect("written");
    let argument: &Path = &file;
    let Some(opinion) = python::answer("clv.py", PACKAGES, &[argument.as_os_str()]) else { return };
    let mut tested = 0;
    for (market, by_rule) in object(&opinion) {
        for (taken, theirs) in object(by_rule) {
            let path = format!("/api/v1/clv/mlb/{market}?season=2025&taken={taken}");
            let ours = site.get(&path).await;
            agree_within(1e-9, &ours, theirs, &path);
            let models = ours["models"].as_array().expect("models").iter();
            tested += models.filter(|model| model["clv_ev"]["p"].is_number()).count();
        }
    }
    assert!(tested > 20, "{tested} tests of a model and a market: the season is too short");
}
