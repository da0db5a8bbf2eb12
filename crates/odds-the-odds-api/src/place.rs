use std::fmt::{self, Display};

use serde_json::Value;
use serde_path_to_error::{Path, Segment};

/// Where in a feed something does not read: the event, the bookmaker and the market by their names, as far
/// as they have any, then the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place(String);

/// What a list of an event is a list of, and which field names an entry of it.
const LISTS: [(&str, &str, &str); 3] =
    [("bookmakers", "bookmaker", "key"), ("markets", "market", "key"), ("outcomes", "outcome", "name")];

impl Place {
    /// The end of a path through an event, which is the feed's `number`th.
    pub(crate) fn of(number: usize, event: &Value, path: &Path) -> Self {
        let name = |entry: &Value, field: &str| entry.get(field).and_then(Value::as_str).map(str::to_owned);
        let mut parts = vec![format!("event {}", name(event, "id").unwrap_or_else(|| format!("{number} of the feed")))];
        let (mut value, mut list) = (Some(event), None);
        for segment in path {
            match segment {
                Segment::Seq { index } => {
                    value = value.and_then(|value| value.get(*index));
                    let (word, field) = list.unwrap_or(("entry", "key"));
                    let named = value.and_then(|entry| name(entry, field));
                    parts.push(format!("{word} {}", named.unwrap_or_else(|| (index + 1).to_string())));
                }
                Segment::Map { key } => {
                    value = value.and_then(|value| value.get(key));
                    list = LISTS.iter().find(|(list, ..)| list == key).map(|(_, word, field)| (*word, *field));
                    if list.is_none() {
                        parts.push(value.map_or_else(|| format!("`{key}`"), |value| format!("`{key}` is {value}")));
                    }
                }
                Segment::Enum { .. } | Segment::Unknown => {}
            }
        }
        Self(parts.join(", "))
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
