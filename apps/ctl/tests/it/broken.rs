use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{Completed, entries, files, releases, run};

/// A problem without the expected value: file, row, column, value.
type Reported = (String, Option<u64>, Option<String>, Option<String>);

struct Fixture {
    name: String,
    release: PathBuf,
    total: u64,
    problems: Vec<Reported>,
}

fn fixtures() -> Vec<Fixture> {
    let entries = fs::read_dir(fixture("broken")).expect("the fixtures").map(|entry| entry.expect("an entry").path());
    let fixtures: Vec<_> = entries.filter(|path| path.is_dir()).map(|path| read(&path)).collect();
    assert!(fixtures.len() > 30, "the fixtures are there");
    fixtures
}

fn read(folder: &Path) -> Fixture {
    let expected = fs::read(folder.join("expected.json")).expect("expected.json");
    let expected: Value = serde_json::from_slice(&expected).expect("JSON");
    Fixture {
        name: folder.file_name().expect("a name").to_string_lossy().into_owned(),
        release: folder.join("release"),
        total: expected["total"].as_u64().expect("a count"),
        problems: problems(&expected),
    }
}

fn problems(of: &Value) -> Vec<Reported> {
    let text = |problem: &Value, field: &str| problem[field].as_str().map(str::to_owned);
    let reported = |problem: &Value| {
        let file = text(problem, "file").expect("a file");
        (file, problem["row"].as_u64(), text(problem, "column"), text(problem, "value"))
    };
    let mut problems: Vec<_> = of["problems"].as_array().expect("a list").iter().map(reported).collect();
    problems.sort();
    problems
}

/// Formats the line of a problem, up to the expected value.
fn sentence((file, row, column, value): &Reported) -> String {
    let row = row.map(|row| format!(", row {row}")).unwrap_or_default();
    let column = column.as_ref().map(|column| format!(", column {column}")).unwrap_or_default();
    let value = value.as_ref().map(|value| format!(": `{value}`")).unwrap_or_default();
    format!("  {file}{row}{column}{value}: expected ")
}

fn refused(place: &TestFolder, release: &Path, more: &[&str]) -> Completed {
    let output = run(place, ["publish", release.to_str().expect("text")].iter().chain(more));
    assert_eq!(output.code, Some(2), "{}: {output:?}", release.display());
    output
}

#[test]
fn every_problem_is_printed_as_text_with_its_file_row_column_and_value() {
    let place = TestFolder::fresh();
    for fixture in fixtures() {
        let Completed { out, err, .. } = refused(&place, &fixture.release, &[]);
        assert_eq!(out, "", "{}: what went wrong goes to standard error", fixture.name);
        assert!(err.contains(&format!("Problems found: {}\n", fixture.total)), "{}: {err}", fixture.name);
        for problem in fixture.problems.iter().map(sentence) {
            assert!(err.lines().any(|line| line.starts_with(&problem)), "{}: `{problem}` in {err}", fixture.name);
        }
        let shown = err.lines().filter(|line| line.contains(": expected ")).count();
        assert_eq!(shown, fixture.problems.len(), "{}: nothing else is reported: {err}", fixture.name);
    }
}

#[test]
fn every_problem_is_in_one_json_object() {
    let place = TestFolder::fresh();
    for fixture in fixtures() {
        let output = refused(&place, &fixture.release, &["--json"]);
        let json = output.json();
        assert_eq!(output.err, "", "{}", fixture.name);
        assert_eq!(json["total"].as_u64(), Some(fixture.total), "{}", fixture.name);
        assert_eq!(problems(&json), fixture.problems, "{}", fixture.name);
        let expected = json["problems"].as_array().expect("a list").iter().map(|problem| problem["expected"].as_str());
        assert!(expected.flatten().filter(|text| !text.is_empty()).count() == fixture.problems.len(), "{json}");
    }
}

#[test]
fn a_broken_folder_leaves_an_empty_store_empty() {
    for fixture in fixtures() {
        let place = TestFolder::fresh();
        refused(&place, &fixture.release, &[]);
        for sport in ["nfl", "mlb", "ncaaf"] {
            assert!(releases(&place, sport).is_empty(), "{}", fixture.name);
        }
        assert!(files(&place.store()).is_empty(), "{}", fixture.name);
    }
}

#[test]
fn a_broken_folder_leaves_a_store_in_use_unchanged() {
    let place = TestFolder::fresh();
    for good in ["edge-cases", "doubleheader"] {
        let _ = place.ctl(["publish", fixture(good).join("release").to_str().expect("text")]);
    }
    let before = files(&place.store());
    for fixture in fixtures() {
        refused(&place, &fixture.release, &[]);
    }
    assert_eq!((entries(&place, "nfl"), entries(&place, "mlb")), (1, 1));
    assert_eq!(files(&place.store()), before);
}

#[test]
fn more_problems_than_fifty_are_fifty_and_a_count() {
    let place = TestFolder::fresh();
    let release = fixture("broken/sixty-problems/release");
    let people = refused(&place, &release, &[]).err;
    assert_eq!(people.lines().filter(|line| line.starts_with("  games/")).count(), 50, "{people}");
    assert!(people.ends_with("\n  … and 10 more\n"), "{people}");
    let json = refused(&place, &release, &["--json"]).json();
    assert_eq!(json["problems"].as_array().map(Vec::len), Some(50));
    assert_eq!(json["total"], 60);
}

#[test]
fn a_dry_run_finds_the_same_problems() {
    let place = TestFolder::fresh();
    for fixture in fixtures() {
        let published = refused(&place, &fixture.release, &["--json"]);
        let dry = refused(&place, &fixture.release, &["--json", "--dry-run"]);
        assert_eq!(dry.json(), published.json(), "{}", fixture.name);
    }
}
