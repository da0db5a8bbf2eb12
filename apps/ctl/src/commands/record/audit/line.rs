//! A line of NDJSON, whose values are parsed when they are looked up.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The fields of a line, in its order.
pub struct Line<'l>(Vec<(&'l str, &'l RawValue)>);

impl<'l> Line<'l> {
    /// Returns the last value of a name; `None` if the line has none of this type.
    pub fn value<T: Deserialize<'l>>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.text_of(name)?).ok()
    }

    /// Returns the last number of a name; `None` if the line has none.
    pub fn number(&self, name: &str) -> Option<f64> {
        // The numbers of JSON are some of Rust's, and the other values of JSON are none of them.
        self.text_of(name)?.parse().ok()
    }

    /// Returns the last text of a name.
    pub fn text(&self, name: &str) -> Option<Cow<'l, str>> {
        // A text with an escape is not a part of the line.
        self.value(name).map(Cow::Borrowed).or_else(|| self.value(name).map(Cow::Owned))
    }

    /// Returns `true` if the line has a value, which is not null.
    pub fn has(&self, name: &str) -> bool {
        self.text_of(name).is_some()
    }

    /// Returns the JSON of the last value of a name, which is not null.
    fn text_of(&self, name: &str) -> Option<&'l str> {
        let (_, value) = self.0.iter().rfind(|(field, _)| *field == name)?;
        Some(value.get()).filter(|json| *json != "null")
    }
}

impl<'l> Deserialize<'l> for Line<'l> {
    fn deserialize<D: Deserializer<'l>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(Fields)
    }
}

struct Fields;

impl<'l> Visitor<'l> for Fields {
    type Value = Line<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Line<'l>, A::Error> {
        // As many as most rows have.
        let mut fields = Vec::with_capacity(64);
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Line(fields))
    }
}
