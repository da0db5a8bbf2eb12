//! A publisher who loses a loser after its game, with the programs alone, and whose witness is honest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use sports_testkit::programs::{copy_folder, fixture};
use sports_testkit::services::installed;

use super::{AFTER_THE_WEEK, IN_TIME, Outside, Publisher, RAVENS, SEASON, SLATE, TOO_LATE, publish};
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
        self.witness.set_time(AFTER_THE_WEEK);
        let path = self.place.path().join("finals.csv");
        let text = fs::read_to_string(fixture(SLATE).join("finals.csv")).expect("finals");
        fs::write(&path, change(&text)).expect("written");
        let done = run(&self.place, ["settle", "nfl", path.to_str().expect("text"), "--as-of", "2024-01-08T15:00:00Z"]);
        assert_eq!(done.code, Some(0), "{done:?}");
    }
}

impl Outside<'_> {
    fn audit_later(&self, more: &[&str]) -> Completed {
        let witness = self.publisher.witness.key().to_string();
        let words = ["audit", "nfl", SEASON, "--key", &self.key, "--witness", &witness, "--as-of", LATER];
        self.check(&[&words, more].concat())
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
    let done = publisher.serve().audit_later(&[]);
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
    let done = outside.audit_later(&[]);
    let report = done.json();
    assert_eq!((done.code, &report["findings"], &report["proven"]), (Some(0), &json!([]), &json!(48)), "{done:?}");
    let records = report["records"].as_array().expect("records");
    let blend = records.iter().find(|record| record["model_type"] == "won_on_points" && record["model"] == "BLEND");
    let blend = blend.expect("the blend");
    assert_eq!((&blend["wins"], &blend["losses"]), (&blend["api_wins"], &blend["api_losses"]), "{blend}");
    assert_eq!((&blend["quoted"], &blend["better_than_quoted"]), (&json!(16), &json!(0)), "{blend}");
    if installed("python3", &[]).is_some() {
        agrees(records, &second_opinion(&outside));
    }
    let text = run(&publisher.place, {
        let witness = publisher.witness.key().to_string();
        let url = outside.server.url("");
        [
            "record",
            "audit",
            "nfl",
            SEASON,
            "--url",
            &url,
            "--log",
            &publisher.log,
            "--key",
            &outside.key,
            "--witness",
            &witness,
        ]
        .map(str::to_owned)
    });
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

#[test]
fn a_loser_that_is_moved_after_its_game_is_named() {
    let publisher = Publisher::before_the_week();
    publisher.publish_again(("2024-01-07T01:00:00Z", TOO_LATE + 9_000), |folder| {
        rewrite(&folder.join("release.json"), |text| {
            let mut json: Value = serde_json::from_str(text).expect("json");
            json["moved"] = json!([{ "match_id": "week18-PIT-BAL", "to": {
                "date": "2024-01-13", "time": "16:30:00", "away_team": "Pittsburgh Steelers", "home_team": "Baltimore Ravens" } }]);
            json.to_string()
        });
        for path in files(folder).into_iter().filter(|path: &PathBuf| !path.ends_with("release.json")) {
            rewrite(&path, |text| {
                let csv = text.replace(&format!("2024-01-06,16:30:00,{TEAMS}"), &format!("2024-01-13,16:30:00,{TEAMS}"));
                let [old, new] = ["2024-01-06", "2024-01-13"].map(|date| {
                    [("time", "time"), ("time_est", "time_est")].map(|(name, _)| format!("\"date\": \"{date}\", \"{name}\": \"16:30:00\""))
                });
                csv.replacen(&old[0], &new[0], 1).replacen(&old[1], &new[1], 1)
            });
        }
    });
    publisher.settle_with(without_final);
    names_ravens(&publisher, "late_move", 3);
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
    let witness = publisher.witness.key().to_string();
    let words =
        ["record", "audit", "nfl", SEASON, "--url", &url, "--log", &publisher.log, "--key", "k", "--witness", &witness];
    let done = run(&publisher.place, words);
    assert!(done.code == Some(4) && done.err.contains("could not be checked"), "{done:?}");
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
    let done = publisher.serve().audit_later(&[]);
    let report = done.json();
    let records = report["records"].as_array().expect("records");
    let blend = records.iter().find(|record| record["model_type"] == "won_on_points" && record["model"] == "BLEND");
    assert_eq!(blend.map(|blend| blend["better_than_quoted"].clone()), Some(json!(1)), "{done:?}");
}
