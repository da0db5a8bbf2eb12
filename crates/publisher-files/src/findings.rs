use std::borrow::Cow;
use std::sync::Arc;

use sports_domain::TeamSlug;
use sports_publication::{Place, Problem};

use crate::cells::Reading;
use crate::remedy::remedy;
use crate::table::{InputCell, MOST_FINDINGS, MOST_WARNINGS, Row};
use crate::undeclared::UndeclaredColumns;

/// The problems and warnings found while reading one file.
#[derive(Debug)]
pub(crate) struct Findings {
    file: Arc<str>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) warnings: Vec<String>,
    /// One warning for each team that is not a club of the league, however many files contain it.
    pub(crate) unknown_teams: Vec<(TeamSlug, String)>,
    /// The extra columns without a declaration.
    pub(crate) undeclared: UndeclaredColumns,
}

/// A marker for a value that could not be read and whose problem is already recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Noted;

/// Sorts problems by file and row; within a row they keep the order of discovery.
pub(crate) fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|a, b| a.place.cmp(&b.place));
    problems
}

impl Findings {
    pub(crate) fn in_file(file: &str) -> Self {
        Self {
            file: file.into(),
            problems: Vec::new(),
            warnings: Vec::new(),
            unknown_teams: Vec::new(),
            undeclared: UndeclaredColumns::default(),
        }
    }

    /// Returns the place of a row, or of the whole file.
    pub(crate) fn place(&self, row: Option<usize>) -> Place {
        Place { file: Arc::clone(&self.file), row }
    }

    /// Records a problem, up to [`MOST_FINDINGS`].
    fn note(&mut self, mut problem: Problem) {
        if self.problems.len() < MOST_FINDINGS {
            problem.hint =
                problem.value.as_deref().and_then(|value| remedy(&problem.expected, value)).map(String::into_boxed_str);
            self.problems.push(problem);
        }
    }

    /// Records a problem of the whole file. The limit on row problems does not apply.
    pub(crate) fn file(&mut self, expected: impl Into<String>) {
        self.problems.push(Problem::at(self.place(None), expected));
    }

    /// Records a problem of a whole row.
    pub(crate) fn row(&mut self, number: usize, expected: impl Into<String>) {
        self.note(Problem::at(self.place(Some(number)), expected));
    }

    /// Records a problem of a column, or of a field in a file without rows.
    pub(crate) fn column(&mut self, name: &str, value: Option<String>, expected: impl Into<String>) {
        self.note(Problem { column: Some(name.to_owned()), value, ..Problem::at(self.place(None), expected) });
    }

    /// Records a problem of a cell.
    pub(crate) fn cell(&mut self, row: Row<'_>, column: usize, expected: impl Into<String>) {
        let value = row.cell(column).written().map(Cow::into_owned);
        self.named_cell(row.number(), row.column(column), value, expected);
    }

    /// Records a problem of a cell that is missing from the table.
    pub(crate) fn named_cell(&mut self, row: usize, name: &str, value: Option<String>, expected: impl Into<String>) {
        let problem = Problem::at(self.place(Some(row)), expected);
        self.note(Problem { column: Some(name.to_owned()), value, ..problem });
    }

    /// Records a warning; the file stays valid.
    pub(crate) fn warn(&mut self, remark: &str) {
        let warning = format!("{}: {remark}", self.file);
        if self.warnings.len() < MOST_WARNINGS && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Records a warning about a team, at most one per team.
    pub(crate) fn unknown_team(&mut self, team: &TeamSlug, remark: &str) {
        if self.unknown_teams.len() < MOST_WARNINGS && !self.unknown_teams.iter().any(|(noted, _)| noted == team) {
            self.unknown_teams.push((team.clone(), remark.to_owned()));
        }
    }

    /// Returns the warnings about the given teams.
    pub(crate) fn remarks(&self, teams: [&TeamSlug; 2]) -> Vec<String> {
        let noted = self.unknown_teams.iter().filter(|(team, _)| teams.contains(&team));
        noted.map(|(_, remark)| remark.clone()).collect()
    }

    /// Returns every warning; warnings about a team only if `news` returns true for the team.
    pub(crate) fn into_warnings(self, mut news: impl FnMut(TeamSlug) -> bool) -> Vec<String> {
        let Self { file, mut warnings, unknown_teams, .. } = self;
        let teams = unknown_teams.into_iter().filter_map(|(team, remark)| news(team).then_some(remark));
        warnings.extend(teams.map(|remark| format!("{file}: {remark}")));
        warnings
    }

    /// Reads a cell of an optional column, and records a problem if the cell is invalid.
    pub(crate) fn take<'t, T>(
        &mut self,
        row: Row<'t>,
        column: Option<usize>,
        read: impl FnOnce(InputCell<'t>) -> Reading<T>,
    ) -> Result<Option<T>, Noted> {
        let Some(column) = column else { return Ok(None) };
        read(row.cell(column)).map_err(|expected| {
            self.cell(row, column, expected);
            Noted
        })
    }
}
