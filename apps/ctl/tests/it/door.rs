//! The publishers' door, `sportsctl receive`, as programs of publishers use it.

#![expect(clippy::disallowed_methods, reason = "threads of clients wait beside the program under test")]

mod bounds;
mod client;
mod once;
mod tokens;

use std::fs;

use serde_json::{Value, json};
use sports_testkit::programs::fixture;

use crate::convert_tables::GAMES;
use crate::support::{Completed, catalog, entries, run, run_json, verified};
use client::{Door, tar_of};

/// The week of a slate, its releases in order: history, slate, finals.
const MORNING: [&str; 2] = ["--as-of", "2024-01-06T15:00:00Z"];

#[test]
fn a_slate_is_published_and_settled_with_the_reports_of_the_commands() {
    let door = Door::open_with(&MORNING);
    let release = fixture("nfl-2023-week-18-slate/release");
    let rehearsed = door.send(&door.release("nfl?dry_run=true", &tar_of(&release)));
    assert_eq!((rehearsed.status, &rehearsed.json()["head"]), (200, &Value::Null), "{rehearsed:?}");
    assert_eq!((rehearsed.header("etag"), entries(&door.place, "nfl")), (None, 0));
    let date = rehearsed.header("date").expect("a date");
    assert!(date.starts_with("Sat, 06 Jan 2024 15:0"), "by the clock of the door: {date}");
    let published = door.send(&door.release("nfl", &tar_of(&release)));
    let body = published.json();
    assert_eq!((published.status, &body["outcome"], &body["generation"]), (200, &json!("on_air"), &json!(1)));
    let head = body["head"].as_str().expect("a head");
    assert_eq!(published.header("etag"), Some(format!("\"{head}\"")));
    assert_eq!(rehearsed.json()["slate"], body["slate"]);
    // The command reports the same in another place, but for names of times and keys.
    let other = Door::open_with(&MORNING);
    let mut command = run_json(&other.place, [&["publish", release.to_str().expect("text")], &MORNING[..]].concat());
    let mut ours = body.clone();
    for report in [&mut command, &mut ours] {
        for field in ["store", "database", "head", "release_id", "record"] {
            report.as_object_mut().expect("an object").remove(field);
        }
    }
    assert_eq!(ours, command);
    // The entry and the list of releases name the upload.
    let entry = catalog(&door.place, "nfl", 1);
    assert_eq!(entry["upload"]["token"], door.token_id.as_str());
    let listed = door.get("/v1/releases/nfl").json();
    assert_eq!(listed["releases"][0]["upload"], entry["upload"]);
    assert_eq!(listed["releases"][0]["release_id"], body["release_id"]);
    assert_eq!(door.get("/v1/status/nfl").json()["leagues"][0]["release_id"], body["release_id"]);
    let finals = fs::read(fixture("nfl-2023-week-18-slate/finals.csv")).expect("finals");
    let early = door.send(&door.finals("nfl?dry_run=true", &finals));
    assert_eq!((early.status, early.json()["outcome"].as_str()), (422, None), "the games have not ended: {early:?}");
    let door = door.reopened_with(&["--as-of", "2024-01-08T15:00:00Z"]);
    let rehearsed = door.send(&door.finals("nfl?dry_run=true", &finals)).json();
    assert_eq!(
        (&rehearsed["settled"], &rehearsed["outcome"], &rehearsed["head"]),
        (&json!(16), &json!("would_be"), &json!(head))
    );
    let settled = door.send(&door.finals("nfl", &finals)).json();
    assert_eq!((&settled["settled"], &settled["outcome"]), (&json!(16), &json!("on_air")));
    let unchanged = door.send(&door.finals("nfl", &finals).keyed("again")).json();
    assert_eq!((&unchanged["outcome"], &unchanged["head"]), (&json!("already_on_air"), &settled["head"]));
    assert_eq!(unchanged["release_id"], settled["release_id"]);
    assert_eq!(verified(&door.place, "nfl")["entries"], 2);
}

/// Every mistake that the command reports, the door reports in the same words.
#[test]
fn problems_are_those_of_the_command() {
    let door = Door::open();
    let mut compared = 0;
    for folder in fs::read_dir(fixture("broken")).expect("fixtures").map(|entry| entry.expect("an entry").path()) {
        let release = folder.join("release");
        if !release.is_dir() {
            continue;
        }
        let command = Completed::from(
            door.place.sportsctl(["publish", release.to_str().expect("text"), "--json"]).output().expect("it runs"),
        );
        let command = command.json();
        let answer = door.send(&door.release("nfl", &tar_of(&release)));
        let body = answer.json();
        // A release of another league, or that names none, is told apart by its address.
        if answer.status != 422 || body["problems"].as_array().is_none_or(Vec::is_empty) {
            assert!(
                body["detail"].as_str().is_some_and(|detail| detail.contains("this is the address of nfl"))
                    || answer.status == 403
                    || answer.status == 200,
                "{}: {answer:?}",
                folder.display()
            );
            continue;
        }
        if command["total"] == body["total"] {
            assert_eq!(body["problems"], command["problems"], "{}", folder.display());
            compared += 1;
        } else {
            // The command misses the league, which the address of the door names.
            assert!(command["problems"].to_string().contains("sport"), "{}: {command} {body}", folder.display());
        }
        let total = body["total"].as_u64().expect("a number");
        let plural = if total == 1 { "" } else { "s" };
        assert_eq!(body["detail"], format!("nothing was published: {total} problem{plural}"));
        assert_eq!(body["error"], "HTTP_422");
    }
    assert!(compared > 60, "{compared}");
    assert_eq!(entries(&door.place, "nfl"), 0);
}

