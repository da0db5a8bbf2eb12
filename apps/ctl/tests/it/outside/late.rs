//! A publisher who loses a loser after its game, with the programs alone, and whose witness is honest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, copy_folder, fixture};
use sports_testkit::services::{WebAnswer, WebServer, installed};

use super::{
    AFTER_THE_WEEK, IN_TIME, ORIGIN, Outside, Publisher, RAVENS, SEASON, SLATE, TOO_LATE, publish, with_key_file,
};
use crate::support::{Completed, files, run};

/// Three days and more after the games.
const LATER: &str = "2024-01-13T15:00:00Z";

const TEAMS: &str = "pittsburgh_steelers,baltimore_ravens";

impl Publisher {
    /// A publisher whose forecasts of the week were received hours before play. The Ravens, whom the blend takes, lose 17-10.
    fn before_the_week() -> Self {
        let publisher = Self::new();
        publisher.witness.set_time(IN_TIME);
        publish(&publisher.place);
        publisher
    }

    /// Publishes the week's release with changes, by a clock at `as_of` and a witness that receives it at `received`.
    fn publish_again(&self, (as_of, received): (&str, u64), change: impl Fn(&Path)) -> Completed {
        let folder = self.place.path().join(format!("again-{}", files(self.place.path()).len()));
        copy_folder(&fixture(SLATE).join("release"), &folder);
        rewrite(&folder.join("release.json"), |text| text.replace("daily-2024-01-06", "daily-2024-01-06-again"));
        change(&folder);
        self.witness.set_time(received);
        let done = run(&self.place, ["publish", folder.to_str().expect("text"), "--as-of", as_of]);
        assert_eq!(done.code, Some(0), "{done:?}");
        done
    }

    /// Settles the week with changes of the file of finals.
    fn settle_with(&self, change: fn(&str) -> String) {
        self.settle_at(("2024-01-08T15:00:00Z", AFTER_THE_WEEK), change);
    }

    fn settle_at(&self, (as_of, received): (&str, u64), change: fn(&str) -> String) {
        self.witness.set_time(received);
        let path = self.place.path().join("finals.csv");
        let text = fs::read_to_string(fixture(SLATE).join("finals.csv")).expect("finals");
        fs::write(&path, change(&text)).expect("written");
        let done = run(&self.place, ["settle", "nfl", path.to_str().expect("text"), "--as-of", as_of]);
        assert_eq!(done.code, Some(0), "{done:?}");
    }
}

impl Publisher {
    /// Audits the season at a service, with the witness.
    fn audit(&self, url: &str, key: &str, more: &[&str]) -> Completed {
        let witness = self.witness.key().to_string();
        let words = ["record", "audit", "nfl", SEASON, "--url", url, "--log", &self.log, "--key", key];
        run(&self.place, [&words[..], &["--witness", &witness], more].concat())
    }
}

impl Outside<'_> {
    fn audit_at(&self, now: &str) -> Completed {
        let witness = self.publisher.witness.key().to_string();
        self.check(&["audit", "nfl", SEASON, "--key", &self.key, "--witness", &witness, "--as-of", now])
    }
}

fn rewrite(path: &Path, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).expect("a file");
    fs::write(path, change(&text)).expect("written");
}

/// Leaves the Ravens' cells of probabilities empty.
fn without_ravens(folder: &Path) {
    for market in ["over_under", "won_on_spread"] {
        rewrite(&folder.join(format!("predictions/{market}.csv")), |text| {
            let line = |line: &str| {
                let cells: Vec<_> = line.split(',').collect();
                let kept = if line.contains(TEAMS) { cells.len() - 7 } else { cells.len() };
                [cells[..kept].join(","), ",".repeat(cells.len() - kept), "\n".to_owned()].concat()
            };
            text.lines().map(line).collect()
        });
    }
    rewrite(&folder.join("predictions/won_on_points.json"), |text| {
        let mut rows: Vec<Value> = serde_json::from_str(text).expect("rows");
        for model in ["BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"] {
            rows[0][model] = Value::Null;
        }
        json!(rows).to_string()
    });
}

