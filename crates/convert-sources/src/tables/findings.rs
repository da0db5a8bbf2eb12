use std::collections::BTreeMap;

use sports_publication::{ProblemGroup, Rows};

use super::source::Cells;
use crate::tables::misread::Misread;
use crate::tables::plan::Origin;

/// The largest number of different problems that are kept.
const MOST_PROBLEMS: usize = 1_000;

/// The reason for which a row is not converted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A filter of the map: the column and the word.
    Filtered {
        column: String,
        /// The row's word.
        word: String,
        /// The words that are kept; none if the word is one of those that are dropped.
        keep: Vec<String>,
    },
    /// The season is not the one that was requested.
    OtherSeason(String),
    /// A part of the season that does not count in the league, in the word of the file.
    GameType(String),
    /// A game that has not started: it belongs to a slate.
    Ahead,
    /// A game that has started: it does not belong to a slate.
    Started,
    /// A game without a start time, which a slate needs.
    NoTime,
    /// The header again.
    RepeatedHeader,
}

/// The problems and the rows left out of all files, in the order of discovery.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    file: String,
    problems: Vec<ProblemGroup>,
    /// The number of cells with a problem.
    cells: u64,
    pub(crate) left_out: BTreeMap<Reason, u64>,
    pub(crate) warnings: Vec<String>,
    /// Values that the map names and a file does not have.
    pub(crate) absent: Vec<String>,
    /// Cells that are not read, by column and reason.
    pub(crate) unread: BTreeMap<(String, &'static str), u64>,
}

impl Findings {
    /// Begins the next file.
    pub(crate) fn begin(&mut self, file: &str) {
        file.clone_into(&mut self.file);
    }

    /// Records a problem of the file, or of one of its columns.
    pub(crate) fn file_problem(&mut self, column: Option<&str>, expected: impl Into<String>) {
        let (file, column) = (self.file.clone(), column.map(str::to_owned));
        self.problems.push(ProblemGroup {
            file,
            column,
            rows: None,
            value: None,
            expected: expected.into(),
            hint: None,
        });
    }

    /// Records a problem of a cell, or of a row if there is no column; the same problem of other rows is counted.
    pub(crate) fn cell(&mut self, row: u64, column: Option<&str>, value: Option<&str>, misread: Misread) {
        self.cells += 1;
        let same = |known: &&mut ProblemGroup| {
            known.rows.is_some()
                && known.file == self.file
                && known.column.as_deref() == column
                && known.expected == misread.expected
        };
        let value = value.filter(|value| !value.is_empty()).map(str::to_owned);
        if let Some(known) = self.problems.iter_mut().find(same) {
            count(known, row, value, misread.hint);
            return;
        }
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(ProblemGroup {
                file: self.file.clone(),
                column: column.map(str::to_owned),
                rows: Some(Rows::single(row)),
                value,
                expected: misread.expected.into_owned(),
                hint: misread.hint,
            });
        }
    }

    /// Records a problem of a value, in the row from which it is read.
    pub(crate) fn value(&mut self, cells: &Cells<'_>, origin: &Origin, misread: Misread) {
        self.cell(cells.row_of(origin), Some(origin.name()), Some(cells.text(origin)), misread);
    }

    pub(crate) fn leave_out(&mut self, reason: Reason) {
        *self.left_out.entry(reason).or_default() += 1;
    }

    /// Records a warning about the file.
    pub(crate) fn warn(&mut self, warning: &str) {
        self.warnings.push(format!("{}: {warning}", self.file));
    }

    /// Records values that the map names and the file does not have.
    pub(crate) fn note_absent(&mut self, values: &[String]) {
        if !values.is_empty() {
            self.absent.push(format!("{}: {}", self.file, values.join(", ")));
        }
    }

    /// Counts a cell that is not read.
    pub(crate) fn skip(&mut self, column: &str, reason: &'static str) {
        match self.unread.get_mut(&(column.to_owned(), reason)) {
            Some(count) => *count += 1,
            None => drop(self.unread.insert((column.to_owned(), reason), 1)),
        }
    }

    pub(crate) const fn cell_problems(&self) -> u64 {
        self.cells
    }

    pub(crate) const fn problem_count(&self) -> usize {
        self.problems.len()
    }

    pub(crate) fn into_problems(self) -> Vec<ProblemGroup> {
        self.problems
    }
}

/// Adds a row to a problem, which keeps the value of its first row: the rows of two teams may be read in reverse.
fn count(known: &mut ProblemGroup, row: u64, value: Option<String>, hint: Option<String>) {
    let Some(rows) = &mut known.rows else { return };
    rows.add(row);
    if row < rows.first {
        rows.first = row;
        (known.value, known.hint) = (value, hint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_problem_in_many_rows_is_one_line() {
        let mut found = Findings::default();
        found.begin("games.csv");
        for row in 2..=1390 {
            let misread = Misread::new("a date as %Y-%m-%d").with_hint(Some("2022-01-07, with pattern = \"%m/%d/%Y\""));
            found.cell(row, Some("gameday"), Some("1/7/2022"), misread);
        }
        found.cell(9, Some("spread"), Some("x"), Misread::new("a number"));
        found.file_problem(None, "a season");
        let lines: Vec<_> = found.into_problems().iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "games.csv, rows 2–1390, 1,389 times, column gameday: first `1/7/2022`: expected a date as %Y-%m-%d \
                 (2022-01-07, with pattern = \"%m/%d/%Y\")",
                "games.csv, row 9, column spread: `x`: expected a number",
                "games.csv: expected a season",
            ]
        );
    }
}
