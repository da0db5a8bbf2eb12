use std::path::{Path, PathBuf};

use serde_json::Value;
use sports_publication::Problem;
use sports_publisher_files::{ReadError, read};

/// A fixture without problems of its own: the missing game is found when the release is merged into a season.
const FOUND_AT_MERGE: &str = "probability-without-its-game";

type Reported = (String, Option<u64>, Option<String>, Option<String>);

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/broken");
    let entries = std::fs::read_dir(root).expect("the fixtures");
    let mut folders: Vec<_> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn problems(folder: &Path) -> Vec<Problem> {
    let now = "2025-01-01T12:00:00Z".parse().expect("an instant");
    match read(&folder.join("release"), now) {
        Ok(_) => Vec::new(),
        Err(ReadError::Problems(problems)) => problems,
        Err(error) => panic!("{}: {error}", folder.display()),
    }
}

fn reported(problem: &Problem) -> Reported {
    let row = problem.place.row.and_then(|row| u64::try_from(row).ok());
    (problem.place.file.to_string(), row, problem.column.clone(), problem.value.clone())
}

fn expected(value: &Value) -> Reported {
    let text = |field: &str| value[field].as_str().map(str::to_owned);
    (text("file").expect("a file"), value["row"].as_u64(), text("column"), text("value"))
}

#[test]
fn a_broken_folder_is_refused_for_exactly_what_is_wrong_with_it() {
    let folders = fixtures();
    assert!(folders.len() > 20, "the fixtures are there");
    for folder in folders.iter().filter(|folder| !folder.ends_with(FOUND_AT_MERGE)) {
        let file = std::fs::read_to_string(folder.join("expected.json")).expect("expected.json");
        let file: Value = serde_json::from_str(&file).expect("JSON");
        let first: Vec<_> = file["problems"].as_array().expect("a list").iter().map(expected).collect();
        let found = problems(folder);
        assert_eq!(Some(found.len() as u64), file["total"].as_u64(), "{}: {found:#?}", folder.display());
        let mut found: Vec<_> = found.iter().take(first.len()).map(reported).collect();
        let mut first = first;
        found.sort();
        first.sort();
        assert_eq!(found, first, "{}", folder.display());
    }
}

#[test]
fn a_forecast_without_its_game_is_no_problem_of_reading() {
    let folder = fixtures().into_iter().find(|folder| folder.ends_with(FOUND_AT_MERGE)).expect("the fixture");
    assert_eq!(problems(&folder), []);
}

#[test]
fn every_problem_reads_as_a_sentence() {
    for problem in fixtures().iter().flat_map(|folder| problems(folder)) {
        let sentence = problem.to_string();
        assert!(sentence.contains(": expected ") && !sentence.contains("expected expected"), "{sentence}");
        assert!(!problem.expected.is_empty() && !problem.expected.ends_with('.'), "{sentence}");
    }
}