/// Removes the Ravens' line of the finals.
fn without_final(text: &str) -> String {
    text.lines().filter(|line| !line.contains(TEAMS)).flat_map(|line| [line, "\n"]).collect()
}

fn with_status(text: &str, status: &str) -> String {
    let line = |(place, line): (usize, &str)| match place {
        0 => format!("{line},settlement_status\n"),
        _ if line.contains(TEAMS) => line.replace(",17,10", status) + "\n",
        _ => format!("{line},settled\n"),
    };
    text.lines().enumerate().map(line).collect()
}

/// Asserts that the audit names the game of the Ravens with a kind, and does not end with 0; returns the report.
fn names_ravens(publisher: &Publisher, kind: &str, code: i32) -> Value {
    let done = publisher.serve().audit_at(LATER);
    let report = done.json();
    let findings = report["findings"].as_array().expect("findings");
    let is_it = |found: &&Value| {
        found["kind"] == kind && found["game"].as_str().is_some_and(|game| game.ends_with(&RAVENS[20..]))
    };
    assert!(findings.iter().any(|found| is_it(&found)) && done.code == Some(code), "{kind}: {done:?}");
    report
}

/// Returns the records that another program makes of the same openings and finals.
fn second_opinion(outside: &Outside<'_>) -> Value {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/outside/record_of.py");
    let url = outside.server.url("");
    let done = Command::new("python3").args([script, &url, &outside.key, "nfl", SEASON]).output().expect("it runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).expect("json")
}

fn agrees(records: &[Value], other: &Value) {
    assert_eq!(other.as_object().map(serde_json::Map::len), Some(records.len()), "{other}");
    for record in records {
        let [market, model] = ["model_type", "model"].map(|name| record[name].as_str().expect("a name"));
        let other = &other[format!("{market} {model}")];
        assert_eq!(json!([record["wins"], record["losses"], record["pushes"]]), other["wlp"], "{record}");
        for name in ["units", "brier"] {
            let [one, two] = [record, other].map(|record| record[name].as_f64().expect("a number"));
            assert!((one - two).abs() < 1e-9, "{name}: {record} {other}");
        }
    }
}

#[test]
fn an_honest_week_is_proven_with_its_record() {
    let publisher = Publisher::of_week(IN_TIME);
    let outside = publisher.serve();
    let done = outside.audit_at(LATER);
    let report = done.json();
    assert_eq!((done.code, &report["findings"], &report["proven"]), (Some(0), &json!([]), &json!(48)), "{done:?}");
    let records = report["records"].as_array().expect("records");
    let blend = records.iter().find(|record| record["model_type"] == "won_on_points" && record["model"] == "BLEND");
    let blend = blend.expect("the blend");
    assert_eq!((&blend["wins"], &blend["losses"]), (&blend["api_wins"], &blend["api_losses"]), "{blend}");
    let [own, stated] =
        ["roi_without_pushes", "api_roi_without_pushes"].map(|field| blend[field].as_f64().expect("a return"));
    assert!((own - stated).abs() < 2e-6, "{blend}");
    assert_eq!((&blend["quoted"], &blend["better_than_quoted"]), (&json!(16), &json!(0)), "{blend}");
    if installed("python3", &[]).is_some() {
        agrees(records, &second_opinion(&outside));
    }
    let text = publisher.audit(&outside.server.url(""), &outside.key, &[]);
    assert!(text.out.contains("W-L-P") && text.out.contains("rank"), "{text:?}");
}

#[test]
fn a_loser_that_is_withdrawn_by_a_slow_clock_is_named() {
    let publisher = Publisher::before_the_week();
    publisher.publish_again(("2024-01-06T20:00:00Z", TOO_LATE + 9_000), without_ravens);
    publisher.settle_with(str::to_owned);
    let report = names_ravens(&publisher, "late_withdrawal", 3);
    let blend = report["records"]
        .as_array()
        .expect("records")
        .iter()
        .find(|record| record["model_type"] == "won_on_points" && record["model"] == "BLEND");
    assert_eq!(blend.map(|blend| blend["games"].clone()), Some(json!(16)), "the loser counts");
}

/// Gives the game of the Ravens the date of a week later.
fn a_week_later(folder: &Path) {
    for path in files(folder).into_iter().filter(|path: &PathBuf| !path.ends_with("release.json")) {
        rewrite(&path, |text| {
            let Ok(mut json) = serde_json::from_str::<Value>(text) else {
                return text.replace(&format!("2024-01-06,16:30:00,{TEAMS}"), &format!("2024-01-13,16:30:00,{TEAMS}"));
            };
            let rows = if json.is_array() { &mut json } else { &mut json["games"] };
            let is_ravens = |row: &&mut Value| {
                row["home_team"].as_str().is_some_and(|team| team.to_lowercase().ends_with("ravens"))
            };
            let ravens = rows.as_array_mut().expect("rows").iter_mut().filter(is_ravens);
            ravens.for_each(|row| row["date"] = json!("2024-01-13"));
            json.to_string()
        });
    }
}

/// Moves the game of the Ravens to a week later.
fn moved(folder: &Path) {
    rewrite(&folder.join("release.json"), |text| {
        let mut json: Value = serde_json::from_str(text).expect("json");
        json["moved"] = json!([{ "match_id": "week18-PIT-BAL", "to": {
            "date": "2024-01-13", "time": "16:30:00", "away_team": "Pittsburgh Steelers", "home_team": "Baltimore Ravens" } }]);
        json.to_string()
    });
    a_week_later(folder);
}

#[test]
fn a_loser_that_is_moved_after_its_game_is_named() {
    let publisher = Publisher::before_the_week();
    publisher.publish_again(("2024-01-07T01:00:00Z", TOO_LATE + 9_000), moved);
    publisher.settle_with(without_final);
    names_ravens(&publisher, "late_move", 3);
}

/// A way to lose a loser by a release, by a clock that is slow.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Release {
    Withdrawn,
    Moved,
    /// The other side is forecast.
    Turned,
}

