use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

/// The expected form if an object repeats a field, since it would be unclear which of the two counts.
pub(crate) const ONCE: &str = "every field once";

/// A JSON value whose objects keep their fields in order, a repeated field included.
#[derive(Debug)]
pub(crate) enum Json {
    Null,
    Flag(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns the kind of value in words, for messages.
    pub(crate) const fn kind_in_words(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Flag(_) => "true or false",
            Self::Integer(_) | Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// Returns the names of the fields of an object in a field, in their order.
    pub(crate) fn fields_of(&self, field: &str) -> Vec<String> {
        let Self::Object(fields) = self else { return Vec::new() };
        let Some((_, Self::Object(inner))) = fields.iter().find(|(name, _)| name == field) else { return Vec::new() };
        inner.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Returns the path of every field whose name occurs earlier in the same object, such as `moved[0].to.date`.
    pub(crate) fn repeated(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.note_repeated("", &mut paths);
        paths
    }

    fn note_repeated(&self, path: &str, paths: &mut Vec<String>) {
        match self {
            Self::Object(fields) => {
                let mut seen = HashSet::new();
                for (name, value) in fields {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    if !seen.insert(name) {
                        paths.push(path.clone());
                    }
                    value.note_repeated(&path, paths);
                }
            }
            Self::List(values) => {
                for (index, value) in values.iter().enumerate() {
                    value.note_repeated(&format!("{path}[{index}]"), paths);
                }
            }
            Self::Null | Self::Flag(_) | Self::Integer(_) | Self::Number(_) | Self::Text(_) => {}
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Integer(number))
    }

    /// Keeps a number too large for [`Json::Integer`] as text.
    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(i64::try_from(number).map_or_else(|_| Json::Text(number.to_string()), Json::Integer))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Json::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = object.next_entry()? {
            fields.push(field);
        }
        Ok(Json::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeated(text: &str) -> Vec<String> {
        serde_json::from_str::<Json>(text).expect("JSON").repeated()
    }

    #[test]
    fn a_field_in_several_objects_is_not_repeated() {
        assert_eq!(repeated(r#"{"a": {"a": [{"a": 1}, {"a": 1}]}, "b": {"a": 1}}"#), [""; 0]);
        assert_eq!(repeated("[1, null, true, \"a\", 0.5]"), [""; 0]);
    }

    #[test]
    fn a_repeated_field_is_found_at_any_depth_and_each_time() {
        assert_eq!(repeated(r#"{"a": 1, "a": null, "a": 2}"#), ["a", "a"]);
        assert_eq!(
            repeated(r#"{"a": [{"b": 1}, {"b": {"c": 1, "c": 2}, "b": 3}], "a": {"d": 1, "d": 1}}"#),
            ["a[1].b.c", "a[1].b", "a", "a.d"]
        );
    }
}
