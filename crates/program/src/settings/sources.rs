use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use sports_domain::printable_line;
use toml::{Table, Value};

use crate::settings::entry::{Entry, PREFIX, VARIABLE, variable};
use crate::settings::error::SettingsError;

/// The maximum size of a settings file, in bytes.
const LARGEST_FILE: u64 = 1 << 20;

/// The sources of settings, weakest first.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// A TOML file.
    pub file: Option<PathBuf>,
    /// The environment. Only `SPORTS_` variables with two underscores are settings; a variable that is named after a
    /// section but lacks the second underscore is refused.
    pub environment: Vec<(OsString, OsString)>,
    /// The flags of the command line.
    pub flags: Vec<Flag>,
}

/// A given flag and the setting that it sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// The flag, such as `--bind`.
    pub name: &'static str,
    /// The setting, such as `http.bind`.
    pub key: &'static str,
    /// The value.
    pub value: String,
}

impl Sources {
    /// Creates the sources of the process: the environment, a file, and the flags of the command line, each with its
    /// name, its setting and the given value, if any.
    pub fn from_process<'a>(
        file: Option<PathBuf>,
        flags: impl IntoIterator<Item = (&'static str, &'static str, &'a Option<String>)>,
    ) -> Self {
        let given = flags.into_iter().filter_map(|(name, key, value)| Some(Flag { name, key, value: value.clone()? }));
        Self { file, environment: std::env::vars_os().collect(), flags: given.collect() }
    }

    /// Returns every setting of every source, weakest first. `known` are the keys that exist.
    pub(crate) fn entries(&self, known: &'static [&'static str]) -> Result<Vec<Entry>, SettingsError> {
        let mut entries = self.file.as_deref().map(in_file).transpose()?.unwrap_or_default();
        self.refuse_misspelt(known)?;
        entries.extend(self.in_environment());
        entries.extend(self.flags.iter().map(|flag| Entry {
            key: flag.key.to_owned(),
            value: flag.value.clone(),
            origin: format!("flag {}", flag.name),
        }));
        Ok(entries)
    }

    /// Returns the variables that are service links of Kubernetes, or all others, which may be settings.
    fn variables(&self, are_service_links: bool) -> impl Iterator<Item = (&str, &OsString)> {
        let named = self.environment.iter().filter_map(|(name, value)| Some((name.to_str()?, value)));
        named.filter(move |(name, value)| is_service_link(name, &value.to_string_lossy()) == are_service_links)
    }

    /// Returns a warning that lists the ignored service links of Kubernetes; `None` if there is no such variable.
    pub fn ignored_service_links(&self) -> Option<String> {
        let mut names: Vec<_> = self.variables(true).map(|(name, _)| name).collect();
        names.sort_unstable();
        (!names.is_empty()).then(|| {
            format!(
                "ignored, since Kubernetes makes them for a Service and they are no settings: {}; \
                 `enableServiceLinks: false` in the pod leaves them out",
                printable_line(&names.join(", "))
            )
        })
    }

    /// Returns an error for the first variable that resembles a setting but is not written as one.
    fn refuse_misspelt(&self, known: &'static [&'static str]) -> Result<(), SettingsError> {
        let names = self.variables(false).map(|(name, _)| name);
        let mut missed = names.filter_map(|name| Some((name, suggestions(name, known)?)));
        match missed.next() {
            Some((name, suggestions)) => Err(SettingsError::NotAVariable { name: name.to_owned(), suggestions }),
            None => Ok(()),
        }
    }

    fn in_environment(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self
            .variables(false)
            .filter_map(|(name, value)| {
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

/// Returns the variables that a misspelt name may mean: the variable of a setting if only underscores or capitals
/// differ, otherwise all variables of the section. `None` if the name matches no section, or has the form of a setting.
fn suggestions(name: &str, known: &'static [&'static str]) -> Option<Vec<String>> {
    let rest = name.strip_prefix(PREFIX);
    if rest.is_some_and(|rest| rest.contains("__")) {
        return None;
    }
    let letters = |text: &str| text.replace(['_', '.'], "").to_lowercase();
    let any_case = name.split_at_checked(PREFIX.len()).filter(|(prefix, _)| prefix.eq_ignore_ascii_case(PREFIX));
    let whole = any_case.map(|(_, rest)| letters(rest));
    if let Some(key) = whole.and_then(|whole| known.iter().find(|key| letters(key) == whole)) {
        return Some(vec![variable(key)]);
    }
    let rest = rest?.to_lowercase();
    let is_of = |section: &str| rest.strip_prefix(section).is_some_and(|key| key.is_empty() || key.starts_with('_'));
    let section = known.iter().filter(|key| key.split_once('.').is_some_and(|(section, _)| is_of(section)));
    Some(section.map(|key| variable(key)).collect()).filter(|variables: &Vec<String>| !variables.is_empty())
}

fn in_file(path: &Path) -> Result<Vec<Entry>, SettingsError> {
    let text = crate::regular_file::read(path, LARGEST_FILE)
        .and_then(|bytes| String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)))
        .map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })?;
    let table = text.parse::<Table>().map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count();
        SettingsError::NotToml { path: path.to_owned(), line, reason: error.message().to_owned() }
    })?;
    let mut entries = Vec::new();
    flatten("", table, &format!("file {}", path.display()), &mut entries);
    Ok(entries)
}

/// The settings that are tables in a file.
const PAIRS: [&str; 1] = ["record.public"];

