//! Log entries as JSON.

use std::error::Error;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sports_domain::Season;
use sports_ports::publication::OtherForm;
use sports_publication::Catalog;

use crate::exact_fields::first_difference;
use crate::own_digest;

/// The form of log entries. A reader refuses others rather than misread them.
pub const SCHEMA_VERSION: u32 = 7;

/// The reason why the bytes of a log entry are not a catalog.
pub type DecodeError = Box<dyn Error + Send + Sync>;

#[derive(Deserialize)]
struct Version {
    schema_version: u32,
}

#[derive(Serialize)]
struct Entry<'c> {
    schema_version: u32,
    #[serde(flatten)]
    catalog: &'c Catalog,
}

impl<'c> From<&'c Catalog> for Entry<'c> {
    fn from(catalog: &'c Catalog) -> Self {
        Self { schema_version: SCHEMA_VERSION, catalog }
    }
}

/// Writes a catalog as an entry of the log.
pub fn write(catalog: &Catalog) -> Result<Vec<u8>, DecodeError> {
    Ok(own_digest::append_to(serde_json::to_vec_pretty(&Entry::from(catalog))?))
}

/// Parses a log entry: it must have exactly the fields of its form, with the values that this program would write.
pub fn read(bytes: &[u8]) -> Result<Catalog, DecodeError> {
    match serde_json::from_slice(bytes)? {
        Version { schema_version: SCHEMA_VERSION } => {}
        Version { schema_version: found @ ..SCHEMA_VERSION } => return Err(OtherForm::Older { found }.into()),
        Version { schema_version: found } => return Err(OtherForm::Newer { found, newest: SCHEMA_VERSION }.into()),
    }
    let decoded = decode(bytes);
    // Comparing the text, which ends with its digest, is cheaper than comparing fields, and holds for most entries.
    if decoded.as_ref().is_ok_and(|catalog| write(catalog).is_ok_and(|written| written == bytes)) {
        return decoded;
    }
    own_digest::check(bytes)?;
    let catalog = decoded?;
    let mut found: Value = serde_json::from_slice(bytes)?;
    if let Some(fields) = found.as_object_mut() {
        fields.remove(own_digest::FIELD);
    }
    let expected = serde_json::to_value(Entry::from(&catalog))?;
    first_difference(&found, &expected, "the entry").map_or(Ok(catalog), |difference| Err(difference.into()))
}

fn decode(bytes: &[u8]) -> Result<Catalog, DecodeError> {
    let catalog: Catalog = serde_json::from_slice(bytes)?;
    let predicted = catalog.predictions.values().map(|entry| entry.season);
    let replaced = catalog.exceptions.replaced.iter().map(|replaced| replaced.season);
    for season in catalog.results.keys().map(|(_, season)| *season).chain(predicted).chain(replaced) {
        let _ = Season::parse(catalog.sport, &season.to_string())?;
    }
    Ok(catalog)
}

#[cfg(test)]
mod tests;
