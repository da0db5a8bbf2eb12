//! The forms in which serde writes the parts of log entries and of objects: maps as lists whose entries have the fields of
//! their keys, objects with the names of their files, and moments as two fields of what they are of.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, deserialize_reached};

use crate::registry::Moment;
use crate::{ArtifactRef, Generation, LeavesEntry, ModelsEntry, Opener, Openers, Value};

/// Returns true for a value that is left out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// An object that an entry names.
pub trait NamedObject: Serialize {
    fn object(&self) -> &ObjectHash;
}

impl NamedObject for ArtifactRef {
    fn object(&self) -> &ObjectHash {
        &self.object
    }
}

impl NamedObject for LeavesEntry {
    fn object(&self) -> &ObjectHash {
        &self.object
    }
}

impl NamedObject for ModelsEntry {
    fn object(&self) -> &ObjectHash {
        &self.object
    }
}

/// An object with the name of its file, for readers of the store without this program.
#[derive(Serialize)]
struct InFile<'n, T> {
    object: String,
    #[serde(flatten)]
    named: &'n T,
}

impl<'n, T: NamedObject> InFile<'n, T> {
    fn of(named: &'n T, extension: &str) -> Self {
        Self { object: format!("{}.{extension}", named.object()), named }
    }
}

pub fn in_parquet<T: NamedObject, S: Serializer>(named: &T, to: S) -> Result<S::Ok, S::Error> {
    InFile::of(named, "parquet").serialize(to)
}

pub fn in_json<T: NamedObject, S: Serializer>(named: &T, to: S) -> Result<S::Ok, S::Error> {
    InFile::of(named, "json").serialize(to)
}

#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
pub fn in_json_option<T: NamedObject, S: Serializer>(named: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
    named.as_ref().map(|named| InFile::of(named, "json")).serialize(to)
}

/// The tree of an entry, which every stored entry has.
pub mod tree {
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use crate::TreeEntry;

    #[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
    pub fn serialize<S: Serializer>(tree: &Option<TreeEntry>, to: S) -> Result<S::Ok, S::Error> {
        tree.as_ref().map_or_else(|| Err(S::Error::custom("an entry has a tree")), |tree| tree.serialize(to))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TreeEntry>, D::Error> {
        let tree = TreeEntry::deserialize(from)?;
        let (first, size) = (tree.first, tree.edge.size());
        let is_larger = first < size;
        is_larger.then_some(Some(tree)).ok_or_else(|| {
            let reason = "an entry has one leaf or more";
            D::Error::custom(format!("its leaves begin at {first} in a tree of {size}: {reason}"))
        })
    }
}

/// The right edge of a tree, with its size and its root.
pub mod edge {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use sports_transparency::{RightEdge, TreeHash};

    #[derive(Serialize)]
    struct WithRoot<'e> {
        size: u64,
        edge: &'e [TreeHash],
        root: TreeHash,
    }

    #[derive(Deserialize)]
    struct OfSize {
        size: u64,
        edge: Vec<TreeHash>,
    }

    pub fn serialize<S: Serializer>(edge: &RightEdge, to: S) -> Result<S::Ok, S::Error> {
        WithRoot { size: edge.size(), edge: edge.hashes(), root: edge.root() }.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<RightEdge, D::Error> {
        let OfSize { size, edge } = OfSize::deserialize(from)?;
        RightEdge::new(size, edge).map_err(D::Error::custom)
    }
}

/// A map of markets as a list.
pub mod of_markets {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use sports_domain::ModelType;

    #[derive(Serialize, Deserialize)]
    struct OfMarket<E> {
        model_type: ModelType,
        #[serde(flatten)]
        entry: E,
    }

    pub fn serialize<E: Serialize, S: Serializer>(map: &BTreeMap<ModelType, E>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(map.iter().map(|(model_type, entry)| OfMarket { model_type: *model_type, entry }))
    }

    pub fn deserialize<'de, E: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<ModelType, E>, D::Error> {
        let list = Vec::<OfMarket<E>>::deserialize(from)?;
        Ok(list.into_iter().map(|OfMarket { model_type, entry }| (model_type, entry)).collect())
    }
}

