//! Answers as of any moment of the record, against servers over copies of the store that end with that moment.

mod caching;
mod receipts;
mod requests;

use std::fs;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::Value;
use sports_testkit::programs::{copy_folder, fixture};

use crate::folder::{Folder, League};
use crate::service::{Answer, Service, Site};

const MORNING: &str = "2024-01-06T15:00:00Z";
const EVENING: &str = "2024-01-06T22:30:00Z";
const SUNDAY: &str = "2024-01-07T12:00:00Z";
const NEXT_SEASON: &str = "2025-01-17T16:00:00Z";

/// A record of four releases: a slate, odds of the evening, two finals, and games of the next season.
struct Record {
    site: Site,
}

impl Record {
    fn new() -> Self {
        let site = Site::on_one_machine();
        let slate = fixture("nfl-2023-week-18-slate");
        let publish = |folder: &std::path::Path, at: &str| {
            let printed = site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", at]);
            assert!(printed.contains("published: "), "{printed}");
        };
        publish(&slate.join("release"), MORNING);
        publish(odds_of_the_evening().path(), EVENING);
        let finals = fs::read_to_string(slate.join("finals.csv")).expect("finals");
        let saturday = site.place.path().join("saturday.csv");
        fs::write(&saturday, finals.split_inclusive('\n').take(3).collect::<String>()).expect("written");
        let _ = site.place.ctl(["settle", "nfl", saturday.to_str().expect("text"), "--as-of", SUNDAY]);
        publish(&fixture("edge-cases").join("release"), NEXT_SEASON);
        Self { site }
    }

    fn published_at(&self, generation: u64) -> DateTime<Utc> {
        let text = fs::read_to_string(League::nfl(&self.site.place.store()).entry(generation)).expect("an entry");
        let entry: Value = serde_json::from_str(&text).expect("JSON");
        entry["published_at"].as_str().and_then(|at| at.parse().ok()).expect("an instant")
    }

    /// Creates a site with a copy of the store that ends with this generation.
    fn cut_after(&self, generation: u64) -> Site {
        let cut = Site::on_one_machine();
        copy_folder(&self.site.place.store(), &cut.place.store());
        for later in generation + 1.. {
            if fs::remove_file(League::nfl(&cut.place.store()).entry(later)).is_err() {
                return cut;
            }
        }
        cut
    }
}

/// Returns a release of odds in which the Colts, who play in three hours, have become the favourites.
fn odds_of_the_evening() -> Folder {
    let odds = Folder::copy_of("nfl-2023-week-18-slate").replace(
        "odds.json",
        r#""home_money_line": 105, "away_money_line": -125"#,
        r#""home_money_line": -150, "away_money_line": 130"#,
    );
    fs::remove_dir_all(odds.path().join("predictions")).expect("removed");
    let manifest = r#"{"sport": "nfl", "slate_date": "2024-01-06", "slate": "active", "source_as_of": {"odds": "2024-01-06T22:30:00Z"}}"#;
    fs::write(odds.path().join("release.json"), manifest).expect("written");
    odds
}

