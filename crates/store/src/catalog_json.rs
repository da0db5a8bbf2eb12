//! Log entries as JSON.

#[cfg(test)]
mod tests;

use std::error::Error;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sports_domain::Season;
use sports_domain::content::ObjectHash;
use sports_ports::publication::OtherForm;
use sports_publication::Catalog;

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
    Ok(append_digest(serde_json::to_vec_pretty(&Entry::from(catalog))?))
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
    if !has_digest(bytes) {
        return Err(format!("it was damaged or altered: its bytes do not match the digest in `{DIGEST}`").into());
    }
    let catalog = decoded?;
    let mut found: Value = serde_json::from_slice(bytes)?;
    if let Some(fields) = found.as_object_mut() {
        fields.remove(DIGEST);
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

// Comparison of a stored JSON value with the value that this program would write for it.

/// Describes the first difference between a stored value and the expected value; `place` is the value's name in the
/// message.
pub fn first_difference(found: &Value, expected: &Value, place: &str) -> Option<String> {
    match (found, expected) {
        _ if found == expected => None,
        (Value::Object(fields), Value::Object(known)) => {
            if let Some(field) = fields.keys().find(|field| !known.contains_key(*field)) {
                return Some(format!("{place} has an unknown field `{field}`"));
            }
            known.iter().find_map(|(field, expected)| match fields.get(field) {
                None => Some(format!("{place} lacks the field `{field}`")),
                Some(found) => first_difference(found, expected, &format!("{place}.{field}")),
            })
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => {
            let mut pairs = found.iter().zip(expected).enumerate();
            pairs.find_map(|(index, (found, expected))| first_difference(found, expected, &format!("{place}[{index}]")))
        }
        _ => Some(format!("{place} is {found} where {expected} is expected")),
    }
}

// The digest in the last field of a log entry: the SHA-256 of every byte above its line.
//
// The check covers all bytes of an entry: the digest covers those above its line, and the remaining lines have only
// one valid text. `head -n -2 ENTRY | sha256sum` computes the same digest.

/// The name of the field.
pub const DIGEST: &str = "sha256_above";

/// Appends the digest to a JSON object that has one field on each line.
pub fn append_digest(mut object: Vec<u8>) -> Vec<u8> {
    object.truncate(object.len().saturating_sub("\n}".len()));
    object.extend_from_slice(b",\n");
    let ending = ending(&object);
    object.extend(ending);
    object
}

/// Returns true if an entry matches its digest.
pub fn has_digest(entry: &[u8]) -> bool {
    let length = ending(&[]).len();
    let parts = entry.len().checked_sub(length).and_then(|above| entry.split_at_checked(above));
    parts.is_some_and(|(above, last)| last == ending(above))
}

/// Returns the last two lines of an entry.
fn ending(above: &[u8]) -> Vec<u8> {
    format!("  \"{DIGEST}\": \"{}\"\n}}\n", ObjectHash::from_bytes(above)).into_bytes()
}
