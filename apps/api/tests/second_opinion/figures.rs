use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};
use sports_demo::simulation::World;
use sports_domain::Sport;
use sports_testkit::programs::fixture;

use crate::python;
use crate::site::{Site, real_seasons, release_of};

/// Asserts that the answer has everything in the opinion, with equal values; it may have more. For a figure from
/// random draws, the opinion has an approximate value.
pub fn agree(ours: &Value, theirs: &Value, place: &str) {
    match (ours, theirs) {
        (Value::Number(ours), Value::Object(about)) => {
            let ours = ours.as_f64().expect("a number");
            let bound = |name| about.get(name).map(|bound| bound.as_f64().expect("a number"));
            if let (Some(about), Some(within)) = (bound("about"), bound("within")) {
                assert!((ours - about).abs() <= within, "{place}: {ours} here, {about} there, give or take {within}");
            }
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            for (name, theirs) in theirs {
                agree(
                    ours.get(name).unwrap_or_else(|| panic!("{place} has no {name}")),
                    theirs,
                    &format!("{place}.{name}"),
                );
            }
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            assert_eq!(ours.len(), theirs.len(), "{place}");
            for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                agree(ours, theirs, &format!("{place}[{index}]"));
            }
        }
        (Value::Number(ours), Value::Number(theirs)) => {
            let (ours, theirs) = (ours.as_f64().expect("a number"), theirs.as_f64().expect("a number"));
            assert!((ours - theirs).abs() < 1e-9, "{place}: {ours} here, {theirs} there");
        }
        (ours, theirs) => assert_eq!(ours, theirs, "{place}"),
    }
}

/// Compares the figures of each own model in a season with the opinion.
pub async fn compare_own(site: &Site, market: &str, season: &str, opinion: &Value) {
    for (model, opinion) in object(&opinion["own"]) {
        let density = site.get(&format!("/api/v1/results/{market}/density?model={model}")).await;
        agree(&density["current"]["cells"], &opinion["density"], &format!("{market} {season} density of {model}"));
        for accounting in ["legacy_v1", "recorded_v2"] {
            let path = format!("/api/v1/strategies/{market}?season={season}&accounting={accounting}&model={model}");
            let strategies = site.get(&path).await["strategies"].take();
            agree(&strategies, &opinion[accounting], &format!("{market} {season} {accounting} of {model}"));
        }
    }
}

/// Compares everything that the API serves of a site's one season with the opinion.
pub async fn compare(site: &Site, market: &str, season: &str, opinion: &Value) {
    let of_results = |what: &str| format!("/api/v1/results/{market}/{what}");
    let summary = site.get(&format!("/api/v1/summary/{market}")).await;
    agree(&summary["summaries"], &opinion["summaries"], &format!("{market} {season} summary"));
    let form = site.get(&of_results("team-form")).await;
    agree(&form["teams"], &opinion["teams"], &format!("{market} {season} team form"));
    let tracking = site.get(&format!("/api/v1/model-tracking/{market}?season={season}")).await;
    agree(&tracking, &opinion["tracking"], &format!("{market} {season} tracking"));
    let rolling = site.get(&of_results("rolling")).await;
    assert_eq!(rolling["seasons"][0]["season"], season);
    agree(&rolling["seasons"][0]["models"], &opinion["rolling"], &format!("{market} {season} rolling"));
    assert_eq!(length(&rolling["seasons"][0]["models"]), length(&opinion["rolling"]), "{market} {season} rolling");
    let density = site.get(&of_results("density")).await;
    agree(&density["current"]["cells"], &opinion["density"], &format!("{market} {season} density"));
    for accounting in ["legacy_v1", "recorded_v2"] {
        let path = format!("/api/v1/strategies/{market}?season={season}&accounting={accounting}");
        let strategies = site.get(&path).await["strategies"].take();
        agree(&strategies, &opinion[accounting], &format!("{market} {season} {accounting}"));
    }
}

fn length(object: &Value) -> usize {
    object.as_object().map_or(0, Map::len)
}

pub fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().expect("an object")
}

#[actix_web::test]
async fn fixtures_have_the_figures_of_pandas() {
    // Each of these has one season.
    for name in ["edge-cases", "nfl-2023-week-18"] {
        let release = fixture(name).join("release");
        let Some(opinion) = python::answer("analytics.py", "pandas", &[release.as_os_str()]) else { return };
        let site = Site::publishing(&release).await;
        for (market, seasons) in object(&opinion["nfl"]) {
            assert_eq!(object(seasons).len(), 1);
            for (season, opinion) in object(seasons) {
                compare(&site, &format!("nfl/{market}"), season, opinion).await;
            }
        }
    }
}

