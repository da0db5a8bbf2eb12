//! What a command has to say, for people and for programs.

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

    /// Prints one of the two.
    pub fn print(&self, json: bool) {
        if json {
            println!("{}", self.json);
            return;
        }
        for warning in &self.warnings {
            eprintln!("warning: {warning}");
        }
        for line in &self.lines {
            println!("{line}");
        }
    }
}
