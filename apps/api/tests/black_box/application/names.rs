//! Team names: displayed as the publisher writes them, identified by their slugs.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::service::{Service, Site};

const MORNING: &str = "2025-01-15T15:00:00Z";
const NOON: &str = "2025-01-15T17:00:00Z";
const AT_NOON: (&str, &str) = ("SPORTS_CLOCK__AS_OF", NOON);

/// Publishes a release of college basketball with one file of predictions.
fn publish(site: &Site, at: &str, file: &str, text: &str) {
    let folder: PathBuf = site.place.path().join(format!("release-{}", at.replace(':', "")));
    let (manifest, file) = (folder.join("release.json"), folder.join(file));
    fs::create_dir_all(file.parent().expect("a folder")).expect("folders");
    fs::write(file, text).expect("written");
    let run = json!({ "id": at, "started_at": "2025-01-15T14:00:00Z", "completed_at": "2025-01-15T14:30:00Z" });
    let release = json!({ "sport": "ncaab", "season": "2024-25", "slate_date": "2025-01-15", "run": run });
    fs::write(manifest, release.to_string()).expect("written");
    let _ = site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", at]);
}

/// Returns the names and the pick in the public feed, and the teams in answers to callers with a key.
async fn served(service: &Service) -> [Value; 5] {
    let public = service.get("/api/v1/public/ml-picks/ncaab/spread").await.json();
    let game = &public["games"][0];
    let own = service.get("/api/v1/predictions/ncaab/won_on_spread").await.json();
    let teams = &own["games"][0];
    [&game["away_team"], &game["home_team"], &game["pick"], &teams["away_team"], &teams["home_team"]].map(Clone::clone)
}

#[tokio::test]
async fn a_college_has_the_name_that_its_publisher_writes() {
    let site = Site::empty();
    let rows = "date,time,away_team,home_team,home_point_spread,BLEND\n\
                2025-01-15,19:00,Texas A&M-CC,UConn,-3.5,0.56\n";
    publish(&site, MORNING, "predictions/won_on_spread.csv", rows);
    let service = site.app_with(&[AT_NOON]).await;
    let shown = ["Texas A&M-CC", "UConn", "UConn -3.5", "texas_am_cc", "uconn"];
    assert_eq!(served(&service).await, shown);
    service.stop();

    let games = json!([{
        "date": "2025-01-15", "time": "19:00", "away_team": "texas_am_cc", "home_team": "UCONN",
        "home_point_spread": -4.5, "BLEND": 0.44
    }]);
    publish(&site, NOON, "predictions/won_on_spread.json", &games.to_string());
    let service = site.app_with(&[AT_NOON]).await;
    let shown = ["Texas A&M-CC", "UCONN", "Texas A&M-CC +4.5", "texas_am_cc", "uconn"];
    assert_eq!(served(&service).await, shown, "a slug takes no name away, and the newest name is shown");
}