#[test]
fn tables_are_converted_and_published_as_by_the_command() {
    let door = Door::open();
    let folder = fixture("edge-cases/release");
    let table = fs::read(folder.join("games/2024-25.csv")).expect("a table");
    let map = "[columns]\n";
    let refused = door.send(
        &door.convert("nfl?season=2024-25", &[("table", "games.csv", &table), ("map", "map.toml", map.as_bytes())]),
    );
    assert_eq!(refused.status, 422, "{refused:?}");
    let detail = refused.json()["detail"].as_str().expect("text").to_owned();
    assert!(!detail.contains("upload-") && !detail.contains(door.place.path().to_str().expect("text")), "{detail}");
    for (parts, expected) in [
        (vec![("map", "map.toml", map.as_bytes())], "no part `table`"),
        (vec![("table", "games.xlsx", table.as_slice())], "neither CSV nor Parquet"),
        (vec![("tables", "games.csv", table.as_slice())], "the parts of the form are `table`"),
    ] {
        let refused = door.send(&door.convert("nfl", &parts));
        assert!(refused.status == 400 && refused.body.contains(expected), "{refused:?}");
    }
    let finals = door.send(&door.convert("nfl?slate=true&finals=true", &[("table", "games.csv", &table)]));
    assert!(finals.status == 400 && finals.body.contains("exclude each other"), "{finals:?}");
    let table = GAMES.as_bytes();
    let answer = door.send(&door.convert("nfl?preset=nflverse&season=2021-22", &[("table", "games.csv", table)]));
    assert_eq!(answer.status, 200, "{answer:?}");
    let elsewhere = Door::open();
    let path = elsewhere.place.path().join("games.csv");
    fs::write(&path, table).expect("written");
    let words = ["publish", "--from", path.to_str().expect("text"), "--sport", "nfl", "--preset", "nflverse"];
    let command = run_json(&elsewhere.place, [&words[..], &["--season", "2021-22"]].concat());
    assert_eq!(
        (&command["seasons"], &command["warning_count"]),
        (&answer.json()["seasons"], &answer.json()["warning_count"])
    );
}

#[test]
fn a_watched_folder_and_the_door_are_one_process() {
    let door = Door::watching();
    let published = door.send(&door.release("nfl", &tar_of(&fixture("nfl-2023-week-18/release"))));
    assert_eq!(published.status, 200, "{published:?}");
    let moved = door.place.path().join("moved");
    sports_testkit::programs::copy_folder(&fixture("edge-cases/release"), &moved);
    fs::rename(moved, door.place.path().join("inbox/day")).expect("moved in");
    door.until(|door| entries(&door.place, "nfl") == 2);
    assert_eq!(door.get("/v1/health").json()["status"], "ok");
    assert!(door.stop("TERM").success());
}

#[test]
fn the_document_lists_every_path_and_parameter() {
    let door = Door::open();
    let document = door.get("/openapi.json").json();
    let paths = document["paths"].as_object().expect("paths");
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().expect("operations") {
            let address = path.replace("{sport}", "nfl");
            let known: Vec<_> =
                operation["parameters"].as_array().into_iter().flatten().filter(|one| one["in"] == "query").collect();
            let unknown = door.ask(&method.to_uppercase(), &format!("{address}?nothing=1"));
            if path.starts_with("/v1/") && path != "/v1/health" {
                assert_eq!(unknown.status, 400, "{method} {path}: {unknown:?}");
                let named = known.iter().map(|one| one["name"].as_str().expect("a name")).collect::<Vec<_>>();
                let there_are = if named.is_empty() { "there are none here".to_owned() } else { named.join(", ") };
                assert!(
                    unknown.body.contains(&format!("here: {there_are}")),
                    "{method} {path}: {there_are}: {unknown:?}"
                );
            }
            let status = door.ask(&method.to_uppercase(), &address).status.to_string();
            assert!(operation["responses"].get(&status).is_some(), "{method} {path}: {status}");
        }
    }
    assert_eq!(run(&door.place, ["receive", "--bind", "nowhere"]).code, Some(2));
}