/// A map of seasons of markets as a list.
pub mod of_seasons {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use sports_domain::{ModelType, Season};

    #[derive(Serialize, Deserialize)]
    struct OfSeason<E> {
        model_type: ModelType,
        season: Season,
        #[serde(flatten)]
        entry: E,
    }

    type Seasons<E> = BTreeMap<(ModelType, Season), E>;

    pub fn serialize<E: Serialize, S: Serializer>(map: &Seasons<E>, to: S) -> Result<S::Ok, S::Error> {
        let list = map.iter();
        to.collect_seq(list.map(|((model_type, season), entry)| OfSeason {
            model_type: *model_type,
            season: *season,
            entry,
        }))
    }

    pub fn deserialize<'de, E: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Seasons<E>, D::Error> {
        let list = Vec::<OfSeason<E>>::deserialize(from)?;
        Ok(list.into_iter().map(|OfSeason { model_type, season, entry }| ((model_type, season), entry)).collect())
    }
}

/// First quotes as a list of games.
#[derive(Serialize, Deserialize)]
struct Quoted<O> {
    games: Vec<QuotedGame<O>>,
}

#[derive(Serialize, Deserialize)]
struct QuotedGame<O> {
    #[serde(flatten)]
    key: GameKey,
    #[serde(flatten)]
    opener: O,
}

impl Serialize for Openers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let games = self.iter().map(|(key, opener)| QuotedGame { key: key.clone(), opener });
        Quoted { games: games.collect() }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Openers {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Quoted::<Opener> { games } = Quoted::deserialize(from)?;
        Self::new(games.into_iter().map(|QuotedGame { key, opener }| (key, opener))).map_err(D::Error::custom)
    }
}

/// The entry and the time of the first declaration of a model.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Moment")]
pub struct Declared {
    #[serde(rename = "declared_generation")]
    generation: Generation,
    #[serde(rename = "declared_at", deserialize_with = "deserialize_reached")]
    at: DateTime<Utc>,
}

/// The entry and the time of the declaration of a version.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Moment")]
pub struct Since {
    #[serde(rename = "since_generation")]
    generation: Generation,
    #[serde(rename = "published_at", deserialize_with = "deserialize_reached")]
    at: DateTime<Utc>,
}

/// The entry and the time of a retirement; both are null for a model in use.
pub mod retired {
    use chrono::{DateTime, Utc};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use sports_domain::deserialize_reached_option;

    use crate::Generation;
    use crate::registry::Moment;

    #[derive(Serialize, Deserialize)]
    struct Retired {
        retired_generation: Option<Generation>,
        #[serde(deserialize_with = "deserialize_reached_option")]
        retired_at: Option<DateTime<Utc>>,
    }

    #[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
    pub fn serialize<S: Serializer>(retired: &Option<Moment>, to: S) -> Result<S::Ok, S::Error> {
        let (retired_generation, retired_at) = retired.map(|at| (at.generation, at.at)).unzip();
        Retired { retired_generation, retired_at }.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Moment>, D::Error> {
        let Retired { retired_generation, retired_at } = Retired::deserialize(from)?;
        Ok(retired_generation.zip(retired_at).map(|(generation, at)| Moment { generation, at }))
    }
}

impl Serialize for Generation {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(self.get())
    }
}

impl<'de> Deserialize<'de> for Generation {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(u64::deserialize(from)?).ok_or_else(|| D::Error::custom("generation 0"))
    }
}

impl Serialize for Value<String> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.borrowed() {
            Value::Flag(flag) => to.serialize_bool(flag),
            Value::Integer(number) => to.serialize_i64(number),
            Value::Number(number) => to.serialize_f64(number),
            other => to.serialize_str(&other.written()),
        }
    }
}

impl<'de> Deserialize<'de> for Value<String> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(OneValue)
    }
}

struct OneValue;

impl serde::de::Visitor<'_> for OneValue {
    type Value = Value<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a flag, a number or a text")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Value::Integer(number))
    }

    #[expect(clippy::cast_precision_loss, reason = "a number beyond 64 bits with a sign is stored as a floating one")]
    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(number).map_or(Value::Number(number as f64), Value::Integer))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Value::Text(text.to_owned()))
    }
}
