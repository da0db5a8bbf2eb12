use std::collections::BTreeMap;

/// What a column the service does not know holds for one game.
#[derive(Debug, Clone, PartialEq)]
pub enum ExtraValue {
    /// A true or false.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// Anything else, as written.
    Text(String),
}

impl ExtraValue {
    /// Reads a cell of a text file: a number only where printing it gives the same text back, so
    /// that `007` and `1e3` stay what they are.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let integer = text.parse().ok().filter(|number: &i64| number.to_string() == text).map(Self::Integer);
        let number = || text.parse().ok().filter(|number: &f64| is_plain_number(text, *number)).map(Self::Number);
        let flag = || text.parse().ok().map(Self::Flag);
        Some(integer.or_else(number).or_else(flag).unwrap_or_else(|| Self::Text(text.to_owned())))
    }
}

/// Digits, one point and an optional sign: a trailing zero (`1.50`) is still that number.
fn is_plain_number(text: &str, number: f64) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let Some((whole, fraction)) = unsigned.split_once('.') else { return false };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    number.is_finite() && digits(whole) && digits(fraction) && (whole == "0" || !whole.starts_with('0'))
}

/// The columns of a game that the service does not know: carried along, never interpreted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extras(BTreeMap<String, ExtraValue>);

impl Extras {
    /// Puts a value in, replacing what stood there.
    pub fn insert(&mut self, column: impl Into<String>, value: ExtraValue) {
        self.0.insert(column.into(), value);
    }

    /// What stands in a column.
    #[must_use]
    pub fn get(&self, column: &str) -> Option<&ExtraValue> {
        self.0.get(column)
    }

    /// Every column with its value, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ExtraValue)> {
        self.0.iter().map(|(column, value)| (column.as_str(), value))
    }

    /// Takes every column of `other` over.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.iter().map(|(column, value)| (column.clone(), value.clone())));
    }
}

/// Gives every column one kind over all rows, as a column of a file has: whole numbers become
/// numbers beside a fraction, and everything becomes text beside a text.
pub(crate) fn unify<'a>(rows: impl Iterator<Item = &'a mut Extras>) {
    let rows: Vec<_> = rows.collect();
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    for (column, value) in rows.iter().flat_map(|row| row.iter()) {
        let kind = Kind::from_value(value);
        kinds.entry(column.to_owned()).and_modify(|existing| *existing = existing.with(kind)).or_insert(kind);
    }
    for (column, value) in rows.into_iter().flat_map(|row| row.0.iter_mut()) {
        match (kinds.get(column), &*value) {
            (Some(Kind::Text), ExtraValue::Flag(flag)) => *value = ExtraValue::Text(flag.to_string()),
            (Some(Kind::Text), ExtraValue::Integer(number)) => *value = ExtraValue::Text(number.to_string()),
            (Some(Kind::Text), ExtraValue::Number(number)) => *value = ExtraValue::Text(number.to_string()),
            #[expect(clippy::cast_precision_loss, reason = "a column with fractions is one of floating numbers")]
            (Some(Kind::Number), ExtraValue::Integer(number)) => *value = ExtraValue::Number(*number as f64),
            _ => {}
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Flag,
    Integer,
    Number,
    Text,
}

impl Kind {
    const fn from_value(value: &ExtraValue) -> Self {
        match value {
            ExtraValue::Flag(_) => Self::Flag,
            ExtraValue::Integer(_) => Self::Integer,
            ExtraValue::Number(_) => Self::Number,
            ExtraValue::Text(_) => Self::Text,
        }
    }

    fn with(self, other: Self) -> Self {
        match (self, other) {
            (one, two) if one == two => one,
            (Self::Integer | Self::Number, Self::Integer | Self::Number) => Self::Number,
            _ => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_becomes_a_number_only_where_nothing_is_lost() {
        let table = [
            ("12", ExtraValue::Integer(12)),
            ("-3", ExtraValue::Integer(-3)),
            ("0.5", ExtraValue::Number(0.5)),
            ("-1.50", ExtraValue::Number(-1.5)),
            ("true", ExtraValue::Flag(true)),
            ("007", ExtraValue::Text("007".into())),
            ("00.5", ExtraValue::Text("00.5".into())),
            ("1e3", ExtraValue::Text("1e3".into())),
            ("1.5e3", ExtraValue::Text("1.5e3".into())),
            (".5", ExtraValue::Text(".5".into())),
            ("5.", ExtraValue::Text("5.".into())),
            ("+0.5", ExtraValue::Text("+0.5".into())),
            ("NaN", ExtraValue::Text("NaN".into())),
            ("Soldier Field", ExtraValue::Text("Soldier Field".into())),
        ];
        for (text, value) in table {
            assert_eq!(ExtraValue::from_text(text), Some(value), "{text}");
        }
        assert_eq!(ExtraValue::from_text(""), None);
    }

    #[test]
    fn a_column_has_one_kind_over_all_rows() {
        let rows = |values: [ExtraValue; 2]| {
            let mut rows = values.map(|value| {
                let mut extras = Extras::default();
                extras.insert("x", value);
                extras
            });
            unify(rows.iter_mut());
            rows.map(|row| row.get("x").cloned())
        };
        let text = |text: &str| Some(ExtraValue::Text(text.into()));
        assert_eq!(
            rows([ExtraValue::Integer(1), ExtraValue::Number(0.5)]),
            [Some(ExtraValue::Number(1.0)), Some(ExtraValue::Number(0.5))]
        );
        assert_eq!(rows([ExtraValue::Integer(1), ExtraValue::Text("a".into())]), [text("1"), text("a")]);
        assert_eq!(rows([ExtraValue::Flag(true), ExtraValue::Number(0.5)]), [text("true"), text("0.5")]);
        for alike in
            [[ExtraValue::Flag(true), ExtraValue::Flag(false)], [ExtraValue::Integer(1), ExtraValue::Integer(2)]]
        {
            assert_eq!(rows(alike.clone()), alike.map(Some), "one kind stays");
        }
    }

    #[test]
    fn what_is_taken_over_replaces_what_was_there() {
        let extras = |values: &[(&str, i64)]| {
            let mut extras = Extras::default();
            for (column, value) in values {
                extras.insert(*column, ExtraValue::Integer(*value));
            }
            extras
        };
        let mut row = extras(&[("attendance", 1), ("wind", 2)]);
        row.extend(&extras(&[("wind", 3), ("week", 4)]));
        assert_eq!(row, extras(&[("attendance", 1), ("week", 4), ("wind", 3)]));
    }
}
