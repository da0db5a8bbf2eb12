//! The version and the forms of stored data, which change together: `docs/upgrading.md` has one table of both.

use std::fs;
use std::path::Path;

use sports_accounts_sea_orm::MIGRATIONS;
use sports_grading::RULES_VERSION;
use sports_store::{LOG_ENTRY_VERSION, SLATE_VERSION};

const HEADER: &str = "| version | log entries | odds and predictions | database steps | grading rules |";

/// Returns the rows under the header: the version, then the forms.
fn rows() -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/upgrading.md");
    let page = fs::read_to_string(page).expect("the page");
    let table = page.split_once(HEADER).expect("the table").1.lines().skip(2);
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    table.take_while(|line| line.starts_with('|')).map(cells).collect()
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().expect("a number")).collect()
}

/// A change of a form adds a row with a new version, and changes the version of the workspace with it.
#[test]
fn the_version_and_the_stored_forms_are_those_of_the_first_row() {
    let rows = rows();
    let newest = &rows[0];
    let forms =
        [LOG_ENTRY_VERSION.to_string(), SLATE_VERSION.to_string(), MIGRATIONS.to_string(), RULES_VERSION.into()];
    assert_eq!(newest[1..], forms, "a form changed: add a row to docs/upgrading.md, and raise the version");
    let (version, of_row) = (numbers(env!("CARGO_PKG_VERSION")), numbers(&newest[0]));
    assert_eq!(version[..2], of_row[..2], "the version changed: add its forms to docs/upgrading.md");
    assert!(version >= of_row);
}

#[test]
fn each_row_has_a_later_version_and_other_forms_than_the_row_below() {
    for pair in rows().windows(2) {
        assert!(numbers(&pair[0][0])[..2] > numbers(&pair[1][0])[..2], "{pair:?}");
        assert_ne!(pair[0][1..], pair[1][1..], "{pair:?}");
    }
}
