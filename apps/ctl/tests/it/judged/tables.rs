//! Tables of games made from real seasons, and what the program says about them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sports_testkit::foreign::{RealRow, real_rows};
use sports_testkit::programs::TestFolder;

use crate::support::Completed;

/// Rows of a file, and the columns that it has.
#[derive(Debug, Clone)]
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<RealRow>,
}

impl Table {
    /// Creates a table of rows, with some of their columns.
    pub fn of(rows: Vec<RealRow>, columns: &str) -> Self {
        Self { columns: columns.split(',').map(str::to_owned).collect(), rows }
    }

    /// Reads a file of the real data, with some of its columns.
    pub fn real(data: &Path, file: &str, columns: &str) -> Self {
        Self::of(real_rows(&data.join(file)), columns)
    }

    /// Replaces the values in some columns; `change` receives the number of the row. Empty cells stay empty.
    pub fn change(&mut self, columns: &[&str], change: impl Fn(usize, &str) -> String) {
        for (index, row) in self.rows.iter_mut().enumerate() {
            for name in columns {
                row.entry((*name).to_owned()).and_modify(|cell| {
                    if !cell.is_empty() {
                        *cell = change(index, cell);
                    }
                });
            }
        }
    }

    /// Sets the empty cells of some columns.
    pub fn fill(&mut self, columns: &[&str], cell: &str) {
        for row in &mut self.rows {
            for name in columns.iter().filter(|name| row.get(**name).is_none_or(String::is_empty)).collect::<Vec<_>>() {
                row.insert((*name).to_owned(), cell.to_owned());
            }
        }
    }

    /// Exchanges two columns.
    pub fn exchange(&mut self, [one, other]: [&str; 2]) {
        for row in &mut self.rows {
            let cells = [one, other].map(|name| row.get(name).cloned().unwrap_or_default());
            let [first, second] = cells;
            row.extend([(one.to_owned(), second), (other.to_owned(), first)]);
        }
    }

    /// Copies the cells of one column to another.
    pub fn copy(&mut self, from: &str, to: &str) {
        for row in &mut self.rows {
            let cell = row.get(from).cloned().unwrap_or_default();
            row.insert(to.to_owned(), cell);
        }
    }

    /// Adds hours to every start: `date` and the column `time`.
    pub fn shift(&mut self, time: &str, hours: i64) {
        for row in self.rows.iter_mut().filter(|row| !row[time].is_empty()) {
            let text = format!("{} {}", row["date"], &row[time][..5]);
            let start = chrono::NaiveDateTime::parse_from_str(&text, "%Y-%m-%d %H:%M").expect("a start");
            let start = start + chrono::TimeDelta::hours(hours);
            row.insert("date".to_owned(), start.format("%Y-%m-%d").to_string());
            row.insert(time.to_owned(), start.format("%H:%M").to_string());
        }
    }

    /// Writes the table as CSV, without some columns.
    pub fn text(&self, without: &[&str]) -> String {
        let columns: Vec<_> = self.columns.iter().filter(|name| !without.contains(&name.as_str())).collect();
        let line = |row: &RealRow| {
            columns.iter().map(|name| row.get(*name).map_or("", String::as_str)).collect::<Vec<_>>().join(",")
        };
        let lines = self.rows.iter().map(line);
        let header = columns.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(",");
        std::iter::once(header).chain(lines).map(|line| line + "\n").collect()
    }
}

/// Returns a number moved by an amount, with one decimal at most.
pub fn plus(cell: &str, amount: f64) -> String {
    cell.parse::<f64>().map_or_else(|_| cell.to_owned(), |number| format!("{}", number + amount))
}

/// Returns a number with the other sign.
pub fn negated(cell: &str) -> String {
    match cell.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None => format!("-{cell}"),
    }
}

/// Writes a folder of files, in place of a folder of that name.
pub fn write(place: &TestFolder, name: &str, files: &[(&str, String)]) -> PathBuf {
    let folder = place.path().join(name);
    let _ = fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

/// Returns the manifest of a release whose run ended ten minutes before an instant on its date.
pub fn manifest(sport: &str, date: &str, season: Option<&str>, run: Option<(&str, &str)>) -> String {
    let mut fields = json!({ "sport": sport, "slate_date": date });
    if let Some(season) = season {
        fields["season"] = Value::from(season);
    }
    if let Some((id, ended)) = run {
        fields["run"] = json!({ "id": id, "started_at": ended, "completed_at": ended });
    }
    fields.to_string()
}

/// Returns the lines with which a command refuses, warns or announces another start.
fn remarks(output: &Completed) -> BTreeSet<&str> {
    let err = output.err.lines().filter(|line| output.code != Some(0) || line.starts_with("warning: "));
    err.chain(output.out.lines().filter(|line| line.starts_with("rescheduled: "))).collect()
}

/// Returns the complaint about an output that passes over a mistake: one that neither refuses nor has a remark with one of the
/// words which the output about the right file did not have.
pub fn silence(right: &Completed, wrong: &Completed, named: &[&str]) -> Option<String> {
    let known = remarks(right);
    let new: Vec<_> = remarks(wrong).into_iter().filter(|line| !known.contains(line)).collect();
    let is_named = named.iter().any(|word| new.iter().any(|line| line.contains(word)));
    let is_judged = matches!(wrong.code, Some(0 | 2));
    (!is_named || !is_judged).then(|| format!("exit code {:?}, expected one of {named:?} in {new:?}", wrong.code))
}