/// The simulated leagues have what real files lack: an AI model, cancelled games, spreads with a price on one side.
#[actix_web::test]
async fn simulated_seasons_have_the_figures_of_pandas() {
    let now = "2026-02-14T15:30:00Z".parse().expect("an instant");
    let world = World::new(11, now, 1);
    for sport in Sport::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        world.history_release(sport, now).write(folder.path()).expect("written");
        let Some(opinion) = python::answer("analytics.py", "pandas", &[folder.path().as_os_str()]) else { return };
        let site = Site::publishing(folder.path()).await;
        for (market, seasons) in object(&opinion[sport.code()]) {
            let (season, opinion) = object(seasons).iter().next_back().expect("a season");
            compare(&site, &format!("{sport}/{market}"), season, opinion).await;
        }
    }
}

#[actix_web::test]
async fn real_seasons_have_the_figures_of_pandas() {
    let Some(folder) = real_seasons() else { return };
    let data = folder.path();
    let Some(opinion) = python::answer("analytics.py", "pandas", &[data.as_os_str()]) else { return };
    for (sport, markets) in object(&opinion) {
        for season in object(&markets["over_under"]).keys() {
            let folder = tempfile::tempdir().expect("a folder");
            release_of(data, sport, Some(season), folder.path());
            let site = Site::publishing(folder.path()).await;
            assert_eq!(object(markets).len(), 3, "{sport} {season}");
            for (market, seasons) in object(markets) {
                compare(&site, &format!("{sport}/{market}"), season, &seasons[season]).await;
            }
        }
        over_all_seasons(data, sport, markets).await;
    }
    assert_eq!(object(&opinion).len(), 5);
}

/// Compares figures of many seasons: the historical average of the curves, the previous seasons' grid, and every
/// leaderboard by its season's label.
async fn over_all_seasons(data: &Path, sport: &str, markets: &Value) {
    let folder = tempfile::tempdir().expect("a folder");
    release_of(data, sport, None, folder.path());
    let site = Site::publishing(folder.path()).await;
    for (market, seasons) in object(markets) {
        let (market, seasons) = (format!("{sport}/{market}"), object(seasons));
        let list = site.get(&format!("/api/v1/model-tracking/{market}")).await;
        let current = list["season"].as_str().expect("a label");
        let earlier: Vec<_> =
            seasons.iter().filter(|(season, _)| season.as_str() < current).map(|(_, opinion)| opinion).collect();

        let rolling = site.get(&format!("/api/v1/results/{market}/rolling")).await;
        let labels: Vec<_> =
            rolling["seasons"].as_array().expect("seasons").iter().map(|opinion| &opinion["season"]).collect();
        assert_eq!(labels, seasons.keys().rev().collect::<Vec<_>>());
        let average = average(&earlier);
        assert_eq!(length(&rolling["historical_average"]), average.len(), "{market}");
        for (model, days) in average {
            let points = rolling["historical_average"][&model].as_array().expect("points");
            assert_eq!(points.len(), days.len(), "{market} {model}");
            for (point, (day, shares)) in points.iter().zip(days) {
                let mean = shares.iter().sum::<f64>() / f64::from(u32::try_from(shares.len()).expect("few"));
                assert_eq!((&point["day"], &point["seasons"]), (&day.into(), &shares.len().into()), "{market} {model}");
                // The opinion's shares are already rounded.
                assert!((point["win_pct"].as_f64().expect("a number") - mean).abs() < 2e-6, "{market} {model} {day}");
            }
        }

        let density = site.get(&format!("/api/v1/results/{market}/density")).await;
        let count = |cells: &Value, field: &str| {
            cells.as_array().expect("cells").iter().map(|cell| cell[field].as_u64().expect("a count")).sum::<u64>()
        };
        for field in ["games", "wins", "positive"] {
            let theirs: u64 = earlier.iter().rev().take(10).map(|opinion| count(&opinion["density"], field)).sum();
            assert_eq!(count(&density["previous"]["cells"], field), theirs, "{market} {field}");
        }
        assert_eq!(density["previous"]["seasons"].as_array().expect("seasons").len(), earlier.len().min(10));

        for (season, opinion) in seasons {
            let leaderboard =
                site.get(&format!("/api/v1/strategies/{market}?season={season}&accounting=recorded_v2")).await;
            agree(&leaderboard["strategies"], &opinion["recorded_v2"], &format!("{market} {season} of all"));
        }
    }
}

/// Returns, by model and day, the shares of the seasons with a point.
fn average(seasons: &[&Value]) -> BTreeMap<String, BTreeMap<u64, Vec<f64>>> {
    let mut average: BTreeMap<String, BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    for (model, points) in seasons.iter().flat_map(|opinion| object(&opinion["rolling"])) {
        let days = average.entry(model.clone()).or_default();
        for point in points.as_array().expect("points") {
            let share = point["win_pct"].as_f64().expect("a number");
            days.entry(point["day"].as_u64().expect("a day")).or_default().push(share);
        }
    }
    average
}
