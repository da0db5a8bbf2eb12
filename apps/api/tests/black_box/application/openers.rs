//! Opening spreads of 0: placeholders or pick'ems, as the release says.

use serde_json::Value;

use crate::folder::Folder;
use crate::service::{Service, Site};

/// The Bengals' line of the week opened at -3 and closed at -7.5.
const OPENED: &str = "-7.5,7.5,-105,-115,-3.0,3.0";
const AT_ZERO: &str = "-7.5,7.5,-105,-115,0,0";

/// Publishes the week with the Bengals' opener at 0 under a setting, and returns what was printed.
async fn published(setting: &str) -> (Site, Service, String) {
    let site = Site::empty();
    let folder = Folder::copy_of("nfl-2023-week-18").replace("games/2023-24.csv", OPENED, AT_ZERO).replace(
        "release.json",
        "{",
        &format!("{{{setting}"),
    );
    let printed = site.place.ctl(["publish", folder.path().to_str().expect("text"), "--json"]);
    let service = site.app().await;
    (site, service, printed)
}

/// Returns the opener of the Bengals in JSON, NDJSON, CSV and the table of games, as texts.
async fn openers(service: &Service) -> [String; 4] {
    let path = "nfl/won_on_spread?season=2023-24&team=bengals";
    let json = service.page(path).await.json()["results"][0]["open_home_point_spread"].to_string();
    let line = service.page(&format!("{path}&format=ndjson")).await;
    let line: Value = serde_json::from_str(line.text().trim()).expect("a line");
    let csv = service.page(&format!("{path}&format=csv")).await;
    let mut reader = csv::Reader::from_reader(&*csv.body);
    let header = reader.headers().expect("a header").clone();
    let place = header.iter().position(|name| name == "open_home_point_spread").expect("a column");
    assert!(!header.iter().any(|name| name.contains("placeholder")), "{header:?}");
    let cell = reader.records().next().expect("a row").expect("a row")[place].to_owned();
    let game = service.get("/api/v1/games/nfl?season=2023-24&team=bengals").await.json();
    let line = line.get("open_home_point_spread").unwrap_or(&Value::Null).to_string();
    [json, line, cell, game["games"][0]["spread_open_home_point_spread"].to_string()]
}

#[tokio::test]
async fn a_placeholder_is_null_everywhere_and_a_pick_em_is_an_opener() {
    let replay = "/api/v1/strategies/nfl/won_on_spread/follow_line_home/replay";
    // With the opener of the source the line moved to the home side in eight games, of which the Bengals won.
    for (setting, opener, record) in [
        (r#""zero_spread_openers": "placeholder","#, ["null", "null", "", "null"], "4-3-0"),
        (r#""zero_spread_openers": "pickem","#, ["0.0", "0.0", "0", "0.0"], "5-3-0"),
        ("", ["0.0", "0.0", "0", "0.0"], "5-3-0"),
    ] {
        let (site, service, printed) = published(setting).await;
        assert_eq!(openers(&service).await, opener, "{setting}");
        assert_eq!(service.get(replay).await.json()["strategy"]["record"], record, "{setting}");
        let warning = "zero-openers: column open_home_point_spread: 0 in 1 games is taken as a pick'em; 100.0 % of 1 closed more than \
                       6 points away";
        assert_eq!(printed.contains(warning), record == "5-3-0", "{printed}");
        drop(site);
        service.stop();
    }
}

#[tokio::test]
async fn a_history_that_is_published_again_as_placeholders_loses_its_openers() {
    let (site, service, _) = published("").await;
    let folder = Folder::copy_of("nfl-2023-week-18").replace("games/2023-24.csv", OPENED, AT_ZERO).replace(
        "release.json",
        "{",
        r#"{"zero_spread_openers": "placeholder","#,
    );
    service.stop();
    let path = folder.path().to_str().expect("text");
    assert!(site.place.ctl(["publish", path]).contains("published: "));
    let again = site.place.ctl(["publish", path]);
    assert!(!again.contains("published: "), "the same folder again changes nothing: {again}");
    let service = site.app().await;
    assert_eq!(openers(&service).await, ["null", "null", "", "null"]);
}

#[tokio::test]
async fn another_word_is_refused_by_name() {
    let site = Site::empty();
    let folder = Folder::copy_of("nfl-2023-week-18").replace("release.json", "{", r#"{"zero_spread_openers": "zero","#);
    let refused =
        site.place.sportsctl(["publish", folder.path().to_str().expect("text")]).output().expect("sportsctl runs");
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("zero_spread_openers: `zero`: expected `placeholder` or `pickem`"), "{text}");
    assert_eq!(refused.status.code(), Some(2));
}
