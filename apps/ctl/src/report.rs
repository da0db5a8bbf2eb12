//! The result of a command, as text and as JSON.

use std::io;
use std::io::{BufWriter, Write};

use chrono::{DateTime, Utc};
use serde_json::Value;
use sports_domain::{OutOfReach, printable, within_reach};
use sports_program::print_error_line;
use sports_publication::{parse_instant, to_rfc3339};

/// A result in two forms: text lines, and one JSON object.
#[derive(Debug)]
pub struct Report {
    /// Lines on standard output.
    pub lines: Vec<String>,
    /// Lines on standard error, printed after the others.
    pub warnings: Vec<String>,
    /// The JSON object.
    pub json: Value,
    /// The exit code of the program: 0, unless the report is a verdict.
    pub exit_code: u8,
}

impl Report {
    /// Creates a report without warnings.
    pub const fn new(lines: Vec<String>, json: Value) -> Self {
        Self { lines, warnings: Vec::new(), json, exit_code: 0 }
    }

    /// Ends the program with this code.
    pub const fn ending_with(mut self, exit_code: u8) -> Self {
        self.exit_code = exit_code;
        self
    }

    /// Creates a report with warnings. The object has the warnings and their number, too.
    pub fn with_warnings(lines: Vec<String>, warnings: Vec<String>, mut json: Value) -> Self {
        json["warning_count"] = warnings.len().into();
        json["warnings"] = warnings.clone().into();
        Self { lines, warnings, json, exit_code: 0 }
    }

    /// Adds warnings, to the object, too.
    pub fn warn(&mut self, warnings: Vec<String>) {
        self.warnings.extend(warnings);
        self.json["warning_count"] = self.warnings.len().into();
        self.json["warnings"] = self.warnings.clone().into();
    }

    /// Prints the text or the JSON object.
    ///
    /// # Errors
    ///
    /// The error of standard output.
    pub fn print(&self, json: bool) -> io::Result<()> {
        // An audit of a season has hundreds of lines.
        let mut output = BufWriter::with_capacity(64 << 10, io::stdout().lock());
        if json {
            writeln!(output, "{}", self.json)?;
            return output.flush();
        }
        self.lines.iter().try_for_each(|line| writeln!(output, "{}", printable(line)))?;
        output.flush()?;
        // Printed last, so that they stay visible.
        print_warnings(&self.warnings);
        Ok(())
    }
}

/// Prints warnings on standard error.
pub fn print_warnings(warnings: &[String]) {
    for warning in warnings {
        print_error_line!("warning: {}", printable(warning));
    }
}

/// Prints a note on standard error that is no warning.
pub fn print_note(note: &str) {
    print_error_line!("note: {}", printable(note));
}

/// Prints a place on standard error in one write: other commands may print theirs at the same time.
pub fn print_place(kind: &str, address: &str) {
    print_error_line!("{kind}: {address}");
}

// The format of instants on the command line and in answers.

/// The error for a text that is not an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an RFC 3339 instant, such as 2027-01-01T00:00:00Z, {OutOfReach}")]
pub struct NotAnInstant;

/// Parses an instant. A date alone is refused, since it has no offset, and so is a leap second, as in requests.
pub fn read_instant(text: &str) -> Result<DateTime<Utc>, NotAnInstant> {
    within_reach(parse_instant(text).ok_or(NotAnInstant)?).map_err(|_| NotAnInstant)
}

/// Formats an instant as the API does: with `Z`, and with as many decimals of a second as needed.
pub fn written_instant(instant: DateTime<Utc>) -> String {
    to_rfc3339(&instant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_has_a_time_and_an_offset() {
        assert_eq!(
            read_instant("2027-01-01T02:00:00+02:00").map(written_instant).as_deref(),
            Ok("2027-01-01T00:00:00Z")
        );
        for text in [
            "2027-01-01",
            "2027-01-01T00:00:00",
            "2016-12-31T23:59:60Z",
            "2024-01-07T00:30:00\u{2212}05:00",
            "tomorrow",
            "",
            "1899-12-31T23:59:59Z",
            "+262142-12-31T23:59:59Z",
        ] {
            assert_eq!(read_instant(text), Err(NotAnInstant), "{text}");
        }
    }

    #[test]
    fn an_instant_is_written_with_the_decimals_it_needs() {
        for text in ["2027-01-01T00:00:00Z", "2027-01-01T00:00:00.500Z", "2027-01-01T00:00:00.123456Z"] {
            assert_eq!(read_instant(text).map(written_instant).as_deref(), Ok(text));
        }
    }
}
