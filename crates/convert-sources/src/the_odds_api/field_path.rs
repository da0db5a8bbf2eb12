use std::fmt::{self, Display};

use serde_json::Value;
use serde_path_to_error::{Path, Segment};

/// The path to an invalid field of a feed: the event, bookmaker and market by their names, or by their numbers if
/// they have no name, and then the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath(String);

/// The lists within an event: the key of the list, the word for an entry, and the field with an entry's name.
const LISTS: [(&str, &str, &str); 3] =
    [("bookmakers", "bookmaker", "key"), ("markets", "market", "key"), ("outcomes", "outcome", "name")];

impl FieldPath {
    /// Describes a path within an event that is number `number` in the feed.
    pub(crate) fn in_file(number: usize, event: &Value, path: &Path) -> Self {
        let name = |entry: &Value, field: &str| entry.get(field).and_then(Value::as_str).map(str::to_owned);
        let mut parts = vec![format!("event {}", name(event, "id").unwrap_or_else(|| format!("{number} of the feed")))];
        let (mut value, mut list) = (Some(event), None);
        let field_is = |key: &str, value: Option<&Value>| {
            value.map_or_else(|| format!("`{key}`"), |value| format!("`{key}` is {}", in_short(value)))
        };
        for segment in path {
            match segment {
                Segment::Seq { index } => {
                    value = value.and_then(|value| value.get(*index));
                    let (_, word, field) = list.take().unwrap_or(("", "entry", "key"));
                    let named = value.and_then(|entry| name(entry, field));
                    parts.push(format!("{word} {}", named.unwrap_or_else(|| (index + 1).to_string())));
                }
                Segment::Map { key } => {
                    value = value.and_then(|value| value.get(key));
                    list = LISTS.into_iter().find(|(list, ..)| list == key);
                    if list.is_none() {
                        parts.push(field_is(key, value));
                    }
                }
                Segment::Enum { .. } | Segment::Unknown => {}
            }
        }
        // If the path ends at a list, the list itself is invalid.
        parts.extend(list.map(|(key, ..)| field_is(key, value)));
        Self(parts.join(", "))
    }
}

/// Returns a scalar value as JSON; for a list or an object, its type.
fn in_short(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => value.to_string(),
    }
}

impl Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
