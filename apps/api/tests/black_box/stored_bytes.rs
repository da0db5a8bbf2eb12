//! The bytes of stored entries and objects, and tables that were exported from one store into another.

use std::fs;

use regex_lite::Regex;
use sports_domain::content::ObjectHash;
use sports_testkit::programs::fixture;

use crate::service::Site;

#[tokio::test]
async fn an_exported_table_with_a_rescheduled_game_has_its_identities_in_another_store() {
    let site = Site::on_one_machine();
    let publish = |site: &Site, name: &str, folder: &str, table: &str| {
        let release = site.place.path().join(name);
        fs::create_dir_all(release.join(folder)).expect("a folder");
        let run = r#"{"id":"r","started_at":"2024-10-01T12:00:00Z","completed_at":"2024-10-01T12:00:00Z"}"#;
        let manifest = format!(r#"{{"sport":"nfl","slate_date":"2024-10-01","slate":"none","run":{run}}}"#);
        fs::write(release.join("release.json"), manifest).expect("written");
        fs::write(release.join(folder).join("2024-25.csv"), table).expect("written");
        let _ = site.place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2024-10-01T16:00:00Z"]);
    };
    let table = |rows: &str| format!("game_id,date,time_est,away_team,home_team,away_score,home_score\n{rows}");
    let game = |date: &str, score: &str| format!("2024-09-{date},13:00,Buffalo Bills,Miami Dolphins,{score}\n");
    let id = "nfl-2024-09-08-buffalo_bills-miami_dolphins";
    let other = ",2024-09-09,20:15,Detroit Lions,Minnesota Vikings,10,7\n";
    publish(&site, "first", "games", &table(&format!(",{}{other}", game("08", ","))));
    publish(&site, "moved", "games", &table(&format!("{id},{}", game("10", "20,24"))));
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-10-01T17:00:00Z")]).await;
    let path = "/api/v1/results/nfl/over_under?season=2024-25&format=csv";
    let exported = service.get(path).await.text().to_owned();
    let other = Site::on_one_machine();
    publish(&other, "exported", "results/over_under", &exported);
    let service = other.serve_with(&[("SPORTS_CLOCK__AS_OF", "2024-10-01T17:00:00Z")]).await;
    let imported = service.get(path).await.text().to_owned();
    let ids = |table: &str| {
        let mut table = csv::Reader::from_reader(table.as_bytes());
        let place = table.headers().expect("a header").iter().position(|column| column == "game_id").expect("a column");
        table.records().map(|row| row.expect("a row")[place].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&exported), ["nfl-2024-09-09-detroit_lions-minnesota_vikings", id]);
    assert_eq!(ids(&imported), ids(&exported));
}

/// The hash of the entries of three fixtures without own models. Entries name every object by its hash.
const ENTRIES: &str = "f31ad876a3730c9b0fe16aec84d302ec28905389d68543feae30714381045953";

#[test]
fn entries_and_objects_keep_their_bytes() {
    let site = Site::on_one_machine();
    for name in ["edge-cases", "nfl-2023-week-18", "doubleheader"] {
        let release = fixture(name).join("release");
        let _ = site.place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2026-01-10T15:00:00Z"]);
    }
    // The clock of a command goes on while it runs; the chain repeats what entries contain.
    let of_this_run =
        [r"[0-9]{8}T[0-9]{9}Z", r"2026-01-10T15:00:[0-9.]+Z"].map(|it| Regex::new(it).expect("a pattern"));
    let mut text = String::new();
    for sport in ["mlb", "nfl"] {
        let log = fs::read_dir(site.place.store().join("sports").join(sport).join("log")).expect("a log");
        let mut entries: Vec<_> = log.map(|entry| entry.expect("an entry").path()).collect();
        entries.sort();
        for entry in entries {
            let entry = fs::read_to_string(entry).expect("an entry");
            let entry = of_this_run.iter().fold(entry, |entry, it| it.replace_all(&entry, "I").into_owned());
            let is_linked = |line: &&str| line.contains("\"previous\"") || line.contains("\"sha256_above\"");
            // The nonce of a tree is random, and its leaves state the clock.
            let (above, tree) = entry.split_once("  \"record\": {\n").expect("a tree");
            let (_, below) = tree.split_once("  },\n").expect("its end");
            let lines = above.split_inclusive('\n').chain(below.split_inclusive('\n'));
            text.extend(lines.filter(|line| !is_linked(line)));
        }
    }
    assert_eq!(ObjectHash::from_bytes(text.as_bytes()).to_string(), ENTRIES, "{text}");
}
