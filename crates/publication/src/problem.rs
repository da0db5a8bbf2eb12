use std::collections::{HashMap, HashSet};
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
    /// The different values, at most [`MOST_VALUES`], in the order of their rows; never empty.
    pub values: Vec<FoundValue>,
    /// The expected form, the same in every row.
    pub expected: String,
}

/// A value with a problem, and the number of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundValue {
    /// The value as written; `None` if the cell is empty, or if the problem is not of a cell.
    pub value: Option<String>,
    /// A remedy for the value.
    pub hint: Option<String>,
    /// The first row; 0 for a problem of a whole file.
    pub row: u64,
    pub count: u64,
}

/// The largest number of values that a group lists. Rows with other values are counted.
pub const MOST_VALUES: usize = 20;

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
    fn add(&mut self, row: u64) {
        *self = Self { first: self.first.min(row), last: self.last.max(row), count: self.count + 1 };
    }
}

/// Problems that are grouped by file, column and expected form as they are found.
#[derive(Debug, Default)]
pub struct ProblemGroups {
    groups: Vec<ProblemGroup>,
    places: HashMap<(Arc<str>, Option<String>, String), usize, RandomState>,
}

impl ProblemGroups {
    /// Adds a problem. A problem of a whole file has a group of its own.
    pub fn add(&mut self, problem: Problem) {
        let Problem { place: Place { file, row }, column, value, expected, hint } = problem;
        let row = row.map(|row| row as u64);
        let value = FoundValue { value, hint: hint.map(String::from), row: row.unwrap_or_default(), count: 1 };
        let new = self.groups.len();
        let key = (file, column, expected);
        let place = if row.is_some() { *self.places.entry(key.clone()).or_insert(new) } else { new };
        if let (Some(group), Some(row)) = (self.groups.get_mut(place), row) {
            return group.add(row, value);
        }
        let (file, column, expected) = key;
        let rows = row.map(Rows::single);
        self.groups.push(ProblemGroup { file: file.to_string(), column, rows, values: vec![value], expected });
    }

    /// Returns the number of groups.
    pub const fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns true if no problem was added.
    pub const fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the groups. Every kind of problem comes before the second group of any kind; apart from that the order
    /// stays. A kind is a column and the beginning of the expected form.
    pub fn finish(mut self) -> Vec<ProblemGroup> {
        for group in &mut self.groups {
            // The rows of two teams may be read in reverse.
            group.values.sort_by_key(|value| value.row);
        }
        kinds_first(self.groups)
    }
}

impl ProblemGroup {
    /// Groups the problems of a release, as [`ProblemGroups`] does.
    pub fn grouped(problems: &[Problem]) -> Vec<Self> {
        let mut groups = ProblemGroups::default();
        for problem in problems {
            groups.add(problem.clone());
        }
        groups.finish()
    }

    fn add(&mut self, row: u64, new: FoundValue) {
        if let Some(rows) = &mut self.rows {
            rows.add(row);
        }
        let same = |known: &&mut FoundValue| known.value == new.value && known.hint == new.hint;
        if let Some(known) = self.values.iter_mut().find(same) {
            (known.row, known.count) = (known.row.min(row), known.count + 1);
        } else if self.values.len() < MOST_VALUES {
            self.values.push(new);
        }
    }

    /// Returns the number of rows with values that are not listed.
    pub fn unlisted(&self) -> u64 {
        self.rows.map_or(0, |rows| rows.count - self.values.iter().map(|value| value.count).sum::<u64>())
    }

    /// Writes several values: each with its number of rows and its remedy, of which those that differ in digits alone are
    /// written once.
    fn write_values(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut remedies = HashSet::new();
        for (place, FoundValue { value, hint, count, .. }) in self.values.iter().enumerate() {
            let form = |hint: &String| hint.replace(|letter: char| letter.is_ascii_digit(), "");
            let hint = hint.as_ref().filter(|hint| value.is_none() || remedies.insert(form(hint)));
            let times = (*count > 1).then(|| format!("{} times", grouped(*count)));
            f.write_str(if place == 0 { ": " } else { ", " })?;
            let notes = match (value, hint) {
                (Some(value), hint) => {
                    write!(f, "`{value}`")?;
                    times.into_iter().chain(hint.cloned()).collect::<Vec<_>>()
                }
                (None, hint) => {
                    f.write_str(hint.map_or("an empty cell", String::as_str))?;
                    times.into_iter().collect()
                }
            };
            if !notes.is_empty() {
                write!(f, " ({})", notes.join("; "))?;
            }
        }
        match self.unlisted() {
            0 => Ok(()),
            1 => f.write_str(" and 1 more row"),
            more => write!(f, " and {} more rows", grouped(more)),
        }
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
        let [FoundValue { value, hint, .. }] = self.values.as_slice() else {
            self.write_values(f)?;
            return write!(f, ": expected {}", self.expected);
        };
        if let Some(value) = value {
            write!(f, ": `{value}`")?;
        }
        write!(f, ": expected {}", self.expected)?;
        hint.as_ref().map_or(Ok(()), |hint| write!(f, " ({hint})"))
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
        let mut problems: Vec<_> = (2..=1390).map(|row| problem(Some(row), "date", "1/7/2022", "a date")).collect();
        problems.push(problem(Some(9), "season", "x", "a date"));
        assert_eq!(
            lines(&problems),
            [
                "games/2021-22.csv, rows 2–1390, 1,389 times, column date: `1/7/2022`: expected a date",
                "games/2021-22.csv, row 9, column season: `x`: expected a date",
            ]
        );
    }

    #[test]
    fn a_group_lists_every_value_with_its_rows_and_each_form_of_remedy_once() {
        let cell = |row, value: &str, hint: Option<&str>| {
            let problem = problem(Some(row), "date", value, "a date");
            Problem {
                value: Some(value.to_owned()).filter(|value| !value.is_empty()),
                hint: hint.map(Box::from),
                ..problem
            }
        };
        let problems = [
            cell(4, "2/1/2022", Some("2022-02-01, month first")),
            cell(2, "1/1/2022", Some("2022-01-01, month first")),
            cell(5, "44562", Some("2022-01-01, a serial date")),
            cell(6, "2/1/2022", Some("2022-02-01, month first")),
            cell(7, "", None),
        ];
        let listed = "`1/1/2022` (2022-01-01, month first), `2/1/2022` (2 times), `44562` (2022-01-01, a serial date), an empty cell";
        let expected = format!("games/2021-22.csv, rows 2–7, 5 times, column date: {listed}: expected a date");
        assert_eq!(lines(&problems), [expected]);
    }

    #[test]
    fn values_beyond_the_twentieth_are_counted() {
        let problems: Vec<_> = (2..=1390).map(|row| problem(Some(row), "date", &row.to_string(), "a date")).collect();
        let groups = ProblemGroup::grouped(&problems);
        assert_eq!((groups.len(), groups[0].values.len(), groups[0].unlisted()), (1, 20, 1369));
        assert!(lines(&problems)[0].ends_with(", `21` and 1,369 more rows: expected a date"));
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
