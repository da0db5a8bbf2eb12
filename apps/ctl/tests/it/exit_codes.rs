//! The table under "Exit codes" of the README, row by row.

use std::fs;

use sports_testkit::programs::{TestFolder, fixture};
use sports_testkit::proofs::{LOG, START, proof_vectors};

use crate::support::{entry, publish, run};

fn code(place: &TestFolder, arguments: &str) -> Option<i32> {
    let fixtures = fixture("").display().to_string();
    let words = arguments.split_whitespace().map(|word| word.replace("FIXTURES/", &fixtures));
    run(place, words).code
}

#[test]
fn a_command_that_succeeds_exits_with_0() {
    let place = TestFolder::fresh();
    let (backup, pages) = (place.path().join("backup"), place.path().join("man"));
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
        "completions fish",
        &format!("man {}", pages.display()),
    ] {
        assert_eq!(code(&place, arguments), Some(0), "{arguments}");
    }
}

#[test]
fn bad_input_exits_with_2() {
    let place = TestFolder::fresh();
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
fn a_command_line_error_is_json_with_the_option_json() {
    let place = TestFolder::fresh();
    for arguments in ["", "publsh", "publish", "verify cricket", "releases nfl --limit 0", "dataset", "template slate"]
    {
        let output = run(&place, arguments.split_whitespace().chain(["--json"]));
        assert_eq!((output.code, output.err.as_str()), (Some(2), ""), "{arguments}: {output:?}");
        let error = output.json()["error"].as_str().expect("a text").to_owned();
        assert!(!error.is_empty() && !error.contains('\n') && !error.contains("Usage"), "{arguments}: {error}");
    }
    let output = run(&place, ["publsh"]);
    assert!(output.out.is_empty() && output.err.contains("Usage: sportsctl"), "{output:?}");
    let help = run(&place, ["--json", "--help"]);
    assert!(help.code == Some(0) && help.out.contains("Usage: sportsctl"), "{help:?}");
}

#[test]
fn a_failure_other_than_bad_input_exits_with_1() {
    let place = TestFolder::fresh();
    publish(&place, &fixture("edge-cases/release"));
    fs::write(entry(&place, "nfl", 1), "{").expect("written");
    for arguments in ["verify", "verify nfl", "releases nfl", "publish FIXTURES/edge-cases/release"] {
        assert_eq!(code(&place, arguments), Some(1), "{arguments}");
    }
    fs::write(place.path().join("sports.db"), "no database, whatever its name says").expect("written");
    assert_eq!(code(&place, "customer list"), Some(1));
}

#[test]
fn a_verdict_without_a_known_time_exits_with_3() {
    let place = TestFolder::fresh();
    let file = place.path().join("proof");
    let vector = proof_vectors().into_iter().find(|vector| vector.name == "not cosigned").expect("one");
    fs::write(&file, vector.bytes).expect("written");
    assert_eq!(code(&place, &format!("record check {} --log {LOG} --start {START}", file.display())), Some(3));
}

/// A setting that names a file in place of a folder is wrong input, and the message has the remedy.
#[test]
fn a_file_where_a_folder_belongs_is_bad_input() {
    let place = TestFolder::fresh();
    let file = place.path().join("file");
    fs::write(&file, "").expect("written");
    let (store, database) = (format!("file:{}", file.display()), format!("sqlite:{}/x.db", file.display()));
    let release = fixture("edge-cases/release").display().to_string();
    for command in [&["verify"][..], &["publish", &release], &["backup", "never"]] {
        let _ = run(&place, ["migrate"]);
        let output = run(&place, command.iter().copied().chain(["--store", &store]));
        assert_eq!(output.code, Some(2), "{command:?}: {output:?}");
        assert!(
            output.err.contains(&format!("the store {} is not a folder", file.display())),
            "{command:?}: {output:?}"
        );
        assert!(output.err.contains("--store (store.url)"), "{command:?}: {output:?}");
    }
    let output = run(&place, ["migrate", "--database", &database]);
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.err.contains(&format!("cannot make the folder {} of the database", file.display())), "{output:?}");
}

#[test]
fn a_missing_folder_is_named() {
    let output = run(&TestFolder::fresh(), ["publish", "releases/tuesday"]);
    assert_eq!(output.out, "");
    let message = "sportsctl: the release folder releases/tuesday cannot be read: ";
    assert!(output.err.starts_with(message) && output.err.contains("No such file"), "{output:?}");
}
