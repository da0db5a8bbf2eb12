use std::fs;

use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{Completed, entries, publish, releases, run, run_json};

fn week_18() -> String {
    fixture("nfl-2023-week-18/release").to_str().expect("text").to_owned()
}

#[test]
fn an_unknown_variable_is_named_as_bad_input() {
    let place = TestFolder::fresh();
    let output = Completed::from(
        place.sportsctl(["verify"]).env("SPORTS_STORE__URI", "file:elsewhere").output().expect("sportsctl runs"),
    );
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{output:?}");
    let start = "sportsctl: environment variable SPORTS_STORE__URI: `store.uri` is not a setting; did you mean \
                 SPORTS_STORE__URL? known settings: ";
    assert!(output.err.starts_with(start) && output.err.contains("store.url"), "{output:?}");
}

#[test]
fn a_variable_without_its_second_underscore_is_reported() {
    let place = TestFolder::fresh();
    let output = place.sportsctl(["migrate"]).env("SPORTS_DATABASE_URL", "sqlite:elsewhere.db").output();
    let output = Completed::from(output.expect("sportsctl runs"));
    let message = "sportsctl: environment variable SPORTS_DATABASE_URL is not a setting; did you mean \
                   SPORTS_DATABASE__URL?\n";
    assert_eq!((output.code, output.err.as_str()), (Some(2), message), "{output:?}");
    let output = run(&place, ["migrate", "--database", "sqlite:x.db?mode=ro"]);
    assert_eq!(output.code, Some(2), "{output:?}");
}

#[test]
fn an_error_message_has_each_cause_once() {
    let place = TestFolder::fresh();
    fs::write(place.path().join("sports.db"), "no database, whatever its name says").expect("written");
    let output = run(&place, ["customer", "list"]);
    assert_eq!((output.code, output.err.matches("is not a database").count()), (Some(1), 1), "{output:?}");
}

#[test]
fn variables_without_a_section_are_ignored() {
    let place = TestFolder::fresh();
    let output = place.sportsctl(["migrate"]).env("SPORTS_REAL_DATA", "somewhere").output();
    assert!(output.expect("sportsctl runs").status.success());
}

#[test]
fn a_wrong_flag_is_named_with_the_expected_value() {
    let place = TestFolder::fresh();
    let table = [
        (["--store", "ftp://x"], "flag --store: `store.url` cannot be `ftp://x`: expected an address that starts with"),
        (["--store", "ftp:./var/store"], "flag --store: `store.url` cannot be `ftp:./var/store`"),
        (["--database", "mysql://root:secret@db"], "flag --database: `database.url` cannot be `mysql://*****@db`"),
        (["--as-of", "yesterday"], "expected an RFC 3339 instant, such as 2024-11-24T15:00:00Z"),
        (["--config", "missing.toml"], "cannot read the configuration file missing.toml"),
    ];
    for (flag, message) in table {
        let output = run(&place, ["verify"].iter().chain(&flag));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{flag:?}");
        assert!(output.err.contains(message), "{output:?}");
    }
}

#[test]
fn settings_come_from_a_file_then_the_environment_then_flags() {
    let place = TestFolder::fresh();
    let file = place.path().join("sports.toml");
    let address = |name: &str| format!("file:{}", place.path().join(name).display());
    fs::write(&file, format!("[store]\nurl = \"{}\"\n", address("from-file"))).expect("written");
    let config = file.to_str().expect("text");
    let mut command = place.sportsctl(["publish", &week_18(), "--config", config]);
    assert!(command.env_remove("SPORTS_STORE__URL").output().expect("sportsctl runs").status.success());
    assert!(place.path().join("from-file/sports/nfl/log/000000000001.json").exists());
    let _ = place.ctl(["publish", &week_18(), "--config", config]);
    assert_eq!(entries(&place, "nfl"), 1, "the environment goes before the file");
    let _ = place.ctl(["publish", &week_18(), "--config", config, "--store", &address("from-flag")]);
    assert!(place.path().join("from-flag/sports/nfl/log/000000000001.json").exists());
}

#[test]
fn a_wrong_setting_is_named_with_its_file() {
    let place = TestFolder::fresh();
    let file = place.path().join("sports.toml");
    let table = [
        ("[store]\nuri = \"file:x\"\n", "sports.toml: `store.uri` is not a setting; did you mean `store.url`? "),
        ("[store]\nurl = \"ftp://x\"\n", "sports.toml: `store.url` cannot be `ftp://x`: expected "),
        ("[store\n", "sports.toml is not TOML: "),
    ];
    for (text, message) in table {
        fs::write(&file, text).expect("written");
        let output = run(&place, ["verify", "--config", file.to_str().expect("text")]);
        assert_eq!(output.code, Some(2), "{output:?}");
        assert!(output.err.contains(message), "{output:?}");
    }
}

#[test]
fn the_time_of_a_release_is_its_as_of() {
    let place = TestFolder::fresh();
    let published = run_json(&place, ["publish", &week_18(), "--as-of", "2024-01-09T15:00:00Z"]);
    let id = published["release_id"].as_str().expect("an id");
    assert!(id.starts_with("2024-01-08.20240109T1500"), "{id}");
    let at = releases(&place, "nfl")[0]["published_at"].as_str().expect("an instant").to_owned();
    assert!(at.starts_with("2024-01-09T15:00:"), "{at}");
    assert_eq!(publish(&place, &fixture("nfl-2023-week-18/release"))["outcome"], "already_on_air", "times are no news");
}

#[test]
fn a_slate_far_ahead_of_as_of_is_a_problem() {
    let place = TestFolder::fresh();
    let output = run(&place, ["publish", &week_18(), "--as-of", "2023-12-31T15:00:00Z"]);
    assert_eq!(output.code, Some(2), "{output:?}");
    let message = "release.json, column slate_date: `2024-01-08`: expected a date no more than 7 days from today";
    assert!(output.err.contains(message), "{output:?}");
}

#[test]
fn a_reading_command_reports_a_missing_store_and_creates_none() {
    let place = TestFolder::fresh();
    let key = place.path().join("record.key").display().to_string();
    let place = place.with("SPORTS_RECORD__KEY_FILE", key).with("SPORTS_RECORD__ORIGIN", "example.com/api/v1/record");
    assert_eq!(run(&place, ["record", "init"]).code, Some(0));
    // It may be on a disk that is not mounted yet, so units try again: the exit code is not that of wrong input.
    for arguments in
        [&["verify"][..], &["verify", "nfl"], &["releases", "nfl"], &["backup", "copy"], &["record", "sign"]]
    {
        let output = run(&place, arguments);
        let expected = format!(
            "sportsctl: there is no store folder {}: mount its disk, or name another with --store (store.url)\n",
            place.store().display()
        );
        assert_eq!((output.code, output.err), (Some(1), expected), "{arguments:?}");
    }
    assert!(!place.store().exists());
}
