use std::borrow::Cow;

/// What a spreadsheet takes for the beginning of a formula.
const FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// Whether a spreadsheet could take a text for a formula, or for one that was escaped.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

/// A text as a cell of a CSV file: one that a spreadsheet would take for a formula gets a leading apostrophe. Numbers are
/// no texts: `-110` in a column of prices is written as it is.
#[must_use]
pub fn escaped_for_spreadsheets(text: &str) -> Cow<'_, str> {
    if is_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The text that [`escaped_for_spreadsheets`] made this cell of; any other text as it is.
#[must_use]
pub fn without_spreadsheet_escape(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_escaped_and_taken_back() {
        let table = [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("'=1", "''=1"),
            ("", ""),
            ("O'Neal", "O'Neal"),
            ("'tis", "'tis"),
            ("a=b", "a=b"),
        ];
        for (text, cell) in table {
            assert_eq!(escaped_for_spreadsheets(text), cell, "{text:?}");
            assert_eq!(without_spreadsheet_escape(cell), text, "{cell:?}");
        }
    }
}