impl Release {
    /// Changes a folder in which the game was moved before, or was not.
    fn change(self, folder: &Path, is_moved: bool) {
        match self {
            Self::Moved if !is_moved => return moved(folder),
            Self::Withdrawn => without_ravens(folder),
            Self::Moved | Self::Turned => rewrite(&folder.join("predictions/won_on_points.json"), |text| {
                let mut rows: Vec<Value> = serde_json::from_str(text).expect("rows");
                rows[0]["BLEND"] = json!(0.31);
                json!(rows).to_string()
            }),
        }
        if is_moved {
            a_week_later(folder);
        }
    }
}

/// Loses the loser by releases in their order and by the finals, with a clock that is slow by so many hours, and returns what an
/// audit with an honest witness says.
fn lost_by(releases: &[Release], finals: fn(&str) -> String, slow: i64) -> Completed {
    let publisher = Publisher::before_the_week();
    for (at, release) in releases.iter().enumerate() {
        // By the slow clock minutes before the start at 21:30.
        let minute = i64::try_from(at).expect("few") * 10;
        let own = chrono::DateTime::from_timestamp(1_704_576_600 - 60 * (30 - minute), 0).expect("an instant");
        let received = own + chrono::TimeDelta::hours(slow);
        let is_moved = releases[..at].contains(&Release::Moved);
        let received = u64::try_from(received.timestamp()).expect("after 1970");
        publisher.publish_again((&own.to_rfc3339(), received), |folder| release.change(folder, is_moved));
    }
    publisher.settle_at(("2024-01-14T15:00:00Z", AFTER_THE_WEEK + 6 * 86_400), finals);
    publisher.serve().audit_at("2024-01-18T15:00:00Z")
}

