use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{Completed, entries, files, run};

/// A problem without the expected value: file, first row, column, first value.
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
        problems: grouped(problems(&expected)),
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

/// Keeps the first row of each column: in these fixtures, problems of one column expect the same.
fn grouped(mut problems: Vec<Reported>) -> Vec<Reported> {
    problems.sort_by_key(|(file, row, ..)| (file.clone(), *row));
    let mut columns = HashSet::new();
    problems.retain(|(file, row, column, _)| {
        row.is_none() || column.is_none() || columns.insert((file.clone(), column.clone()))
    });
    problems.sort();
    problems
}

/// Returns true for the line of a problem.
fn is_line_of(line: &str, (file, row, column, value): &Reported) -> bool {
    let row = row.map(|row| row.to_string()).unwrap_or_default();
    let one = if row.is_empty() { String::new() } else { format!(", row {row}") };
    let column = column.as_ref().map(|column| format!(", column {column}")).unwrap_or_default();
    let cell = value.as_ref().map(|value| format!(": `{value}`")).unwrap_or_default();
    line.starts_with(&format!("  {file}{one}{column}{cell}: expected "))
        || (line.starts_with(&format!("  {file}, rows {row}–"))
            && line.contains(&format!(" times{column}{cell}"))
            && line.contains(": expected "))
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
        for problem in &fixture.problems {
            assert!(err.lines().any(|line| is_line_of(line, problem)), "{}: {problem:?} in {err}", fixture.name);
        }
        let shown = err.lines().filter(|line| line.contains(": expected ")).count();
        assert_eq!(shown, fixture.problems.len(), "{}: nothing else is reported: {err}", fixture.name);
    }
    assert!(files(&place.store()).is_empty(), "an empty store stays empty");
}

#[test]
fn every_problem_is_in_one_json_object() {
    let place = TestFolder::fresh();
    for fixture in fixtures() {
        let output = refused(&place, &fixture.release, &["--json"]);
        let json = output.json();
        let dry = refused(&place, &fixture.release, &["--json", "--dry-run"]);
        assert_eq!(dry.json(), json, "{}", fixture.name);
        assert_eq!(output.err, "", "{}", fixture.name);
        assert_eq!(json["total"].as_u64(), Some(fixture.total), "{}", fixture.name);
        assert_eq!(problems(&json), fixture.problems, "{}", fixture.name);
        let expected = json["problems"].as_array().expect("a list").iter().map(|problem| problem["expected"].as_str());
        assert!(expected.flatten().filter(|text| !text.is_empty()).count() == fixture.problems.len(), "{json}");
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
fn more_lines_than_fifty_are_fifty_and_a_count() {
    let place = TestFolder::fresh();
    let release = place.path().join("release");
    fs::create_dir_all(release.join("games")).expect("a folder");
    fs::write(release.join("release.json"), r#"{"sport":"nfl","slate_date":"2024-11-24"}"#).expect("written");
    // Each repeated game names the row of its first listing, so that no two problems are the same.
    let game = |week: u32| format!("2024-{:02}-{:02},A{week},B{week}\n", 9 + week / 20, 1 + week % 20);
    let rows: String = (0..60).map(|week| game(week).repeat(2)).collect();
    fs::write(release.join("games/2024-25.csv"), format!("date,away_team,home_team\n{rows}")).expect("written");
    let people = refused(&place, &release, &[]).err;
    assert_eq!(people.lines().filter(|line| line.starts_with("  games/")).count(), 50, "{people}");
    assert!(people.contains("\n  … and 10 more\n"), "{people}");
    let json = refused(&place, &release, &["--json"]).json();
    assert_eq!(json["problems"].as_array().map(Vec::len), Some(50));
    assert_eq!(json["total"], 60);
}

#[test]
fn the_same_problem_of_sixty_rows_is_one_line_with_its_rows() {
    let place = TestFolder::fresh();
    let release = fixture("broken/sixty-problems/release");
    let people = refused(&place, &release, &[]).err;
    let line = "\n  games/2024-25.csv, rows 2–61, 60 times, column home_money_line: `-50`";
    assert!(people.contains(line) && people.lines().count() == 2, "{people}");
    let json = refused(&place, &release, &["--json"]).json();
    let group = &json["problems"][0];
    assert_eq!(
        (&json["total"], &group["row"], &group["last_row"], &group["times"]),
        (&60.into(), &2.into(), &61.into(), &60.into())
    );
}

#[test]
fn a_value_in_another_form_is_refused_with_the_value_that_is_meant() {
    let place = TestFolder::fresh();
    let release = place.path().join("release");
    fs::create_dir_all(release.join("results/over_under")).expect("a folder");
    fs::write(release.join("release.json"), r#"{"sport":"nfl","slate_date":"2024-11-24"}"#).expect("written");
    let rows = "date,time_est,away_team,home_team,over_line,under_line,BLEND\n\
                1/7/2022,2022-01-08T01:15:00Z,Denver Broncos,Kansas City Chiefs,2.65,EVEN,48.2\n";
    fs::write(release.join("results/over_under/2021-22.csv"), rows).expect("written");
    let people = refused(&place, &release, &[]).err;
    for hint in
        ["(2022-01-07)", "(20:15:00 Eastern on 2022-01-07)", "(decimal odds? +165)", "(+100)", "(percent? 0.482)"]
    {
        assert!(people.contains(hint), "{hint}: {people}");
    }
}
