use std::path::PathBuf;

/// Why the program cannot start with these settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file named by `--config` cannot be read.
    #[error("cannot read the configuration file {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's own error.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("the configuration file {} is not TOML", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// Where it stops being TOML.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file that leaves out where the data is.
    #[error(
        "the configuration file {} does not set `{key}`: set it there, or with {variable} or {flag}; \
         its default applies only where no configuration file is named",
        path.display()
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
    /// A setting that does not exist.
    #[error(
        "{origin}: `{key}` is not a setting; {}known settings: {known}",
        suggestion.as_ref().map(|meant| format!("did you mean {meant}? ")).unwrap_or_default(),
        known = known.join(", ")
    )]
    Unknown {
        /// Its name.
        key: String,
        /// The source: a file, a variable or a flag.
        origin: String,
        /// What may have been meant, as it is written there.
        suggestion: Option<String>,
        /// The settings that there are.
        known: &'static [&'static str],
    },
    /// A variable that looks like a setting and is none: without two underscores nothing reads it.
    #[error("environment variable {name} is not a setting; did you mean {}?", suggestions.join(" or "))]
    NotAVariable {
        /// Its name.
        name: String,
        /// Variables of settings that may have been meant.
        suggestions: Vec<String>,
    },
    /// A value that the setting cannot have.
    #[error("{origin}: `{key}` cannot be `{value}`: expected {expected}")]
    Bad {
        /// The setting's name.
        key: String,
        /// What was given, credentials masked.
        value: String,
        /// The source: a file, a variable or a flag.
        origin: String,
        /// What would have been right.
        expected: String,
    },
}
