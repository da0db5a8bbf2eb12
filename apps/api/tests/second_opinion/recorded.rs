//! Figures of the forecasts that a log recorded, compared with pandas over the rows of the games that its releases predicted in time.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sports_demo::simulation::{Run, Settlement, World};
use sports_domain::Sport;

use crate::calibration;
use crate::figures::agree;
use crate::python;
use crate::site::{PublishedStore, Site};

const FIRST: &str = "2025-06-10T14:00:00Z";

/// The number of days with a release, and of days whose forecasts are imported afterwards.
const DAYS: i64 = 6;

const MARKETS: [&str; 3] = ["over_under", "won_on_points", "won_on_spread"];

/// Publishes a history whose forecasts of June are live by their own word, then releases of some days and their finals. Returns the
/// dates of the releases.
async fn played() -> (Site, BTreeSet<String>) {
    let first: DateTime<Utc> = FIRST.parse().expect("an instant");
    let (world, folder) = (World::new(31, first, 1), tempfile::tempdir().expect("a folder"));
    let published = PublishedStore::at(FIRST);
    let history = folder.path().join("history");
    world.history_release(Sport::Mlb, first).write(&history).expect("written");
    for market in MARKETS {
        claim_live(&history.join(format!("probabilities/{market}/2025.csv")));
    }
    published.publish(&history).await;
    let mut dates = BTreeSet::new();
    for day in 0..DAYS {
        let (morning, slate) = (first + TimeDelta::days(day), folder.path().join(day.to_string()));
        let _ = dates.insert(morning.date_naive().to_string());
        published.wait_until(morning + TimeDelta::minutes(1));
        world.day_release(Sport::Mlb, morning, Run::First).write(&slate).expect("written");
        published.publish(&slate).await;
        let night = morning + TimeDelta::hours(20);
        published.wait_until(night);
        let finals = folder.path().join("finals.csv");
        fs::write(&finals, Settlement::file(&world.finals(Sport::Mlb, morning, night))).expect("written");
        published.settle(Sport::Mlb, &finals).await;
    }
    (Site::over(published).await, dates)
}

/// Adds the columns of live forecasts to a table of probabilities, filled in the rows of June.
fn claim_live(table: &Path) {
    let text = fs::read_to_string(table).expect("a table");
    let claimed = text.lines().map(|line| match line {
        head if head.starts_with("date,") => format!("{head},forecast_source,forecast_run,forecast_published_at"),
        june if june.starts_with("2025-06") => format!("{june},live,elsewhere,{}T12:00:00Z", &june[..10]),
        other => format!("{other},,,"),
    });
    fs::write(table, claimed.collect::<Vec<_>>().join("\n") + "\n").expect("written");
}

/// Writes the rows of a season on some dates as a league's folder.
fn folder_of(csv: &str, market: &str, is_of: impl Fn(&str) -> bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = csv.lines().enumerate().filter(|(number, line)| *number == 0 || is_of(&line[..10]));
    let kept = kept.map(|(_, line)| line).collect::<Vec<_>>().join("\n") + "\n";
    for place in ["games/2025.csv".to_owned(), format!("probabilities/{market}/2025.csv")] {
        let file = folder.path().join(place);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, &kept).expect("written");
    }
    fs::write(folder.path().join("release.json"), json!({ "sport": "mlb" }).to_string()).expect("written");
    folder
}

#[actix_web::test]
async fn figures_of_recorded_forecasts_are_those_of_pandas_over_their_games() {
    let (site, dates) = played().await;
    for market in MARKETS {
        let csv = site.bytes(&format!("/api/v1/results/mlb/{market}?season=2025&format=csv")).await;
        let csv = std::str::from_utf8(&csv).expect("text");
        let is_recorded = |date: &str| dates.contains(date);
        let is_imported = |date: &str| date.starts_with("2025-06") && !is_recorded(date);
        let recorded = folder_of(csv, market, is_recorded);
        let live = folder_of(csv, market, |date| is_recorded(date) || is_imported(date));
        for (counted, folder) in [("recorded", &recorded), ("live", &live)] {
            let folder = [folder.path().as_os_str()];
            let Some(opinion) = python::answer("analytics.py", "pandas", &folder) else { return };
            let opinion = &opinion["mlb"][market]["2025"];
            let of = |area: &str| format!("/api/v1/{area}/mlb/{market}?season=2025&forecast_source={counted}");
            let summary = site.get(&of("summary")).await;
            agree(&summary["summaries"], &opinion["summaries"], &of("summary"));
            assert!(summary["summaries"][0]["total_games"].as_u64().is_some_and(|games| games > 30), "{summary}");
            for accounting in ["legacy_v1", "recorded_v2"] {
                let path = format!("{}&accounting={accounting}", of("strategies"));
                agree(&site.get(&path).await["strategies"], &opinion[accounting], &path);
            }
            let Some(scores) = python::answer("calibration.py", calibration::PACKAGES, &folder) else { return };
            let blocks = site.get(&of("calibration")).await["sources"].take();
            let [block] = blocks.as_array().expect("sources").as_slice() else { panic!("{blocks}") };
            calibration::agree(&block["models"], &scores["mlb"][market]["2025"], &of("calibration"));
        }
        let tracking = site.get(&format!("/api/v1/model-tracking/mlb/{market}?season=2025")).await;
        let rows = |is_of: &dyn Fn(&str) -> bool| {
            csv.lines().skip(1).filter(|line| is_of(&line[..10])).filter(|line| has_forecast(csv, line)).count()
        };
        let [imported, recorded] = [rows(&is_imported), rows(&is_recorded)].map(Value::from);
        assert_eq!(
            [&tracking["forecast_games"]["imported"], &tracking["forecast_games"]["recorded"]],
            [&imported, &recorded]
        );
    }
}

/// Returns true if a row has a probability of BLEND.
fn has_forecast(csv: &str, line: &str) -> bool {
    let place = csv.lines().next().and_then(|head| head.split(',').position(|name| name == "BLEND"));
    line.split(',').nth(place.expect("a column")).is_some_and(|cell| !cell.is_empty())
}