#[test]
fn no_two_ways_to_lose_a_loser_pass_together() {
    type Finals = fn(&str) -> String;
    let settled: [(&str, Finals); 4] = [
        ("settled", str::to_owned),
        ("called off", |text| with_status(text, ",,,cancelled")),
        ("never settled", without_final),
        ("another word", |text| with_status(text, ",17,10,protested")),
    ];
    let settled_elsewhere: [(&str, Finals); 2] = [
        ("settled where it was moved to", |text| {
            text.replace(&format!("2024-01-06,16:30:00,{TEAMS}"), &format!("2024-01-13,16:30:00,{TEAMS}"))
        }),
        ("never settled", without_final),
    ];
    let releases = [Release::Withdrawn, Release::Moved, Release::Turned];
    let singles = releases.into_iter().map(|one| vec![one]);
    let pairs = releases.into_iter().flat_map(|one| releases.into_iter().map(move |other| vec![one, other]));
    let ways: Vec<_> = singles.chain(pairs.filter(|pair| pair[0] != pair[1])).collect();
    let endings = |way: &[Release]| if way.contains(&Release::Moved) { &settled_elsewhere[..] } else { &settled[..] };
    let runs: Vec<_> = ways.iter().flat_map(|way| endings(way).iter().map(move |ending| (way, ending))).collect();
    let tried = |part: usize| {
        for (at, (releases, (ending, finals))) in runs.iter().enumerate().skip(part).step_by(3) {
            let slow = 1 + i64::try_from(at).expect("few") % 12;
            let done = lost_by(releases, *finals, slow);
            let report = done.json();
            let is_of_ravens = |found: &Value| found["game"].as_str().is_some_and(|game| game.ends_with(&RAVENS[20..]));
            let is_named = report["findings"].as_array().expect("findings").iter().any(is_of_ravens);
            assert!(matches!(done.code, Some(1 | 3)) && is_named, "{releases:?}, {ending}, {slow} hours: {done:?}");
        }
    };
    std::thread::scope(|scope| (0..3).for_each(|part| drop(scope.spawn(move || tried(part)))));
}

#[test]
fn a_loser_that_is_called_off_never_settled_or_settled_with_another_word_is_named() {
    let settled_with = |kind: &str, change: fn(&str) -> String| {
        let publisher = Publisher::before_the_week();
        publisher.settle_with(change);
        names_ravens(&publisher, kind, 3);
    };
    settled_with("late_call_off", |text| with_status(text, ",,,cancelled"));
    settled_with("unsettled", without_final);
    settled_with("other_status", |text| with_status(text, ",17,10,protested"));
}

#[test]
fn a_service_that_fails_is_not_accused() {
    let publisher = Publisher::of_week(IN_TIME);
    let url = { publisher.serve().server.url("") };
    let done = publisher.audit(&url, "k", &[]);
    assert!(done.code == Some(4) && done.err.contains("could not be checked"), "{done:?}");
}

#[test]
fn another_log_of_the_publisher_hides_nothing_from_a_reader_of_both() {
    let publisher = Publisher::before_the_week();
    publisher.settle();
    let witness = publisher.witness.setting();
    // The same week under another key and name, in another store, without the pick that lost.
    let other = Publisher { witness: publisher.witness, ..Publisher::of_origin(&format!("{ORIGIN}/second")) };
    let other = Publisher { place: other.place.with("SPORTS_RECORD__WITNESSES", witness.clone()), ..other };
    let _ = other.publish_again(("2024-01-06T15:00:00Z", IN_TIME + 60), without_ravens);
    other.settle();
    let words = ["audit", "nfl", SEASON, "--log", &publisher.log, "--witness", &witness, "--as-of", LATER];
    let shown = other.serve();
    let done = shown.check(&[&words[..], &["--key", &shown.key]].concat());
    assert_eq!(done.code, Some(1), "{done:?}");
    let found = done.json()["contradictions"].to_string();
    assert!(found.contains(&format!("of {ORIGIN}/nfl, which is no beginning of the tree")), "{found}");
}

