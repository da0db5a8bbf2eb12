//! Mistakes of a whole file are found before anything is written, and what was published wrong is mended openly.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{Completed, catalog, entries, releases, run, run_json, verified};

const GAMES: usize = 40;

/// A season of college football, of which each column can be wrong.
struct Season {
    /// The start of every game; `None` for a file without times.
    time: Option<&'static str>,
    /// The spread of the home team, which is the favourite by the moneyline.
    spread: f64,
    /// The BLEND of the total.
    blend: Option<f64>,
    /// The value of a column of the publisher.
    wind: Option<u8>,
}

const RIGHT: Season = Season { time: Some("13:00:00"), spread: -3.0, blend: None, wind: None };

impl Season {
    /// Writes the release folder.
    fn write(&self, place: &TestFolder, name: &str) -> PathBuf {
        let folder = place.path().join(name);
        fs::create_dir_all(folder.join("results/over_under")).expect("a folder");
        fs::write(folder.join("release.json"), r#"{"sport":"ncaaf","slate_date":"2021-12-01"}"#).expect("written");
        let time = if self.time.is_some() { "time_est," } else { "" };
        let blend = if self.blend.is_some() { ",BLEND" } else { "" };
        let wind = if self.wind.is_some() { ",wind" } else { "" };
        let mut rows = format!(
            "date,{time}away_team,home_team,away_score,home_score,home_money_line,away_money_line,home_point_spread,\
             over_under{blend}{wind}\n"
        );
        for number in 0..GAMES {
            let time = self.time.map(|time| format!("{time},")).unwrap_or_default();
            let blend = self.blend.map(|blend| format!(",{blend}")).unwrap_or_default();
            let wind = self.wind.map(|wind| format!(",{wind}")).unwrap_or_default();
            let (day, is_odd) = (1 + number % 28, number % 2);
            // Favourites cover every second game, whichever they are.
            let home = if is_odd == 1 { 12 } else { 28 } + number % 3;
            let spread = if is_odd == 1 { self.spread * 1.5 } else { self.spread };
            writeln!(
                rows,
                "2021-10-{day:02},{time}Away {number},Home {number},20,{home},-15{is_odd},13{is_odd},{spread},5{is_odd}.5{blend}{wind}",
            )
            .expect("text");
        }
        fs::write(folder.join("results/over_under/2021-22.csv"), rows).expect("written");
        folder
    }
}

fn publish(place: &TestFolder, folder: &Path, more: &[&str]) -> Completed {
    run(place, ["publish", folder.to_str().expect("text")].iter().chain(more))
}

/// Publishes the folder, which must succeed; returns the report.
fn published(place: &TestFolder, folder: &Path, more: &[&str]) -> Value {
    run_json(place, ["publish", folder.to_str().expect("text")].iter().chain(more))
}

/// Returns each game on record: identity and start.
fn games(place: &TestFolder) -> Vec<(String, String)> {
    let listed = run_json(place, ["games", "ncaaf", "--season", "2021-22"])["games"].clone();
    let text = |game: &Value, field: &str| game[field].as_str().unwrap_or_default().to_owned();
    let mut games: Vec<_> =
        listed.as_array().expect("a list").iter().map(|game| (text(game, "game_id"), text(game, "time_est"))).collect();
    games.sort();
    games
}

fn ids(place: &TestFolder) -> Vec<String> {
    games(place).into_iter().map(|(id, _)| id).collect()
}

#[test]
fn a_first_publish_and_a_dry_run_have_a_report_of_each_season_and_market() {
    let place = TestFolder::fresh();
    let folder = Season { blend: Some(0.6), ..RIGHT }.write(&place, "release");
    let dry = published(&place, &folder, &["--dry-run"]);
    let first = published(&place, &folder, &[]);
    let again = published(&place, &folder, &[]);
    assert_eq!(dry["report"], first["report"]);
    assert_eq!((&again["report"], &first["findings"]), (&json!([]), &json!([])));
    let report = &first["report"][0];
    for (field, value) in
        [("games", 40), ("times", 40), ("lines", 40), ("both_prices", 0), ("graded", 40), ("pushes", 0)]
    {
        assert_eq!(report[field], value, "{field}: {report}");
    }
    let model = &report["models"][0];
    assert_eq!((&model["model"], &model["wins"], &model["losses"]), (&json!("BLEND"), &json!(0), &json!(40)));
    assert_eq!((&report["overs"], &report["ungraded"]["no_line"]), (&json!(0.0), &json!(0)));
    let text = publish(&TestFolder::fresh(), &folder, &[]).out;
    assert!(text.starts_with("2021-22 over_under: 40 games, 40 times, 40 lines,"), "{text}");
}

#[test]
fn a_flipped_spread_is_refused_and_an_override_is_recorded() {
    let place = TestFolder::fresh();
    let folder = Season { spread: 3.0, ..RIGHT }.write(&place, "release");
    let refused = publish(&place, &folder, &[]);
    assert_eq!((refused.code, entries(&place, "ncaaf")), (Some(2), 0), "{refused:?}");
    assert!(refused.err.contains("home_point_spread looks like expected margin: use its negative"), "{refused:?}");
    assert_eq!(publish(&place, &folder, &["--dry-run", "--json"]).json()["problems"][0]["finding"], "spread-signs");
    let allowed = published(&place, &folder, &["--allow", "spread-signs", "--allow", "time-zone"]);
    assert_eq!(allowed["overrides"], json!(["spread-signs"]));
    let warnings = allowed["warnings"].to_string();
    assert!(warnings.contains("--allow time-zone was not needed"), "{warnings}");
    let entry = catalog(&place, "ncaaf", 1);
    assert_eq!((&entry["schema_version"], &entry["overrides"]), (&json!(7), &json!(["spread-signs"])));
    assert_eq!(releases(&place, "ncaaf")[0]["overrides"], json!(["spread-signs"]));
    assert_eq!(verified(&place, "ncaaf")["exceptions"][0]["generation"], 1);
    let unknown = publish(&place, &folder, &["--allow", "weather"]);
    assert!(unknown.code == Some(2) && unknown.err.contains("spread-signs, time-zone, final-total"), "{unknown:?}");
}

#[test]
fn a_season_in_utc_and_again_in_eastern_time_is_one_season() {
    let place = TestFolder::fresh();
    let _ = published(&place, &Season { time: Some("17:00:00"), ..RIGHT }.write(&place, "utc"), &[]);
    let before = ids(&place);
    let eastern = RIGHT.write(&place, "eastern");
    let refused = publish(&place, &eastern, &[]);
    assert!(refused.code == Some(2) && refused.err.contains("start 4 hours before"), "{refused:?}");
    let allowed = published(&place, &eastern, &["--allow", "time-zone"]);
    assert_eq!((&allowed["overrides"], &allowed["seasons"][0]["games"]), (&json!(["time-zone"]), &json!(GAMES)));
    assert_eq!(ids(&place), before);
    assert!(games(&place).iter().all(|(_, time)| time == "13:00:00"));
}

#[test]
fn a_kept_blend_is_a_warning_with_the_largest_difference() {
    let place = TestFolder::fresh();
    let blend = |blend: f64, name: &str| Season { blend: Some(blend), ..RIGHT }.write(&place, name);
    let _ = published(&place, &blend(0.6, "first"), &[]);
    let kept = published(&place, &blend(0.525, "second"), &[]);
    let warning = kept["warnings"][0].as_str().expect("a warning");
    assert!(warning.starts_with("2021-22 over_under: 40 BLENDs of the file differ from those on record"), "{warning}");
    assert!(warning.contains("the largest difference is 0.0750"), "{warning}");
}

#[test]
fn a_season_is_replaced_as_a_whole_and_its_entry_says_so() {
    let place = TestFolder::fresh();
    let wrong = Season { time: Some("17:00:00"), blend: Some(0.6), wind: Some(7), ..RIGHT };
    let _ = published(&place, &wrong.write(&place, "wrong"), &[]);
    let before = ids(&place);
    let right = RIGHT.write(&place, "right");
    let replaced = published(&place, &right, &["--replace-season", "2021-22"]);
    let expected = json!([{
        "season": "2021-22", "model_type": "over_under", "rows_before": GAMES, "rows_after": GAMES,
        "columns_dropped": ["BLEND", "wind"],
    }]);
    for report in [&replaced, &catalog(&place, "ncaaf", 2), &releases(&place, "ncaaf")[0]] {
        assert_eq!(report["replaced"], expected, "{report}");
    }
    assert_eq!(verified(&place, "ncaaf")["exceptions"][0]["replaced"], expected);
    assert_eq!(ids(&place), before, "games keep their identities");
    let again = published(&place, &right, &["--replace-season", "2021-22"]);
    assert_eq!(again["outcome"], "already_on_air");
    let text = run(&place, ["releases", "ncaaf"]).out;
    assert!(text.contains("replaced 2021-22 over_under: 40 games by 40, without BLEND, wind"), "{text}");
}

#[test]
fn a_season_that_cannot_be_replaced_is_refused() {
    let place = TestFolder::fresh();
    let folder = RIGHT.write(&place, "release");
    for (label, message) in [
        ("2021-22", "expected a season on record"),
        ("2020-21", "expected a season of which the release has a game in games/ or results/"),
        ("2021", "`2021` is not a season of ncaaf"),
    ] {
        let refused = publish(&place, &folder, &["--replace-season", label]);
        assert!(refused.code == Some(2) && refused.err.contains(message), "{label}: {refused:?}");
    }
    assert_eq!(entries(&place, "ncaaf"), 0);
}

/// Publishes the slate of a week on Saturday morning.
fn a_live_week(place: &TestFolder) {
    let slate = fixture("nfl-2023-week-18-slate").join("release");
    let _ = published(place, &slate, &["--as-of", "2024-01-06T15:00:00Z"]);
}

/// Writes a folder with one file beside release.json.
fn folder(place: &TestFolder, manifest: &str, file: &str, rows: &str) -> PathBuf {
    let folder = place.path().join("release");
    fs::create_dir_all(folder.join(file).parent().expect("a folder")).expect("a folder");
    fs::write(folder.join("release.json"), manifest).expect("written");
    fs::write(folder.join(file), rows).expect("written");
    folder
}

#[test]
fn a_season_with_a_live_row_is_never_replaced() {
    let place = TestFolder::fresh();
    a_live_week(&place);
    let manifest = r#"{"sport":"nfl","slate_date":"2024-01-08"}"#;
    let rows = "date,time_est,away_team,home_team\n2023-09-07,20:20:00,Detroit Lions,Kansas City Chiefs\n";
    let history = folder(&place, manifest, "games/2023-24.csv", rows);
    let refused = publish(&place, &history, &["--replace-season", "2023-24", "--as-of", "2024-01-08T15:00:00Z"]);
    assert!(refused.code == Some(2) && refused.err.contains("expected a season without live rows"), "{refused:?}");
    assert_eq!(entries(&place, "nfl"), 1);
}

#[test]
fn an_odds_refresh_has_the_instant_from_which_predictions_are_stale() {
    let place = TestFolder::fresh();
    a_live_week(&place);
    let odds = fs::read_to_string(fixture("nfl-2023-week-18-slate").join("release/odds.json")).expect("odds");
    let manifest = r#"{"sport":"nfl","slate_date":"2024-01-06","source_as_of":{"odds":"2024-01-06T16:00:00Z"}}"#;
    let refresh = folder(&place, manifest, "odds.json", &odds);
    let refreshed = publish(&place, &refresh, &["--as-of", "2024-01-06T16:05:00Z"]);
    let line = "the predictions lack these odds and are stale from 2024-01-06 13:05 Eastern (";
    assert!(refreshed.out.contains(line), "{refreshed:?}");
    let status = run(&place, ["status", "nfl", "--as-of", "2024-01-06T16:10:00Z"]).out;
    let next = "next: publish predictions that include the newer odds, by 2024-01-06 13:05 Eastern (";
    assert!(status.contains(next), "{status}");
}

#[test]
fn a_watched_folder_publishes_each_release_and_moves_it_with_its_report() {
    let place = TestFolder::fresh();
    let inbox = place.path().join("inbox");
    fs::create_dir_all(inbox.join("empty")).expect("a folder");
    RIGHT.write(&place, "inbox/a");
    Season { spread: 3.0, ..RIGHT }.write(&place, "inbox/b");
    let watched = run(&place, ["watch", inbox.to_str().expect("text"), "--once"]);
    assert_eq!((watched.code, entries(&place, "ncaaf")), (Some(2), 1), "{watched:?}");
    let report = |path: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(inbox.join(path)).expect("a report")).expect("JSON")
    };
    assert_eq!(report("published/a.report.json")["outcome"], "on_air");
    assert_eq!(report("refused/b.report.json")["problems"][0]["finding"], "spread-signs");
    assert!(inbox.join("published/a/release.json").is_file() && inbox.join("refused/b/release.json").is_file());
    assert!(inbox.join("empty").is_dir(), "a folder without release.json is still being filled");
    let again = run_json(&place, ["watch", inbox.to_str().expect("text"), "--once"]);
    assert_eq!((&again["published"], &again["refused"]), (&json!([]), &json!([])));
}