fn flatten(prefix: &str, table: Table, origin: &str, entries: &mut Vec<Entry>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value {
            // Lists and tables are written like their one-line forms in other sources, with commas between the values.
            Value::Table(inner) if PAIRS.contains(&&*key) => {
                let pairs = inner.into_iter().map(|(name, value)| format!("{name}={}", text_of(value)));
                entries.push(Entry { key, value: pairs.collect::<Vec<_>>().join(", "), origin: origin.to_owned() });
            }
            Value::Table(inner) => flatten(&key, inner, origin, entries),
            Value::Array(values) => {
                let value = values.into_iter().map(text_of).collect::<Vec<_>>().join(", ");
                entries.push(Entry { key, value, origin: origin.to_owned() });
            }
            value => entries.push(Entry { key, value: text_of(value), origin: origin.to_owned() }),
        }
    }
}

/// Returns a value in the form of other sources: a text without quotes.
fn text_of(value: Value) -> String {
    if let Value::String(text) = value { text } else { value.to_string() }
}

/// A named configuration file, and the keys of [`PLACES`] that no source sets.
#[derive(Debug, Clone)]
pub(crate) struct LeftOut {
    file: PathBuf,
    keys: Vec<&'static str>,
}

/// The settings whose defaults apply only if no configuration file is named: a configured program must not run on a
/// new, empty database.
const PLACES: [&str; 2] = ["database.url", "store.url"];

impl LeftOut {
    pub fn by(file: Option<&PathBuf>, entries: &[Entry]) -> Option<Self> {
        let is_set = |key: &str| entries.iter().any(|entry| entry.key == key);
        let keys: Vec<_> = PLACES.into_iter().filter(|key| !is_set(key)).collect();
        file.filter(|_| !keys.is_empty()).map(|file| Self { file: file.clone(), keys })
    }

    pub fn expect(&self, key: &str) -> Result<(), SettingsError> {
        let Some(key) = self.keys.iter().find(|left_out| **left_out == key) else { return Ok(()) };
        let section = key.split('.').next().unwrap_or_default();
        let (variable, flag) = (variable(key), format!("--{section}"));
        Err(SettingsError::LeftOut { path: self.file.clone(), key, variable, flag })
    }

    pub fn expect_all(&self) -> Result<(), SettingsError> {
        PLACES.into_iter().try_for_each(|key| self.expect(key))
    }
}

// Variables that Kubernetes sets in a pod for each Service of its namespace.

/// Returns true if a variable has the form of a service link. A Service named `sports-database` creates
/// `SPORTS_DATABASE_SERVICE_HOST`, `SPORTS_DATABASE_PORT` and more, which would otherwise be taken for misspelt
/// settings.
pub(crate) fn is_service_link(name: &str, value: &str) -> bool {
    let Some(rest) = name.strip_prefix(PREFIX) else { return false };
    rest.ends_with("_SERVICE_HOST")
        || rest.ends_with("_SERVICE_PORT")
        || rest.contains("_SERVICE_PORT_")
        // `…_PORT=8080` may be an operator's setting.
        || (rest.ends_with("_PORT") && value.contains("://"))
        || rest.match_indices("_PORT_").any(|(at, part)| is_of_port(&rest[at + part.len()..]))
}

/// Returns true if the rest of a name after `_PORT_` has the form of `5432_TCP` or `5432_TCP_ADDR`.
fn is_of_port(rest: &str) -> bool {
    let mut parts = rest.split('_');
    let is_number = parts.next().is_some_and(|port| port.parse::<u16>().is_ok());
    let is_protocol = parts.next().is_some_and(|protocol| ["TCP", "UDP", "SCTP"].contains(&protocol));
    let is_kind = parts.next().is_none_or(|kind| ["PROTO", "PORT", "ADDR"].contains(&kind));
    is_number && is_protocol && is_kind && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_a_service_are_links_and_misspelt_settings_are_not() {
        let links = [
            ("SPORTS_DATABASE_SERVICE_HOST", "10.0.0.7"),
            ("SPORTS_DATABASE_SERVICE_PORT", "5432"),
            ("SPORTS_DATABASE_SERVICE_PORT_POSTGRES_TLS", "5432"),
            ("SPORTS_DATABASE_PORT", "tcp://10.0.0.7:5432"),
            ("SPORTS_DATABASE_PORT_5432_TCP", "tcp://10.0.0.7:5432"),
            ("SPORTS_DATABASE_PORT_5432_TCP_PROTO", "tcp"),
            ("SPORTS_DATABASE_PORT_5432_TCP_PORT", "5432"),
            ("SPORTS_DATABASE_PORT_5432_TCP_ADDR", "10.0.0.7"),
            ("SPORTS_HTTP__OLD_PORT_53_UDP", "udp://10.0.0.7:53"),
        ];
        for (name, value) in links {
            assert!(is_service_link(name, value), "{name}");
        }
        let others = [
            ("SPORTS_HTTP_PORT", "8080"),
            ("SPORTS_HTTP__PORT", "8080"),
            ("SPORTS_DATABASE_URL", "tcp://10.0.0.7:5432"),
            ("SPORTS_METRICS_PORT_BIND", "x"),
            ("SPORTS_METRICS_PORT_9100", "x"),
            ("DATABASE_SERVICE_HOST", "10.0.0.7"),
        ];
        for (name, value) in others {
            assert!(!is_service_link(name, value), "{name}");
        }
    }
}
