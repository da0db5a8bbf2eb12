//! Failures of commands: their causes, their output, and their exit codes.

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use serde_json::{Value, json};
use sports_accounts::hide_keys;
use sports_accounts_sea_orm::ConnectError;
use sports_domain::printable;
use sports_ports::error_chain;
use sports_program::print_error_line;
use sports_publication::{FoundValue, Problem, ProblemGroup};
use sports_publisher_files::ReadError;
use sports_store::OpenError;
use sports_usecases::accounts::AccountError;
use sports_usecases::datasets::GrantError;
use sports_usecases::publish::PublishError;

use crate::report::print_warnings;

type Cause = Box<dyn Error + Send + Sync>;

/// The failure of a command.
#[derive(Debug)]
pub enum Failure {
    /// The release cannot be published; these are the reasons.
    Problems(Vec<Problem>),
    /// Files of the release cannot be read, so that its games were not checked; these are the reasons.
    Unread(Vec<Problem>),
    /// The release has warnings, and `--strict` was given.
    Warned(Vec<String>),
    /// Tables cannot be converted, or a release looks wrong as a whole; the lines are the reasons, also as JSON.
    Refused { message: &'static str, lines: Vec<String>, json: Vec<Value> },
    /// Folders of an inbox were refused or left, which the lines name: they are no arguments, in which a key could be.
    Left { message: &'static str, lines: Vec<String> },
    /// Input on the command line or in a file is wrong.
    BadInput(Cause),
    /// A service that was to be checked failed, or is away.
    Unchecked(Cause),
    /// Anything else.
    Other(Cause),
}

/// The beginning of the message about a service that failed.
const UNCHECKED: &str = "could not be checked";

/// The message about a release that `--strict` refuses.
const WARNED: &str = "nothing was published, because --strict asks for a release without warnings";

/// The message after problems of files whose rows could be of any game.
const GAMES_LATER: &str = "The games are compared with the record once these values are right.";

/// The number of problems that are printed; the rest are counted.
const SHOWN: usize = 50;

impl Failure {
    /// Creates a failure by wrong input.
    pub fn bad_input(cause: impl Into<Cause>) -> Self {
        Self::BadInput(cause.into())
    }

    /// Creates a failure of another kind.
    pub fn other(cause: impl Into<Cause>) -> Self {
        Self::Other(cause.into())
    }

    /// Creates a failure of a service that was to be checked: no verdict on it.
    pub fn unchecked(cause: impl Into<Cause>) -> Self {
        Self::Unchecked(cause.into())
    }

    /// Creates a failure by a wrong command line.
    pub fn usage_error(error: &clap::Error) -> Self {
        Self::bad_input(sentence(error))
    }

    /// Returns 2 for wrong input, 4 for a service that could not be checked, 1 for anything else.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Other(_) => ExitCode::FAILURE,
            Self::Unchecked(_) => ExitCode::from(4),
            _ => ExitCode::from(2),
        }
    }

    /// Returns `true` if the release folder is at fault, not a setting, the store or the clock.
    pub fn is_of_folder(&self) -> bool {
        match self {
            Self::Problems(_) | Self::Unread(_) | Self::Warned(_) | Self::Refused { .. } => true,
            Self::Left { .. } | Self::BadInput(_) | Self::Unchecked(_) | Self::Other(_) => false,
        }
    }

    /// Prints the failure: as text on standard error, as JSON on standard output. A key that was given as an argument
    /// by mistake is not repeated.
    pub fn print(&self, json: bool) {
        match self {
            // Even if the output was closed, the exit code is returned.
            Self::Left { .. } if json => drop(writeln!(io::stdout(), "{}", self.json())),
            _ if json => drop(writeln!(io::stdout(), "{}", hide_keys(&self.json().to_string()))),
            Self::Problems(problems) => print_problems(problems),
            Self::Unread(problems) => {
                print_problems(problems);
                print_error_line!("{GAMES_LATER}");
            }
            Self::Refused { message, lines, .. } => {
                print_error_line!("sportsctl: {message}. Reasons found: {}", lines.len());
                print_lines(lines, hide_keys);
            }
            Self::Left { message, lines } => {
                print_error_line!("sportsctl: {message}. Reasons found: {}", lines.len());
                print_lines(lines, |line| line.into());
            }
            Self::Warned(warnings) => {
                print_error_line!("sportsctl: {WARNED}: {}", warnings.len());
                print_warnings(warnings);
            }
            Self::Unchecked(cause) => {
                print_error_line!("sportsctl: {UNCHECKED}: {}", hide_keys(&printable(&error_chain(&**cause))));
            }
            Self::BadInput(cause) | Self::Other(cause) => {
                print_error_line!("sportsctl: {}", hide_keys(&printable(&error_chain(&**cause))));
            }
        }
    }

    /// Returns the failure as a JSON object.
    pub fn json(&self) -> Value {
        match self {
            Self::Problems(problems) => problems_json(problems),
            Self::Unread(problems) => {
                let mut json = problems_json(problems);
                json["note"] = GAMES_LATER.into();
                json
            }
            Self::Refused { message, lines, json } => {
                json!({ "error": message, "total": lines.len(), "problems": json.iter().take(SHOWN).collect::<Vec<_>>() })
            }
            Self::Left { message, lines } => {
                json!({ "error": message, "total": lines.len(), "problems": lines.iter().take(SHOWN).collect::<Vec<_>>() })
            }
            Self::Warned(warnings) => json!({ "error": WARNED, "warning_count": warnings.len(), "warnings": warnings }),
            Self::Unchecked(cause) => json!({ "error": format!("{UNCHECKED}: {}", error_chain(&**cause)) }),
            Self::BadInput(cause) | Self::Other(cause) => json!({ "error": error_chain(&**cause) }),
        }
    }
}