/// Returns the body of the answer of a server to a customer.
fn fetched(url: &str, key: &str) -> Vec<u8> {
    let got = Command::new("curl").args(["-sf", "-H", &format!("X-API-Key: {key}"), url]).output().expect("curl runs");
    assert!(got.status.success(), "{url}: {got:?}");
    got.stdout
}

/// Serves the answers of a server with other bodies of its calibrations.
fn with_calibrations(outside: &Outside<'_>, change: fn(&str) -> String) -> WebServer {
    let (url, key) = (outside.server.url(""), outside.key.clone());
    WebServer::start(move |request| {
        let path = request.target.trim_start_matches("GET ");
        let body = fetched(&format!("{url}{path}"), &key);
        let body =
            if path.contains("/calibration/") { change(&String::from_utf8_lossy(&body)).into_bytes() } else { body };
        WebAnswer::new(200, "application/json", body)
    })
}

#[test]
fn a_return_that_the_service_invents_is_a_contradiction() {
    let publisher = Publisher::of_week(IN_TIME);
    let outside = publisher.serve();
    let audited = |change: fn(&str) -> String| {
        let service = with_calibrations(&outside, change);
        publisher.audit(&service.url(), &outside.key, &["--as-of", LATER, "--json"])
    };
    assert_eq!(audited(str::to_owned).code, Some(0));
    let invented = audited(|body| body.replace("\"roi\":", "\"roi\":0.99,\"was\":"));
    assert_eq!(invented.code, Some(1), "{invented:?}");
    let found = invented.json()["contradictions"].to_string();
    assert!(found.contains("won_on_points BLEND: openings and finals return "), "{found}");
    assert!(found.contains("and the calibration +0.990000"), "{found}");
}

#[test]
fn openings_of_a_node_that_is_behind_accuse_nobody() {
    let publisher = Publisher::before_the_week();
    let behind = with_key_file(TestFolder::fresh());
    copy_folder(&publisher.place.store(), &behind.store());
    // The odds have moved, and so has the forecast.
    publisher.publish_again(("2024-01-06T16:00:00Z", IN_TIME + 3_600), |folder| {
        rewrite(&folder.join("predictions/won_on_points.json"), |text| {
            text.replacen("\"home_money_line\": 130", "\"home_money_line\": 135", 1)
        });
    });
    publisher.settle();
    let Outside { key, server, .. } = publisher.serve();
    let (older_key, older) = (behind.subscriber_key(), behind.serve());
    let (node, asked, url) = (server.url(""), key.clone(), older.url(""));
    let balanced = WebServer::start(move |request| {
        let path = request.target.trim_start_matches("GET ");
        let (header, body) = if path.contains("/openings") {
            (("X-Generation", "1".to_owned()), fetched(&format!("{url}{path}"), &older_key))
        } else {
            (("Content-Type", "application/json".to_owned()), fetched(&format!("{node}{path}"), &asked))
        };
        WebAnswer { status: 200, header, body, after: Duration::ZERO }
    });
    let done = publisher.audit(&balanced.url(), &key, &["--as-of", LATER]);
    assert!(done.code == Some(4) && done.err.contains("is of entry 1, and the tree has entry 3"), "{done:?}");
}

#[test]
fn a_price_that_the_odds_of_its_release_do_not_have_is_counted() {
    let publisher = Publisher::new();
    publisher.publish_again(("2024-01-06T15:00:00Z", IN_TIME), |folder| {
        rewrite(&folder.join("predictions/won_on_points.json"), |text| {
            text.replacen("\"home_money_line\": 130", "\"home_money_line\": 300", 1)
        });
    });
    publisher.settle_with(str::to_owned);
    let done = publisher.serve().audit_at(LATER);
    let report = done.json();
    let records = report["records"].as_array().expect("records");
    let blend = records.iter().find(|record| record["model_type"] == "won_on_points" && record["model"] == "BLEND");
    assert_eq!(blend.map(|blend| blend["better_than_quoted"].clone()), Some(json!(1)), "{done:?}");
}
