//! The commands of docs/how-to-check-us.md, beside a witness and a timestamp server on this machine.

use std::fs;

use sports_testkit::programs::{TestFolder, fixture};
use sports_testkit::services::{TimestampStandIn, WitnessStandIn};

use crate::terminal::{follow, page};

const WEEK: &str = "nfl-2023-week-18-slate";

#[test]
fn a_served_week_is_checked_as_the_page_shows() {
    let Some(stamps) = TimestampStandIn::start() else { return };
    let witness = WitnessStandIn::start("witness.example.com/w1");
    let place = TestFolder::fresh();
    let key = place.path().join("record.key").display().to_string();
    let place = place
        .with("SPORTS_RECORD__KEY_FILE", key)
        .with("SPORTS_RECORD__ORIGIN", "example.com/api/v1/record")
        .with("SPORTS_RECORD__WITNESSES", witness.setting())
        .with("SPORTS_RECORD__TIMESTAMPS", stamps.url());
    let made = place.ctl(["record", "init"]);
    let log = made.split_whitespace().find(|word| word.starts_with("example.com/api/v1/record/nfl+")).expect("a vkey");
    let (release, finals) = (fixture(WEEK).join("release"), fixture(WEEK).join("finals.csv"));
    let _ = place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2024-01-06T15:00:00Z"]);
    // Two days later.
    witness.set_time(1_704_726_000);
    let _ = place.ctl(["settle", "nfl", finals.to_str().expect("text"), "--as-of", "2024-01-08T15:00:00Z"]);
    let (customer, server) = (place.subscriber_key(), place.serve());
    let reader = tempfile::tempdir().expect("a folder");
    fs::copy(stamps.authority().certificate(), reader.path().join("tsa.pem")).expect("copied");
    // A block in a list is indented.
    let page = page("docs/how-to-check-us.md").replace("\n  ```", "\n```").replace("\n  $ ", "\n$ ");
    let witness = witness.key().to_string();
    let store = format!("file:{}", place.store().display());
    let (url, game) = (server.url(""), "nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens");
    let variables =
        [("LOG", log), ("WITNESS", &witness), ("SPORTS_URL", &url), ("SPORTS_API_KEY", &customer), ("GAME", game)];
    follow(&page, reader.path(), &[&variables[..], &[("SPORTS_STORE__URL", store.as_str())]].concat());
}
