use std::fmt;
use std::sync::Arc;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_says_file_row_column_value_and_what_was_expected() {
        let place = Place { file: "games/2024-25.csv".into(), row: Some(3) };
        let problem = Problem::at(place, "an American price").in_cell("home_money_line", "-50");
        assert_eq!(
            problem.to_string(),
            "games/2024-25.csv, row 3, column home_money_line: `-50`: expected an American price"
        );
    }
}
