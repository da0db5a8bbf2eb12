//! The tests that docs/security.md names for its rows.

use std::fs;
use std::path::Path;

use crate::terminal::{page, root};

/// Reads all Rust code in a folder.
fn code(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            code(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).expect("code"));
        }
    }
}

#[test]
fn every_row_names_existing_tests() {
    let page = page("docs/security.md");
    let rows: Vec<_> = page.lines().filter(|line| line.starts_with("| API")).collect();
    assert_eq!(rows.len(), 10);
    let mut tests = String::new();
    for folder in ["apps", "crates"] {
        code(&root().join(folder), &mut tests);
    }
    for row in rows {
        let named = row.rsplit('|').nth(1).expect("a last cell");
        let named: Vec<_> = named.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "no test: {row}");
        for name in named {
            assert!(tests.contains(&format!("fn {name}(")), "there is no test `{name}`");
        }
    }
}
