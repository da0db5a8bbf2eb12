//! The table under "Exit codes" of the README, row by row.

use std::fs;

use sports_testkit::programs::{Place, fixture};

use crate::support::{entry, publish, run};

fn code(place: &Place, arguments: &str) -> Option<i32> {
    let fixtures = fixture("").display().to_string();
    let words = arguments.split_whitespace().map(|word| word.replace("FIXTURES/", &fixtures));
    run(place, words).code
}

#[test]
fn a_command_that_succeeds_exits_with_0() {
    let place = Place::fresh();
    let backup = place.path().join("backup");
    for arguments in [
        "--help",
        "--version",
        "help publish",
        "template games",
        "template predictions",
        "template finals",
        "publish FIXTURES/edge-cases/release --dry-run",
        "publish FIXTURES/edge-cases/release",
        "publish FIXTURES/edge-cases/release",
        "releases nfl",
        "releases nhl",
        "verify",
        "verify NFL",
        "migrate",
        "customer list",
        "dataset list",
        "dataset add history nfl FIXTURES/edge-cases/release/release.json",
        "dataset remove history nfl",
        &format!("backup {}", backup.display()),
    ] {
        assert_eq!(code(&place, arguments), Some(0), "{arguments}");
    }
}

#[test]
fn bad_input_exits_with_2() {
    let place = Place::fresh();
    for arguments in [
        "",
        "publsh",
        "publish",
        "publish FIXTURES/broken/price-too-small/release",
        "publish FIXTURES/broken/probability-without-its-game/release",
        "publish FIXTURES/no-such-folder",
        "publish FIXTURES/README.md",
        "publish FIXTURES/edge-cases/release --dryrun",
        "verify cricket",
        "releases",
        "releases nfl --limit -1",
        "releases nfl --limit 0",
        "template",
        "template slate",
        "convert the-odds-api FIXTURES/README.md --sport nfl --bookmaker draftkings --out never.csv",
        "convert the-odds-api",
        "convert pinnacle",
        "verify --store ftp://x",
        "customer show cus_0000000000000000",
        "customer list --database mysql://x",
        "key revoke nothing",
        "dataset",
        "dataset add History nfl FIXTURES/README.md",
        "dataset add history cricket FIXTURES/README.md",
        "dataset add history nfl FIXTURES",
        "dataset add history nfl FIXTURES/no-such-file",
        "dataset remove history nfl",
        "entitlement grant --customer cus_0000000000000000 --product history --sport nfl",
        "entitlement grant --product history --sport nfl",
        "migrate --database mysql://x",
        "backup",
        "backup FIXTURES",
        "backup FIXTURES/README.md",
        "backup never --store ftp://x",
        "restore FIXTURES",
        "restore FIXTURES --database mysql://x",
        "restore FIXTURES/no-such-folder",
    ] {
        assert_eq!(code(&place, arguments), Some(2), "{arguments}");
    }
}

#[test]
fn a_command_line_error_is_json_where_json_was_asked_for() {
    let place = Place::fresh();
    for arguments in ["", "publsh", "publish", "verify cricket", "releases nfl --limit 0", "dataset", "template slate"]
    {
        let said = run(&place, arguments.split_whitespace().chain(["--json"]));
        assert_eq!((said.code, said.err.as_str()), (Some(2), ""), "{arguments}: {said:?}");
        let error = said.json()["error"].as_str().expect("a text").to_owned();
        assert!(!error.is_empty() && !error.contains('\n') && !error.contains("Usage"), "{arguments}: {error}");
    }
    let said = run(&place, ["publsh"]);
    assert!(said.out.is_empty() && said.err.contains("Usage: sportsctl"), "{said:?}");
    let help = run(&place, ["--json", "--help"]);
    assert!(help.code == Some(0) && help.out.contains("Usage: sportsctl"), "{help:?}");
}

#[test]
fn a_failure_other_than_bad_input_exits_with_1() {
    let place = Place::fresh();
    publish(&place, &fixture("edge-cases/release"));
    fs::write(entry(&place, "nfl", 1), "{").expect("written");
    for arguments in ["verify", "verify nfl", "releases nfl", "publish FIXTURES/edge-cases/release"] {
        assert_eq!(code(&place, arguments), Some(1), "{arguments}");
    }
    fs::write(place.path().join("sports.db"), "no database, whatever its name says").expect("written");
    assert_eq!(code(&place, "customer list"), Some(1));
}

/// Whatever a setting names is a mistake of its own, with the way out of it.
#[test]
fn a_file_where_a_folder_belongs_is_bad_input() {
    let place = Place::fresh();
    let file = place.path().join("file");
    fs::write(&file, "").expect("written");
    let (store, database) = (format!("file:{}", file.display()), format!("sqlite:{}/x.db", file.display()));
    let release = fixture("edge-cases/release").display().to_string();
    for command in [&["verify"][..], &["publish", &release], &["backup", "never"]] {
        let _ = run(&place, ["migrate"]);
        let said = run(&place, command.iter().copied().chain(["--store", &store]));
        assert_eq!(said.code, Some(2), "{command:?}: {said:?}");
        assert!(said.err.contains(&format!("the store {} is not a folder", file.display())), "{command:?}: {said:?}");
        assert!(said.err.contains("--store (store.url)"), "{command:?}: {said:?}");
    }
    let said = run(&place, ["migrate", "--database", &database]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains(&format!("cannot make the folder {} of the database", file.display())), "{said:?}");
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let said = run(&Place::fresh(), ["publish", "releases/tuesday"]);
    assert_eq!(said.out, "");
    let message = "sportsctl: the release folder releases/tuesday cannot be read: ";
    assert!(said.err.starts_with(message) && said.err.contains("No such file"), "{said:?}");
}
