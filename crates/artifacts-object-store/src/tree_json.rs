//! The tree of a league as entries have it, and the leaves of an entry as an object.

use std::borrow::Cow;
use std::error::Error;

use serde::{Deserialize, Serialize};
use sports_domain::Sport;
use sports_ports::publication::ObjectKind;
use sports_publication::{EntryLeaves, LeavesEntry, TreeEntry};
use sports_transparency::{RightEdge, WrittenLeaf};

use crate::layout;

/// The kind of an object with leaves.
pub const KIND: &str = "leaves";
/// The version of the form of such an object.
const SCHEMA_VERSION: u32 = 1;

type DecodeError = Box<dyn Error + Send + Sync>;

/// The tree after an entry.
#[derive(Serialize, Deserialize)]
pub struct TreeJson {
    nonce: String,
    first: u64,
    size: u64,
    edge: Vec<String>,
    /// Follows from the edge.
    #[serde(skip_deserializing)]
    root: String,
    leaves: LeavesJson,
}

#[derive(Serialize, Deserialize)]
struct LeavesJson {
    #[serde(skip_deserializing)]
    object: String,
    sha256: String,
    bytes: u64,
}

impl From<&TreeEntry> for TreeJson {
    fn from(TreeEntry { nonce, first, edge, leaves }: &TreeEntry) -> Self {
        Self {
            nonce: nonce.to_hex(),
            first: *first,
            size: edge.size(),
            edge: edge.hashes().iter().map(ToString::to_string).collect(),
            root: edge.root().to_string(),
            leaves: LeavesJson {
                object: layout::object_name(ObjectKind::Json, &leaves.object),
                sha256: leaves.object.to_string(),
                bytes: leaves.bytes,
            },
        }
    }
}

impl TryFrom<TreeJson> for TreeEntry {
    type Error = DecodeError;

    fn try_from(TreeJson { nonce, first, size, edge, leaves, .. }: TreeJson) -> Result<Self, DecodeError> {
        if first >= size {
            return Err(
                format!("its leaves begin at {first} in a tree of {size}: an entry has one leaf or more").into()
            );
        }
        let hashes = edge.iter().map(|hash| hash.parse()).collect::<Result<_, _>>()?;
        let leaves = LeavesEntry { object: leaves.sha256.parse()?, bytes: leaves.bytes };
        Ok(Self { nonce: nonce.parse()?, first, edge: RightEdge::new(size, hashes)?, leaves })
    }
}

/// The object with the leaves of an entry.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ObjectJson<'t> {
    schema_version: u32,
    sport: Cow<'t, str>,
    kind: Cow<'t, str>,
    first: u64,
    leaves: Vec<Cow<'t, str>>,
}

/// Writes the leaves of an entry.
pub fn write(sport: Sport, EntryLeaves { first, leaves }: &EntryLeaves) -> Result<Vec<u8>, DecodeError> {
    let leaves = leaves.iter().map(|leaf| leaf.text().into()).collect();
    let (kind, sport) = (KIND.into(), sport.code().into());
    let json = ObjectJson { schema_version: SCHEMA_VERSION, sport, kind, first: *first, leaves };
    let mut bytes = serde_json::to_vec(&json)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads the leaves of an entry.
pub fn read(sport: Sport, bytes: &[u8]) -> Result<EntryLeaves, DecodeError> {
    let ObjectJson { schema_version, sport: of, kind, first, leaves } = serde_json::from_slice(bytes)?;
    if schema_version != SCHEMA_VERSION {
        return Err(
            format!("the leaves have schema_version {schema_version}; this program reads {SCHEMA_VERSION}").into()
        );
    }
    if kind != KIND || of != sport.code() {
        return Err(format!("the object has {kind} of {of}").into());
    }
    let leaves = leaves.into_iter().map(|leaf| WrittenLeaf::parse(leaf.into_owned()));
    let leaves: Vec<_> = leaves.collect::<Result<_, _>>()?;
    match leaves.iter().find(|leaf| leaf.sport() != sport) {
        Some(leaf) => Err(format!("a leaf is of {}", leaf.sport()).into()),
        None => Ok(EntryLeaves { first, leaves }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const RELEASE: &str = "sports-record/v1 release\nnfl 1 2024-01-06T15:00:00.000Z set\nsha256:0000000000000000000000000000000000000000000000000000000000000000\n";

    #[test]
    fn leaves_have_the_form_of_the_design() {
        let text = json!({"schema_version": 1, "sport": "nfl", "kind": "leaves", "first": 0, "leaves": [RELEASE]});
        let leaves = read(Sport::Nfl, text.to_string().as_bytes()).expect("leaves");
        assert_eq!((leaves.first, leaves.leaves.len()), (0, 1));
        let written = String::from_utf8(write(Sport::Nfl, &leaves).expect("written")).expect("text");
        let line = RELEASE.replace('\n', "\\n");
        let expected =
            format!(r#"{{"schema_version":1,"sport":"nfl","kind":"leaves","first":0,"leaves":["{line}"]}}"#) + "\n";
        assert_eq!(written, expected);
    }

    #[test]
    fn leaves_of_another_league_form_or_text_are_refused() {
        let valid = json!({"schema_version": 1, "sport": "nfl", "kind": "leaves", "first": 0, "leaves": [RELEASE]});
        for (field, value) in [
            ("schema_version", json!(2)),
            ("sport", json!("nba")),
            ("kind", json!("models")),
            ("first", json!(-1)),
            ("leaves", json!([RELEASE.replace("nfl", "nba")])),
            ("leaves", json!([RELEASE.trim_end()])),
            ("size", json!(1)),
        ] {
            let mut other = valid.clone();
            other[field] = value;
            assert!(read(Sport::Nfl, other.to_string().as_bytes()).is_err(), "{other}");
        }
    }
}
