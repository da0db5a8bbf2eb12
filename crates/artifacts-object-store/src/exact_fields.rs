//! Comparison of a stored JSON value with the value that this program would write for it.

use serde_json::Value;

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named_by_its_place() {
        let expected = json!({ "a": [{ "b": 1 }, { "b": 2 }] });
        let table = [
            (expected.clone(), None),
            (json!({ "A": [] }), Some("entry has an unknown field `A`")),
            (json!({}), Some("entry lacks the field `a`")),
            (json!({ "a": [{ "b": 1 }, { "b": 3 }] }), Some("entry.a[1].b is 3 where 2 is expected")),
            (json!({ "a": [{ "b": 1 }] }), Some("entry.a is [{\"b\":1}] where [{\"b\":1},{\"b\":2}] is expected")),
        ];
        for (found, difference) in table {
            assert_eq!(first_difference(&found, &expected, "entry").as_deref(), difference, "{found}");
        }
    }
}
