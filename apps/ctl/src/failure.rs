//! Why a command did not do what it was asked, and with which exit code it says so.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use sports_ports::in_one_line;
use sports_publication::Problem;

type Cause = Box<dyn Error + Send + Sync>;

/// A command that did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The release cannot be published; these are the reasons.
    Problems(Vec<Problem>),
    /// Something given on the command line or in a file cannot be right.
    BadInput(Cause),
    /// Anything else.
    Other(Cause),
}

/// How many problems are shown; the rest is a number.
const SHOWN: usize = 50;

impl Failure {
    /// The input is at fault.
    pub fn bad_input(cause: impl Into<Cause>) -> Self {
        Self::BadInput(cause.into())
    }

    /// The input is not at fault.
    pub fn other(cause: impl Into<Cause>) -> Self {
        Self::Other(cause.into())
    }

    /// 2 for bad input, 1 for anything else.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Problems(_) | Self::BadInput(_) => ExitCode::from(2),
            Self::Other(_) => ExitCode::FAILURE,
        }
    }

    /// Says it: for people on standard error, as JSON on standard output.
    pub fn print(&self, json: bool) {
        match self {
            // Whoever stopped reading still has the exit code.
            _ if json => drop(writeln!(io::stdout(), "{}", self.json())),
            Self::Problems(problems) => {
                eprintln!("Nothing was published. Problems found: {}", problems.len());
                for problem in problems.iter().take(SHOWN) {
                    eprintln!("  {problem}");
                }
                if problems.len() > SHOWN {
                    eprintln!("  … and {} more", problems.len() - SHOWN);
                }
            }
            Self::BadInput(cause) | Self::Other(cause) => eprintln!("sportsctl: {}", in_one_line(&**cause)),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Problems(problems) => json!({
                "error": "nothing was published",
                "total": problems.len(),
                "problems": problems.iter().take(SHOWN).map(problem_json).collect::<Vec<_>>(),
            }),
            Self::BadInput(cause) | Self::Other(cause) => json!({ "error": in_one_line(&**cause) }),
        }
    }
}

fn problem_json(problem: &Problem) -> Value {
    json!({
        "file": *problem.place.file,
        "row": problem.place.row,
        "column": problem.column,
        "value": problem.value,
        "expected": problem.expected,
    })
}
