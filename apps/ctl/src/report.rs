//! The result of a command, as text and as JSON.

use std::io::{self, BufWriter, Write};

use serde_json::Value;
use sports_domain::printable;
use sports_system::print_error_line;

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
