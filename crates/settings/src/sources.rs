use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use config::{File, FileFormat, Source, Value, ValueKind};
use sports_domain::{OutOfReach, within_reach};

use crate::connection_url::masked;
use crate::{ConnectionUrl, Secret, ServiceUrl, Settings, SettingsError};

/// What the name of every variable begins with.
const PREFIX: &str = "SPORTS_";

/// The size of a settings file, in bytes, beyond which it is none.
const LARGEST_FILE: u64 = 1 << 20;

/// What the origin of an entry begins with where that is a variable.
const VARIABLE: &str = "environment variable ";

/// Where settings come from, weakest first.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// A TOML file.
    pub file: Option<PathBuf>,
    /// The environment; only `SPORTS_` variables with two underscores count. One that is named after a section
    /// and has them not is refused.
    pub environment: Vec<(OsString, OsString)>,
    /// Flags of the command line.
    pub flags: Vec<Flag>,
}

/// A flag that was given and the setting it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// How it is written, such as `--bind`.
    pub name: &'static str,
    /// The setting, such as `http.bind`.
    pub key: &'static str,
    /// What was given.
    pub value: String,
}

/// One setting as it was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) origin: String,
}

impl Sources {
    /// The process's own environment, beside the file and the flags of the command line; each flag
    /// by its name, its setting and its value where it was given.
    #[must_use]
    pub fn of_process<'a>(
        file: Option<PathBuf>,
        flags: impl IntoIterator<Item = (&'static str, &'static str, &'a Option<String>)>,
    ) -> Self {
        let given = flags.into_iter().filter_map(|(name, key, value)| Some(Flag { name, key, value: value.clone()? }));
        Self { file, environment: std::env::vars_os().collect(), flags: given.collect() }
    }

    pub(crate) fn entries(&self) -> Result<Vec<Entry>, SettingsError> {
        let mut entries = self.file.as_deref().map(in_file).transpose()?.unwrap_or_default();
        self.refuse_near_misses()?;
        entries.extend(self.in_environment());
        entries.extend(self.flags.iter().map(|flag| Entry {
            key: flag.key.to_owned(),
            value: flag.value.clone(),
            origin: format!("flag {}", flag.name),
        }));
        Ok(entries)
    }

    /// Stops at a variable that is named after a section, but not as settings are.
    fn refuse_near_misses(&self) -> Result<(), SettingsError> {
        let names = self.environment.iter().filter_map(|(name, _)| name.to_str());
        let mut missed = names.filter_map(|name| Some((name, meant(name)?)));
        match missed.next() {
            Some((name, suggestions)) => Err(SettingsError::NotAVariable { name: name.to_owned(), suggestions }),
            None => Ok(()),
        }
    }

    fn in_environment(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self
            .environment
            .iter()
            .filter_map(|(name, value)| {
                let name = name.to_str()?;
                let key = name.strip_prefix(PREFIX).filter(|rest| rest.contains("__"))?;
                Some(Entry {
                    key: key.to_lowercase().replace("__", "."),
                    value: value.to_string_lossy().into_owned(),
                    origin: format!("{VARIABLE}{name}"),
                })
            })
            .collect();
        entries.sort_by(|left, right| left.origin.cmp(&right.origin));
        entries
    }
}

/// The variables that may have been meant by one of this name: that of the setting where only underscores or capitals
/// are missing, else all of its section. `None` where it names no section, or is written as a setting's is.
fn meant(name: &str) -> Option<Vec<String>> {
    let rest = name.strip_prefix(PREFIX);
    if rest.is_some_and(|rest| rest.contains("__")) {
        return None;
    }
    let letters = |text: &str| text.replace(['_', '.'], "").to_lowercase();
    let any_case = name.split_at_checked(PREFIX.len()).filter(|(prefix, _)| prefix.eq_ignore_ascii_case(PREFIX));
    let whole = any_case.map(|(_, rest)| letters(rest));
    if let Some(key) = Settings::KEYS.into_iter().find(|key| whole.as_deref() == Some(letters(key).as_str())) {
        return Some(vec![variable(key)]);
    }
    let rest = rest?.to_lowercase();
    let is_of = |section: &str| rest.strip_prefix(section).is_some_and(|key| key.is_empty() || key.starts_with('_'));
    let section =
        Settings::KEYS.into_iter().filter(|key| key.split_once('.').is_some_and(|(section, _)| is_of(section)));
    Some(section.map(variable).collect()).filter(|variables: &Vec<String>| !variables.is_empty())
}

