use std::borrow::Cow;

/// The characters that begin a formula in a spreadsheet.
const FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// Returns `true` if a spreadsheet could read a text as a formula, or if it is an escaped formula.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

/// Escapes a text for a cell of a CSV file: if a spreadsheet would read it as a formula, it gets a leading
/// apostrophe. Numbers such as `-110` in a column of prices are not texts and must not be escaped.
pub fn escaped_for_spreadsheets(text: &str) -> Cow<'_, str> {
    if is_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Reverses [`escaped_for_spreadsheets`]. Returns any other text unchanged.
pub fn without_spreadsheet_escape(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_escaped_and_restored() {
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
