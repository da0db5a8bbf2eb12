use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use foldhash::fast::RandomState;

/// A place in a publisher's folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file, relative to the folder, with forward slashes.
    pub file: Arc<str>,
    /// The row, the header being row 1; `None` for the whole file.
    pub row: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        self.row.map_or(Ok(()), |row| write!(f, ", row {row}"))
    }
}

/// A value and the place it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The place it was read from.
    pub place: Place,
    pub value: T,
}

/// A problem with a release: its place, the value found and the value expected.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The place at fault.
    pub place: Place,
    /// The column at fault, if any.
    pub column: Option<String>,
    /// The value at fault as written, if any.
    pub value: Option<String>,
    /// The expected value, as a phrase.
    pub expected: String,
    /// A remedy for the value, if its cause is known.
    pub hint: Option<Box<str>>,
}

impl Problem {
    /// Creates a problem with a row or, without a row number, with a file.
    pub fn at(place: Place, expected: impl Into<String>) -> Self {
        Self { place, column: None, value: None, expected: expected.into(), hint: None }
    }

    /// Adds the column and value at fault.
    pub fn in_cell(mut self, column: impl Into<String>, value: impl Into<String>) -> Self {
        self.column = Some(column.into());
        self.value = Some(value.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        if let Some(column) = &self.column {
            write!(f, ", column {column}")?;
        }
        if let Some(value) = &self.value {
            write!(f, ": `{value}`")?;
        }
        write!(f, ": expected {}", self.expected)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, " ({hint})"))
    }
}

/// A problem of a file, of a column, or of the cells of a column, with every row that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemGroup {
    pub file: String,
    /// The column of the file.
    pub column: Option<String>,
    /// The rows with the problem; the header is row 1.
    pub rows: Option<Rows>,
    /// The value of the first row.
    pub value: Option<String>,
    /// The expected form, the same in every row.
    pub expected: String,
    /// A remedy for the first value.
    pub hint: Option<String>,
}

/// The rows in which a problem occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// The first row.
    pub first: u64,
    /// The last row.
    pub last: u64,
    /// The number of rows.
    pub count: u64,
}

impl Rows {
    /// Creates the rows of a problem that occurs once.
    pub const fn single(row: u64) -> Self {
        Self { first: row, last: row, count: 1 }
    }

    /// Adds another row.
    pub fn add(&mut self, row: u64) {
        (self.last, self.count) = (self.last.max(row), self.count + 1);
    }
}

impl ProblemGroup {
    /// Groups problems by file, column and expected form. Every kind of problem comes before the second group of any
    /// kind; apart from that the order stays. A kind is a column and the beginning of the expected form.
    pub fn grouped(problems: &[Problem]) -> Vec<Self> {
        let mut places: HashMap<(&str, Option<&str>, &str), usize, RandomState> = HashMap::default();
        let mut groups: Vec<Self> = Vec::new();
        for problem in problems {
            let row = problem.place.row.map(|row| row as u64);
            let Some(row) = row else {
                groups.push(Self::from(problem));
                continue;
            };
            let same = (&*problem.place.file, problem.column.as_deref(), problem.expected.as_str());
            let place = *places.entry(same).or_insert(groups.len());
            match groups.get_mut(place).and_then(|group| group.rows.as_mut()) {
                Some(rows) => rows.add(row),
                None => groups.push(Self::from(problem)),
            }
        }
        kinds_first(groups)
    }

    /// Returns the kind: problems of one kind differ in a number or a quoted value at most.
    fn kind(&self) -> (Option<&str>, &str) {
        let end = self.expected.find(|letter: char| letter.is_ascii_digit() || "`;".contains(letter));
        (self.column.as_deref(), &self.expected[..end.unwrap_or(self.expected.len())])
    }
}

/// Sorts groups by the number of earlier groups of their kind.
fn kinds_first(groups: Vec<ProblemGroup>) -> Vec<ProblemGroup> {
    let mut seen: HashMap<_, usize, RandomState> = HashMap::default();
    let earlier: Vec<_> = groups
        .iter()
        .map(|group| {
            let count = seen.entry(group.kind()).or_default();
            *count += 1;
            *count
        })
        .collect();
    let mut ranked: Vec<_> = earlier.into_iter().zip(groups).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, group)| group).collect()
}

impl From<&Problem> for ProblemGroup {
    fn from(problem: &Problem) -> Self {
        Self {
            file: problem.place.file.to_string(),
            column: problem.column.clone(),
            rows: problem.place.row.map(|row| Rows::single(row as u64)),
            value: problem.value.clone(),
            expected: problem.expected.clone(),
            hint: problem.hint.as_deref().map(str::to_owned),
        }
    }
}

impl fmt::Display for ProblemGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.rows {
            Some(Rows { first, count: 1, .. }) => write!(f, ", row {first}")?,
            Some(Rows { first, last, count }) => write!(f, ", rows {first}–{last}, {} times", grouped(count))?,
            None => {}
        }
        if let Some(column) = &self.column {
            write!(f, ", column {column}")?;
        }
        let first = if self.rows.is_some_and(|rows| rows.count > 1) { "first " } else { "" };
        if let Some(value) = &self.value {
            write!(f, ": {first}`{value}`")?;
        }
        write!(f, ": expected {}", self.expected)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, " ({hint})"))
    }
}

/// Formats a number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    #[test]
    fn a_problem_says_file_row_column_value_and_what_was_expected() {
        let place = Place { file: "games/2024-25.csv".into(), row: Some(3) };
        let problem = Problem::at(place, "an American price").in_cell("home_money_line", "-50");
        assert_eq!(
            problem.to_string(),
            "games/2024-25.csv, row 3, column home_money_line: `-50`: expected an American price"
        );
    }

    fn problem(row: Option<usize>, column: &str, value: &str, expected: &str) -> Problem {
        Problem::at(Place { file: "games/2021-22.csv".into(), row }, expected).in_cell(column, value)
    }

    fn lines(problems: &[Problem]) -> Vec<String> {
        ProblemGroup::grouped(problems).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_same_problem_in_many_rows_is_one_line() {
        let mut problems: Vec<_> =
            (2..=1390).map(|row| problem(Some(row), "date", &format!("1/{row}"), "a date")).collect();
        problems[0].hint = Some("2022-01-07".into());
        problems.push(problem(Some(9), "season", "x", "a date"));
        assert_eq!(
            lines(&problems),
            [
                "games/2021-22.csv, rows 2–1390, 1,389 times, column date: first `1/2`: expected a date (2022-01-07)",
                "games/2021-22.csv, row 9, column season: `x`: expected a date",
            ]
        );
    }

    #[test]
    fn every_kind_of_problem_comes_before_any_is_repeated() {
        let twice = |row: usize| problem(Some(row), "away_team", "x", &format!("each game once; row {row} has it"));
        let problems =
            [twice(2), twice(3), twice(4), problem(Some(5), "date", "", "a date"), problem(None, "b", "", "c")];
        let columns: Vec<_> = ProblemGroup::grouped(&problems).into_iter().filter_map(|group| group.column).collect();
        assert_eq!(columns, ["away_team", "date", "b", "away_team", "away_team"]);
    }

    #[test]
    fn problems_of_whole_files_stay_apart() {
        let problems = [problem(None, "sport", "a", "a league"), problem(None, "sport", "b", "a league")];
        assert_eq!(lines(&problems).len(), 2);
    }
}