/// Prints problems on standard error, the first [`SHOWN`] groups of them, and the number of the others.
fn print_problems(problems: &[Problem]) {
    print_error_line!("Nothing was published. Problems found: {}", problems.len());
    let groups = ProblemGroup::grouped(problems);
    for group in groups.iter().take(SHOWN) {
        print_error_line!("  {}", hide_keys(&printable(&group.to_string())));
    }
    let more: u64 = groups.iter().skip(SHOWN).map(|group| group.rows.map_or(1, |rows| rows.count)).sum();
    if more > 0 {
        print_error_line!("  … and {more} more");
    }
}

/// Prints lines on standard error, the first [`SHOWN`] of them.
fn print_lines(lines: &[String], shown: impl Fn(&str) -> Cow<'_, str>) {
    for line in lines.iter().take(SHOWN) {
        print_error_line!("  {}", shown(&printable(line)));
    }
    if lines.len() > SHOWN {
        print_error_line!("  … and {} more", lines.len() - SHOWN);
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Problems(problems) => Self::Problems(problems),
            ReadError::Io { .. } => Self::bad_input(error),
        }
    }
}

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Self {
        if error.blames_the_address() { Self::bad_input(error) } else { Self::other(error) }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        if error.blames_the_address() { Self::bad_input(error) } else { Self::other(error) }
    }
}

/// Every failure of an account is wrong input, unless the database is at fault.
impl From<AccountError> for Failure {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::ExpiresInThePast => Self::bad_input("--expires is in the past"),
            AccountError::Port(_) | AccountError::Collision => Self::other(error),
            error => Self::bad_input(error),
        }
    }
}

impl From<GrantError> for Failure {
    fn from(error: GrantError) -> Self {
        match error {
            GrantError::EndsInThePast => Self::bad_input("--expires is in the past"),
            GrantError::NoSuchCustomer(_) => Self::bad_input(error),
            GrantError::Port(_) => Self::other(error),
        }
    }
}

impl From<PublishError> for Failure {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Problems(problems) => Self::Problems(problems),
            PublishError::Warned(warnings) => Self::Warned(warnings.iter().map(ToString::to_string).collect()),
            error @ (PublishError::NothingPublished(_) | PublishError::Clock(_)) => Self::bad_input(error),
            error => Self::other(error),
        }
    }
}

/// Returns a message of the command-line parser in one line, without its usage text.
fn sentence(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a command is missing; --help lists those there are".to_owned();
    }
    let rendered = error.render().to_string();
    let paragraphs = rendered.split("\n\n").take_while(|paragraph| !paragraph.starts_with("Usage:"));
    let paragraphs = paragraphs.filter(|paragraph| !paragraph.starts_with("For more information"));
    let lines = paragraphs.map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    let sentence = lines.collect::<Vec<_>>().join("; ");
    sentence.strip_prefix("error: ").map(str::to_owned).unwrap_or(sentence)
}

fn problems_json(problems: &[Problem]) -> Value {
    json!({
        "error": "nothing was published",
        "total": problems.len(),
        "problems": ProblemGroup::grouped(problems).iter().take(SHOWN).map(problem_json).collect::<Vec<_>>(),
    })
}

/// Returns a group as JSON, with its first value and the list of all.
pub fn problem_json(problem: &ProblemGroup) -> Value {
    let value = |found: &FoundValue| json!({ "value": found.value, "times": found.count, "hint": found.hint });
    let first = problem.values.first();
    json!({
        "file": problem.file,
        "row": problem.rows.map(|rows| rows.first),
        "last_row": problem.rows.map(|rows| rows.last),
        "times": problem.rows.map_or(1, |rows| rows.count),
        "column": problem.column,
        "value": first.and_then(|found| found.value.as_ref()),
        "expected": problem.expected,
        "hint": first.and_then(|found| found.hint.as_ref()),
        "values": problem.values.iter().map(value).collect::<Vec<_>>(),
        "unlisted": problem.unlisted(),
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    fn printed(words: &str) -> String {
        sentence(&Cli::try_parse_from(words.split(' ')).expect_err(words))
    }

    #[test]
    fn a_message_of_the_parser_is_one_line() {
        let table = [
            ("sportsctl", "a command is missing; --help lists those there are"),
            ("sportsctl dataset", "a command is missing; --help lists those there are"),
            ("sportsctl publish", "the following required arguments were not provided: <FOLDER>"),
            (
                "sportsctl publish x --dryrun",
                "unexpected argument '--dryrun' found; tip: a similar argument exists: '--dry-run'",
            ),
            (
                "sportsctl key issue --customer cus_v1vasdk1d8s9c0dr --name n --expires 2027-01-01",
                "invalid value '2027-01-01' for '--expires <INSTANT>': expected an RFC 3339 instant, such as \
                 2027-01-01T00:00:00Z, in the years 1900 to 2200",
            ),
        ];
        for (words, expected) in table {
            assert_eq!(printed(words), expected, "{words}");
        }
    }
}
