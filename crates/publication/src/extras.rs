use std::collections::BTreeMap;

use crate::{Value, ValueKind};

/// A game's values in the publisher's own columns, which are stored and served but never interpreted.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Extras(BTreeMap<String, Value<String>>);

impl Extras {
    /// Inserts a value and replaces the previous value of its column. Dates and times are kept as text, since such a
    /// column holds flags, numbers and texts only.
    pub fn insert(&mut self, column: impl Into<String>, value: Value<String>) {
        let value = match value.kind() {
            ValueKind::Flag | ValueKind::Integer | ValueKind::Number | ValueKind::Text => value,
            ValueKind::Date | ValueKind::Time | ValueKind::WallClock | ValueKind::Instant => {
                Value::Text(value.borrowed().written().into_owned())
            }
        };
        self.0.insert(column.into(), value);
    }

    /// Returns the value of a column.
    pub fn get(&self, column: &str) -> Option<&Value<String>> {
        self.0.get(column)
    }

    /// Removes a column; returns its value.
    pub(crate) fn remove(&mut self, column: &str) -> Option<Value<String>> {
        self.0.remove(column)
    }

    /// Returns every column with its value, in the order of names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value<String>)> {
        self.0.iter().map(|(column, value)| (column.as_str(), value))
    }

    /// Copies every column of `other`, replacing existing values.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.iter().map(|(column, value)| (column.clone(), value.clone())));
    }
}

/// Converts every column to one kind over all rows, as a column of a file has: integers beside a fraction become
/// numbers, and all values beside a text become text.
pub(crate) fn unify<'a>(rows: impl Iterator<Item = &'a mut Extras>) {
    let rows: Vec<_> = rows.collect();
    let mut kinds: BTreeMap<String, ValueKind> = BTreeMap::new();
    for (column, value) in rows.iter().flat_map(|row| row.iter()) {
        let kind = value.kind();
        kinds.entry(column.to_owned()).and_modify(|known| *known = known.common(kind)).or_insert(kind);
    }
    for (column, value) in rows.into_iter().flat_map(|row| row.0.iter_mut()) {
        match (kinds.get(column), &*value) {
            #[expect(clippy::cast_precision_loss, reason = "a column with fractions is one of floating numbers")]
            (Some(ValueKind::Number), Value::Integer(number)) => *value = Value::Number(*number as f64),
            (Some(ValueKind::Text), other) if other.kind() != ValueKind::Text => {
                *value = Value::Text(other.borrowed().written().into_owned());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_kind_over_all_rows() {
        let rows = |values: [Value<String>; 2]| {
            let mut rows = values.map(|value| {
                let mut extras = Extras::default();
                extras.insert("x", value);
                extras
            });
            unify(rows.iter_mut());
            rows.map(|row| row.get("x").cloned())
        };
        let text = |text: &str| Some(Value::Text(text.into()));
        assert_eq!(rows([Value::Integer(1), Value::Number(0.5)]), [Some(Value::Number(1.0)), Some(Value::Number(0.5))]);
        assert_eq!(rows([Value::Integer(1), Value::Text("a".into())]), [text("1"), text("a")]);
        assert_eq!(rows([Value::Flag(true), Value::Number(0.5)]), [text("true"), text("0.5")]);
        for alike in [[Value::Flag(true), Value::Flag(false)], [Value::Integer(1), Value::Integer(2)]] {
            assert_eq!(rows(alike.clone()), alike.map(Some), "one kind stays");
        }
    }

    #[test]
    fn an_extra_that_is_taken_over_replaces_the_one_before() {
        let extras = |values: &[(&str, i64)]| {
            let mut extras = Extras::default();
            for (column, value) in values {
                extras.insert(*column, Value::Integer(*value));
            }
            extras
        };
        let mut row = extras(&[("attendance", 1), ("wind", 2)]);
        row.extend(&extras(&[("wind", 3), ("week", 4)]));
        assert_eq!(row, extras(&[("attendance", 1), ("week", 4), ("wind", 3)]));
    }
}