#[test]
fn a_watched_folder_stays_where_it_is_if_store_key_or_clock_is_at_fault() {
    let place = TestFolder::fresh();
    let earlier = RIGHT.write(&place, "earlier");
    let _ = published(&place, &earlier, &["--as-of", "2021-12-01T14:00:00Z"]);
    let (inbox, taken) = (place.path().join("inbox"), place.path().join("taken"));
    fs::write(&taken, "a file").expect("written");
    Season { spread: -4.0, ..RIGHT }.write(&place, "inbox/a");
    let watch = ["watch", inbox.to_str().expect("text"), "--once"];
    let store = format!("file:{}", taken.display());
    for (fault, code) in [(["--store", &*store], 2), (["--as-of", "2021-12-01T13:00:00Z"], 2)] {
        let ended = run(&place, [&watch[..], &fault].concat());
        assert_eq!(ended.code, Some(code), "{ended:?}");
        assert!(inbox.join("a/release.json").is_file() && !inbox.join("refused/a").exists(), "{ended:?}");
    }
    let watched = run(&place, watch);
    assert!(inbox.join("published/a").is_dir(), "{watched:?}");
}

#[test]
fn status_has_the_last_release_and_the_next_step_with_its_deadline() {
    let place = TestFolder::fresh();
    let folder = RIGHT.write(&place, "release");
    // Three days after the last final, when the season is not over.
    fs::write(folder.join("release.json"), r#"{"sport":"ncaaf","slate_date":"2021-10-31"}"#).expect("written");
    let _ = published(&place, &folder, &["--as-of", "2021-10-31T13:00:00Z"]);
    let status = run_json(&place, ["status", "ncaaf", "--as-of", "2021-10-31T13:30:00Z"])["leagues"][0].clone();
    assert_eq!((&status["generation"], &status["next"]["deadline"]), (&json!(1), &json!("2021-10-31T14:15:00Z")));
    let text = run(&place, ["status", "--as-of", "2021-10-31T13:30:00Z"]).out;
    assert!(text.contains("next: publish today's slate") && text.contains("2021-10-31 10:15 Eastern ("), "{text}");
    assert!(!text.contains("nfl:"), "leagues without releases are left out: {text}");
}

#[test]
fn status_and_releases_warn_of_a_damaged_newest_entry() {
    let place = TestFolder::fresh();
    let _ = published(&place, &RIGHT.write(&place, "release"), &["--as-of", "2021-12-01T14:00:00Z"]);
    fs::write(place.store().join("sports/ncaaf/log/000000000002.json"), "{").expect("written");
    for command in [&["status"][..], &["releases", "ncaaf"]] {
        let warned = run(&place, [command, &["--as-of", "2021-12-01T14:30:00Z"]].concat());
        let expected = "ncaaf: number 2 in the log is damaged or no part of the record";
        assert!(warned.code == Some(0) && warned.err.contains(expected), "{warned:?}");
    }
}

#[test]
fn a_store_without_a_scheme_is_a_folder() {
    let place = TestFolder::fresh();
    let folder = RIGHT.write(&place, "release");
    let store = place.path().join("plain");
    let _ = published(&place, &folder, &["--store", store.to_str().expect("text")]);
    assert!(store.join("sports/ncaaf/log/000000000001.json").is_file());
}