fn written(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Returns a path with a parameter.
fn with(path: &str, parameter: &str) -> String {
    format!("{path}{}{parameter}", if path.contains('?') { '&' } else { '?' })
}

async fn as_of(service: &Service, path: &str, instant: DateTime<Utc>) -> Answer {
    service.get(&with(path, &format!("as_of={}", written(instant)))).await
}

/// The listed endpoints, each in every format that it has.
fn paths() -> Vec<String> {
    let market = |model_type: &str| {
        let tables = ["predictions", "summary", "strategies", "results"].map(|area| format!("{area}/nfl/{model_type}"));
        let form = format!("results/nfl/{model_type}/team-form");
        let replay = {
            let side = if model_type == "over_under" { "over" } else { "home" };
            format!("strategies/nfl/{model_type}/fade_line_{side}/replay?include_excluded=true")
        };
        let tables: Vec<_> = tables.into_iter().chain([form, replay]).collect();
        let in_every_format = tables.iter().flat_map(|path| {
            ["json", "csv", "ndjson", "parquet"].map(|format| with(path, &format!("format={format}")))
        });
        let json = [
            format!("predictions/nfl/{model_type}?upcoming_only=false"),
            format!("predictions/nfl/{model_type}?upcoming_only=false&changed_after=1"),
            format!("predictions/nfl/{model_type}/moves"),
            format!("results/nfl/{model_type}/seasons"),
            format!("results/nfl/{model_type}?season=2023-24&limit=5"),
            format!("results/nfl/{model_type}?team=baltimore_ravens"),
            format!("model-tracking/nfl/{model_type}"),
            format!("calibration/nfl/{model_type}"),
            format!("calibration/nfl/{model_type}?season=2023-24&horizon=6h"),
            format!("calibration/nfl/{model_type}?horizon=first"),
            format!("clv/nfl/{model_type}?season=2023-24"),
            format!("clv/nfl/{model_type}?taken=first&close_within=1440"),
            format!("clv/nfl/{model_type}?forecast_source=recorded"),
            format!("calibration/nfl/{model_type}?forecast_source=recorded"),
            format!("summary/nfl/{model_type}?forecast_source=recorded"),
            format!("model-tracking/nfl/{model_type}?forecast_source=walk_forward"),
            format!("results/nfl/{model_type}/rolling"),
            format!("results/nfl/{model_type}/density"),
        ];
        in_every_format.chain(json).collect::<Vec<_>>()
    };
    let odds = ["json", "csv", "ndjson", "parquet"].map(|format| format!("odds/nfl?format={format}"));
    let games = ["json", "csv", "ndjson", "parquet"].map(|format| format!("games/nfl?format={format}"));
    let slate = ["slate/nfl", "slate/nfl?format=csv", "odds/nfl/moves?after_generation=1", "odds/nfl?changed_after=1"];
    let closing = ["odds/nfl/closing?season=2023-24&format=csv", "odds/nfl/closing?season=2023-24&limit=3"];
    let seasons = ["csv", "ndjson", "parquet"].into_iter().flat_map(|format| {
        ["results/nfl/won_on_spread", "games/nfl"].map(|area| format!("{area}?season=all&format={format}"))
    });
    let markets = ["over_under", "won_on_points", "won_on_spread"].into_iter().flat_map(market);
    let paths = odds
        .into_iter()
        .chain(["data-status/nfl".to_owned()])
        .chain(games)
        .chain(closing.map(str::to_owned))
        .chain(slate.map(str::to_owned))
        .chain(seasons)
        .chain(markets);
    paths.map(|path| format!("/api/v1/{path}")).collect()
}

#[tokio::test]
async fn an_answer_as_of_an_instant_is_that_of_a_store_that_ends_there() {
    let record = Record::new();
    let service = record.site.app().await;
    for (generation, hours) in [(1, 1), (2, 0), (2, 3), (3, 30), (4, 24)] {
        let instant = record.published_at(generation) + TimeDelta::hours(hours);
        let cut = record.cut_after(generation);
        let then = cut.app_with(&[("SPORTS_CLOCK__AS_OF", &written(instant))]).await;
        for path in paths() {
            let (past, expected) = (as_of(&service, &path, instant).await, then.get(&path).await);
            let at = format!("{path} at {instant}");
            if expected.status == 404 {
                let detail = format!("{} as of {}", expected.failure(404), written(instant));
                assert_eq!(past.failure(404), detail, "{at}");
                continue;
            }
            assert_eq!((past.status, expected.status), (200, 200), "{at}: {}", past.text());
            assert!(past.body == expected.body, "{at}: {}\n{}", past.text(), expected.text());
            assert_eq!(past.header("etag"), expected.header("etag"), "{at}");
            assert_eq!(past.header("x-generation"), Some(&*generation.to_string()), "{at}");
            assert_eq!(past.header("x-generation"), expected.header("x-generation"), "{at}");
            let is_public = path.starts_with("/api/v1/data-status/");
            assert!(is_public || past.header("x-record-head") == expected.header("x-record-head"), "{at}");
        }
    }
}

#[tokio::test]
async fn a_generation_is_answered_as_of_its_publication() {
    let record = Record::new();
    let service = record.site.app().await;
    for generation in 1..=4 {
        let instant = record.published_at(generation);
        for path in paths() {
            let by_number = service.get(&with(&path, &format!("generation={generation}"))).await;
            let by_instant = as_of(&service, &path, instant).await;
            assert_eq!((by_number.status, &by_number.body), (by_instant.status, &by_instant.body), "{path}");
        }
    }
}

#[tokio::test]
async fn an_instant_selects_the_newest_entry_at_or_before_it() {
    let record = Record::new();
    let service = record.site.app().await;
    let path = "/api/v1/odds/nfl";
    let selected = async |instant| {
        let answer = as_of(&service, path, instant).await;
        let number = answer.header("x-generation").and_then(|number| number.parse::<u64>().ok());
        number.ok_or_else(|| answer.failure(404))
    };
    for generation in 1..=4 {
        let published = record.published_at(generation);
        assert_eq!(selected(published).await, Ok(generation));
        assert_eq!(selected(published + TimeDelta::milliseconds(1)).await, Ok(generation));
        let before = selected(published - TimeDelta::milliseconds(1)).await;
        if generation > 1 {
            assert_eq!(before, Ok(generation - 1));
        } else {
            let (first, instant) = (written(published), written(published - TimeDelta::milliseconds(1)));
            let detail = format!("Nothing was published for nfl at {instant}: its first release is of {first}");
            assert_eq!(before, Err(detail));
        }
    }
    let now = service.clock().await;
    assert_eq!(selected(now).await, Ok(4));
    assert_eq!(selected(now + TimeDelta::seconds(1)).await, Ok(4));
}

#[tokio::test]
async fn the_odds_of_a_morning_are_not_those_of_the_evening() {
    let record = Record::new();
    let service = record.site.app().await;
    let line = |answer: &Answer| {
        let odds = answer.json();
        let games = odds["games"].as_array().expect("games").clone();
        games.into_iter().find(|game| game["home_team"] == "indianapolis_colts").expect("the game")["home_money_line"]
            .clone()
    };
    let then = service.get("/api/v1/odds/nfl?as_of=2024-01-06T21:00:00Z").await;
    assert_eq!(line(&then), 105);
    let later = service.get("/api/v1/odds/nfl?as_of=2024-01-06T16:31:00-06:00").await;
    assert_eq!(line(&later), -150);
}
