//! What a command has to say, for people and for programs.

use std::io::{self, Write};

use serde_json::Value;

/// The same answer twice: lines for people, one object for programs.
#[derive(Debug)]
pub struct Report {
    /// Lines on standard output.
    pub lines: Vec<String>,
    /// Lines on standard error that people should see beside them.
    pub warnings: Vec<String>,
    /// The object.
    pub json: Value,
}

impl Report {
    /// An answer without warnings.
    pub const fn new(lines: Vec<String>, json: Value) -> Self {
        Self { lines, warnings: Vec::new(), json }
    }

    /// An answer with warnings, which the object has too, with their number.
    pub fn with_warnings(lines: Vec<String>, warnings: Vec<String>, mut json: Value) -> Self {
        json["warning_count"] = warnings.len().into();
        json["warnings"] = warnings.clone().into();
        Self { lines, warnings, json }
    }

    /// Prints one of the two.
    ///
    /// # Errors
    ///
    /// When standard output does not take it.
    pub fn print(&self, json: bool) -> io::Result<()> {
        let mut output = io::stdout().lock();
        if json {
            writeln!(output, "{}", self.json)?;
            return output.flush();
        }
        self.lines.iter().try_for_each(|line| writeln!(output, "{line}"))?;
        output.flush()?;
        // Last, where they are seen.
        print_warnings(&self.warnings);
        Ok(())
    }
}

/// Prints warnings for people, on standard error.
pub fn print_warnings(warnings: &[String]) {
    for warning in warnings {
        eprintln!("warning: {warning}");
    }
}

/// Prints a place for people, on standard error, in one write: other commands may print theirs at the same time.
pub fn print_place(kind: &str, address: &str) {
    let line = format!("{kind}: {address}\n");
    eprint!("{line}");
}
