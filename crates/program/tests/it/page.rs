//! Tests of the table of settings in docs/serving.md.

use std::collections::BTreeMap;
use std::path::Path;

use sports_program::settings::Settings;

/// Returns the default of each key on the page.
fn defaults_on_the_page() -> Vec<(String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/serving.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let section = page.split("\n## ").find(|section| section.starts_with("Settings\n")).expect("the section");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.map(|row| {
        let (key, rest) = row.split_once("` | ").expect("a key ends");
        (key.to_owned(), rest.split(" | ").next().expect("a default").to_owned())
    });
    cells.collect()
}

/// Returns the printed default of each key, without the quotes of a text; `None` if the key is unset.
fn printed_defaults() -> BTreeMap<String, Option<String>> {
    let printed = Settings::default().to_string();
    let mut section = "";
    let mut defaults = BTreeMap::new();
    for line in printed.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if let Some((name, value)) = line.split_once(" = ") {
            defaults.insert(format!("{section}.{name}"), Some(value.trim_matches('"').to_owned()));
        } else if let Some(name) = line.strip_prefix("# ").and_then(|line| line.strip_suffix(" is not set")) {
            defaults.insert(format!("{section}.{name}"), None);
        }
    }
    defaults
}

#[test]
fn the_page_has_a_row_for_each_setting_with_its_default() {
    let printed = printed_defaults();
    assert_eq!(printed.len(), Settings::KEYS.len());
    let mut rows = defaults_on_the_page();
    for (key, cell) in &rows {
        match printed.get(key).unwrap_or_else(|| panic!("`{key}` is no setting")) {
            Some(default) => assert_eq!(*cell, format!("`{default}`"), "{key}"),
            None => assert!(!cell.contains('`'), "{key} is not set: {cell}"),
        }
    }
    rows.sort();
    let mut keys = Settings::KEYS.to_vec();
    keys.sort_unstable();
    assert_eq!(rows.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), keys);
}