/// The variable of a setting.
fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.to_uppercase().replace('.', "__"))
}

fn in_file(path: &Path) -> Result<Vec<Entry>, SettingsError> {
    let text = sports_regular_files::read(path, LARGEST_FILE)
        .and_then(|bytes| String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)))
        .map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })?;
    let tables = File::from_str(&text, FileFormat::Toml)
        .collect()
        .map_err(|source| SettingsError::NotToml { path: path.to_owned(), source: source.into() })?;
    let mut entries = Vec::new();
    flatten("", tables.into_iter().collect(), &format!("file {}", path.display()), &mut entries);
    Ok(entries)
}

fn flatten(prefix: &str, table: BTreeMap<String, Value>, origin: &str, entries: &mut Vec<Entry>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value.kind {
            ValueKind::Table(inner) => flatten(&key, inner.into_iter().collect(), origin, entries),
            // A list of one-line values is written on one line everywhere else.
            ValueKind::Array(values) => {
                let value = values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
                entries.push(Entry { key, value, origin: origin.to_owned() });
            }
            kind => entries.push(Entry { key, value: kind.to_string(), origin: origin.to_owned() }),
        }
    }
}

impl Entry {
    /// A setting's name as it is written where this one came from.
    pub(crate) fn written_there(&self, key: &str) -> String {
        if self.origin.starts_with(VARIABLE) { variable(key) } else { format!("`{key}`") }
    }

    pub(crate) fn parse<T: FromStr>(&self, expected: &str) -> Result<T, SettingsError> {
        self.value.parse().map_err(|_| self.bad(expected))
    }

    /// An instant within reach.
    pub(crate) fn instant(&self) -> Result<DateTime<Utc>, SettingsError> {
        let expected = format!("an RFC 3339 instant, such as 2024-11-24T15:00:00Z, {OutOfReach}");
        within_reach(self.parse(&expected)?).map_err(|_| self.bad(&expected))
    }

    pub(crate) fn connection_url(&self, schemes: &[&'static str]) -> Result<ConnectionUrl, SettingsError> {
        ConnectionUrl::new(&self.value, schemes).map_err(|error| self.bad(&error.to_string()))
    }

    pub(crate) fn service_url(&self) -> Result<ServiceUrl, SettingsError> {
        ServiceUrl::new(&self.value, &ServiceUrl::WEB).map_err(|error| self.bad(&error.to_string()))
    }

    pub(crate) fn duration(&self) -> Result<Duration, SettingsError> {
        let duration = humantime::parse_duration(&self.value).ok().filter(|duration| !duration.is_zero());
        duration.ok_or_else(|| self.bad("a duration above zero, such as 500ms or 2s"))
    }

    /// A duration above zero and no longer than `longest`.
    pub(crate) fn duration_up_to(&self, longest: Duration) -> Result<Duration, SettingsError> {
        let duration = self.duration().ok().filter(|duration| *duration <= longest);
        duration.ok_or_else(|| {
            let longest = humantime::format_duration(longest);
            self.bad(&format!("a duration above zero and no longer than {longest}, such as 10s"))
        })
    }

    /// A whole number above zero and no larger than `most`.
    pub(crate) fn up_to(&self, most: u32) -> Result<NonZeroU32, SettingsError> {
        let number = self.value.parse().ok().filter(|number: &NonZeroU32| number.get() <= most);
        number.ok_or_else(|| self.bad(&format!("a whole number from 1 to {most}")))
    }

    pub(crate) fn secret(&self) -> Result<Secret, SettingsError> {
        let hidden = Self { value: "*****".to_owned(), key: self.key.clone(), origin: self.origin.clone() };
        Secret::new(&self.value).map_err(|error| hidden.bad(&error.to_string()))
    }

    fn bad(&self, expected: &str) -> SettingsError {
        SettingsError::Bad {
            key: self.key.clone(),
            value: masked(&self.value),
            origin: self.origin.clone(),
            expected: expected.to_owned(),
        }
    }
}
