use std::path::{Path, PathBuf};

use sports_domain::printable_line;

/// An error in the settings that prevents the program from starting.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file named by `--config` cannot be read.
    #[error("cannot read the configuration file {}", shown(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("the configuration file {} is not TOML: line {line}: {}", shown(path), printable_line(reason))]
    NotToml {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1. Its text is not shown: it may be a secret.
        line: usize,
        /// The reason, in the parser's words.
        reason: String,
    },
    /// A named configuration file leaves out the location of the data.
    #[error(
        "the configuration file {} does not set `{key}`: set it there, or with {variable} or {flag}; \
         its default applies only where no configuration file is named",
        shown(path)
    )]
    LeftOut {
        /// The file.
        path: PathBuf,
        /// The setting.
        key: &'static str,
        /// The variable that sets it.
        variable: String,
        /// The flag that sets it.
        flag: String,
    },
    /// The setting does not exist.
    #[error(
        "{origin}: `{key}` is not a setting; {}known settings: {known}",
        suggestion.as_ref().map(|meant| format!("did you mean {meant}? ")).unwrap_or_default(),
        known = known.join(", ")
    )]
    Unknown {
        /// The name of the setting.
        key: String,
        /// The source: a file, a variable or a flag.
        origin: String,
        /// The name that was probably meant, in the notation of the source.
        suggestion: Option<String>,
        /// The settings that exist.
        known: &'static [&'static str],
    },
    /// A variable resembles a setting but lacks the second underscore, so it would be ignored.
    #[error(
        "environment variable {} is not a setting; did you mean {}?",
        printable_line(name),
        suggestions.join(" or ")
    )]
    NotAVariable {
        /// The name of the variable.
        name: String,
        /// The variables that were probably meant.
        suggestions: Vec<String>,
    },
    /// The setting cannot have the value.
    #[error("{origin}: `{key}` cannot be `{value}`: expected {expected}")]
    Bad {
        /// The name of the setting.
        key: String,
        /// The given value, with credentials masked.
        value: String,
        /// The source: a file, a variable or a flag.
        origin: String,
        /// The expected form of the value.
        expected: String,
    },
    /// The record of a league is open, and the address of the service is not known.
    #[error(
        "`record.public` needs `http.public_url`: links and cards of an open record name the address of the service, which is never \
         taken from a request; add the line `public_url = \"https://picks.example.com\"` with your address to `[http]`"
    )]
    NoPublicUrl,
    /// The file of the logo is no picture that the page can show.
    #[error("`site.logo` cannot be {}: expected a PNG, JPEG or WebP file of at most 512 KiB", shown(path))]
    BadLogo {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
}

/// Returns a path without characters that could alter a terminal.
fn shown(path: &Path) -> String {
    printable_line(&path.to_string_lossy()).into_owned()
}
