//! A service as it looks from outside: week 18 is published, signed, cosigned, settled and served, and then checked over HTTP.

use serde_json::json;
use sports_testkit::programs::{Server, TestFolder, fixture};
use sports_testkit::services::WitnessStandIn;

use crate::support::{Completed, run, run_json};

const SLATE: &str = "nfl-2023-week-18-slate";
const SEASON: &str = "2023-24";

/// A served record, and the keys that its reader knows.
struct Outside {
    place: TestFolder,
    server: Server,
    witness: WitnessStandIn,
    log: String,
    key: String,
}

impl Outside {
    fn served() -> Self {
        let witness = WitnessStandIn::start("witness.example.com/w");
        let place = TestFolder::fresh();
        let key = place.path().join("record.key").display().to_string();
        let place = place
            .with("SPORTS_RECORD__KEY_FILE", key)
            .with("SPORTS_RECORD__ORIGIN", "example.com/api/v1/record")
            .with("SPORTS_RECORD__WITNESSES", witness.setting());
        let made = run_json(&place, ["record", "init"]);
        let nfl = made["keys"].as_array().and_then(|keys| keys.iter().find(|key| key["sport"] == "nfl"));
        let log = nfl.and_then(|key| key["vkey"].as_str()).expect("a vkey").to_owned();
        let (release, finals) = (fixture(SLATE).join("release"), fixture(SLATE).join("finals.csv"));
        let published = run(&place, ["publish", release.to_str().expect("text"), "--as-of", "2024-01-06T15:00:00Z"]);
        assert_eq!(published.code, Some(0), "{published:?}");
        // Two days later.
        witness.set_time(1_704_726_000);
        let settled = run(&place, ["settle", "nfl", finals.to_str().expect("text"), "--as-of", "2024-01-08T15:00:00Z"]);
        assert_eq!(settled.code, Some(0), "{settled:?}");
        let (key, server) = (place.subscriber_key(), place.serve());
        Self { place, server, witness, log, key }
    }

    fn check(&self, words: &[&str]) -> Completed {
        let url = self.server.url("");
        run(&self.place, [&["record"], words, &["--url", &url, "--log", &self.log, "--json"]].concat())
    }

    fn audit(&self, more: &[&str]) -> Completed {
        self.check(&[&["audit", "nfl", SEASON, "--key", &self.key], more].concat())
    }
}

#[test]
fn a_served_week_is_proven_from_outside() {
    let outside = Outside::served();
    let witness = outside.witness.key().to_string();
    let audited = outside.audit(&["--witness", &witness]);
    assert_eq!(audited.code, Some(0), "{audited:?}");
    let report = audited.json();
    assert!(report["proven"].as_u64().is_some_and(|proven| proven > 0), "{report}");
    assert_eq!((&report["games"], &report["findings"]), (&report["proven"], &json!([])), "{report}");
    assert_eq!(outside.audit(&[]).code, Some(3), "without a witness");

    let state = outside.place.path().join("kept");
    let watch = || outside.check(&["watch", "nfl", "--state", state.to_str().expect("text")]);
    assert_eq!(watch().json()["records"][0]["verdict"], "first");
    assert_eq!(watch().json()["records"][0]["verdict"], "unchanged");
    let head = format!("nfl {} {}", report["size"], report["root"].as_str().expect("a root"));
    assert_eq!(outside.check(&["check-head", &head]).code, Some(0));

    let file = outside.place.path().join("ravens.tlog-proof");
    let file = file.to_str().expect("text");
    let game = "2024-01-06 16:30 pittsburgh_steelers at baltimore_ravens";
    let made = run(&outside.place, ["record", "prove", "nfl", "won_on_points", game, "--out", file]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let known =
        ["record", "check", file, "--log", &outside.log, "--start", "2024-01-06T21:30:00Z", "--witness", &witness];
    let checked = run(&outside.place, known);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.out.contains(r#""BLEND":0.5661"#), "{checked:?}");
}
