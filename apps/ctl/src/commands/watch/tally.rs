//! The folders of a run, by their treatment.

use std::collections::BTreeSet;
use std::slice;

use serde_json::json;
use sports_system::print_line;

use super::inbox::{Arrival, PUBLISHED};
use crate::failure::Failure;
use crate::report::{Report, print_warnings};

/// The message about folders that were refused.
const SOME_REFUSED: &str = "folders were refused; the reasons are in NAME.report.json in refused/";
/// The message if folders were left in their place.
const SOME_LEFT: &str = "folders were left in their place for the reasons listed, or refused for those in \
                         NAME.report.json in refused/";

/// The folders of a run. As text and without `--once` each is printed at once, for such a run may not end.
#[derive(Debug)]
pub struct Tally {
    once: bool,
    json: bool,
    published: Vec<String>,
    refused: Vec<String>,
    left: Vec<String>,
    /// The warnings that were not printed, since the output is JSON.
    warnings: Vec<String>,
    /// The sentences that were added, since each look finds them again.
    named: BTreeSet<String>,
    unmoved: BTreeSet<Arrival>,
}

impl Tally {
    /// Creates an empty tally.
    pub const fn new(once: bool, json: bool) -> Self {
        Self {
            once,
            json,
            published: Vec::new(),
            refused: Vec::new(),
            left: Vec::new(),
            warnings: Vec::new(),
            named: BTreeSet::new(),
            unmoved: BTreeSet::new(),
        }
    }

    /// Adds a folder that was moved to a subfolder.
    pub fn moved(&mut self, name: String, target: &str) {
        if !self.once && !self.json {
            print_line!("{name}: {target}");
        }
        if target == PUBLISHED { &mut self.published } else { &mut self.refused }.push(name);
    }

    /// Adds a folder that could not be moved. It is not taken again before its entry changes.
    pub fn unmoved(&mut self, arrival: Arrival, sentence: String) {
        self.unmoved.insert(arrival);
        self.leave(sentence);
    }

    /// Returns true if the folder is done, though it was not moved.
    pub fn is_unmoved(&self, arrival: &Arrival) -> bool {
        self.unmoved.contains(arrival)
    }

    /// Adds a sentence about a release folder that is left in its place.
    pub fn leave(&mut self, sentence: String) {
        if self.named.insert(sentence.clone()) {
            if !self.once && !self.json {
                print_warnings(slice::from_ref(&sentence));
            }
            self.left.push(sentence);
        }
    }

    pub fn warn(&mut self, warning: String) {
        if self.named.insert(warning.clone()) {
            if self.json {
                self.warnings.push(warning);
            } else {
                print_warnings(&[warning]);
            }
        }
    }

    pub fn report(self) -> Report {
        let line = |name: &String| format!("{name}: {PUBLISHED}");
        let lines = if self.once { self.published.iter().map(line).collect() } else { Vec::new() };
        let json = json!({ "published": self.published, "refused": self.refused, "left": self.left });
        Report::with_warnings(lines, self.warnings, json)
    }

    /// Returns the report of a run that was not stopped; if it was `--once`, a failure if folders were refused or left.
    pub fn finished(self) -> Result<Report, Failure> {
        if !self.once || (self.refused.is_empty() && self.left.is_empty()) {
            return Ok(self.report());
        }
        let message = if self.left.is_empty() { SOME_REFUSED } else { SOME_LEFT };
        let lines: Vec<_> = self.refused.into_iter().chain(self.left).chain(self.warnings).collect();
        Err(Failure::Left { message, lines })
    }
}
