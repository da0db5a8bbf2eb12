use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, Utc};

/// The value of one column of one row, in a publisher's file, an archive or a page. A missing value is no `Value` at
/// all.
///
/// `T` is the type of texts: `&str` and `Cow<str>` in transit, `String` in storage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<T> {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction. In an archive and in a row it is finite.
    Number(f64),
    Text(T),
    Date(NaiveDate),
    /// A time of day.
    Time(NaiveTime),
    /// A date and a time of day without a time zone.
    WallClock(NaiveDateTime),
    /// A point in time.
    Instant(DateTime<Utc>),
}

/// The kind of a [`Value`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the variant of `Value` with its name")]
pub enum ValueKind {
    Flag,
    Integer,
    Number,
    Text,
    Date,
    Time,
    WallClock,
    Instant,
}

impl ValueKind {
    /// Returns the kind of a column that has values of both kinds: a number if both are numbers, else a text.
    pub const fn common(self, other: Self) -> Self {
        match (self, other) {
            (Self::Integer, Self::Integer) => Self::Integer,
            (Self::Integer | Self::Number, Self::Integer | Self::Number) => Self::Number,
            (Self::Flag, Self::Flag) => Self::Flag,
            (Self::Date, Self::Date) => Self::Date,
            (Self::Time, Self::Time) => Self::Time,
            (Self::WallClock, Self::WallClock) => Self::WallClock,
            (Self::Instant, Self::Instant) => Self::Instant,
            _ => Self::Text,
        }
    }
}

impl<T> Value<T> {
    /// Returns the kind of the value.
    pub const fn kind(&self) -> ValueKind {
        match self {
            Self::Flag(_) => ValueKind::Flag,
            Self::Integer(_) => ValueKind::Integer,
            Self::Number(_) => ValueKind::Number,
            Self::Text(_) => ValueKind::Text,
            Self::Date(_) => ValueKind::Date,
            Self::Time(_) => ValueKind::Time,
            Self::WallClock(_) => ValueKind::WallClock,
            Self::Instant(_) => ValueKind::Instant,
        }
    }

    /// Converts the text of the value to another type.
    pub fn map_text<U>(self, text: impl FnOnce(T) -> U) -> Value<U> {
        match self {
            Self::Flag(flag) => Value::Flag(flag),
            Self::Integer(number) => Value::Integer(number),
            Self::Number(number) => Value::Number(number),
            Self::Text(kept) => Value::Text(text(kept)),
            Self::Date(date) => Value::Date(date),
            Self::Time(time) => Value::Time(time),
            Self::WallClock(reading) => Value::WallClock(reading),
            Self::Instant(instant) => Value::Instant(instant),
        }
    }

    /// Returns the integer of an integer value.
    pub const fn integer(&self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(*number) } else { None }
    }

    /// Returns the number of a number value.
    pub const fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// Returns the date of a date value.
    pub const fn date(&self) -> Option<NaiveDate> {
        if let Self::Date(date) = self { Some(*date) } else { None }
    }

    /// Returns the time of a time value.
    pub const fn time(&self) -> Option<NaiveTime> {
        if let Self::Time(time) = self { Some(*time) } else { None }
    }

    /// Returns the date and time of a wall-clock value.
    pub const fn wall_clock(&self) -> Option<NaiveDateTime> {
        if let Self::WallClock(reading) = self { Some(*reading) } else { None }
    }

    /// Returns the instant of an instant value.
    pub const fn instant(&self) -> Option<DateTime<Utc>> {
        if let Self::Instant(instant) = self { Some(*instant) } else { None }
    }
}

impl<T: AsRef<str>> Value<T> {
    /// Returns the same value with its text borrowed.
    pub fn borrowed(&self) -> Value<&str> {
        match self {
            Self::Flag(flag) => Value::Flag(*flag),
            Self::Integer(number) => Value::Integer(*number),
            Self::Number(number) => Value::Number(*number),
            Self::Text(text) => Value::Text(text.as_ref()),
            Self::Date(date) => Value::Date(*date),
            Self::Time(time) => Value::Time(*time),
            Self::WallClock(reading) => Value::WallClock(*reading),
            Self::Instant(instant) => Value::Instant(*instant),
        }
    }
}

impl<'a> Value<&'a str> {
    /// Returns the text of a text value.
    pub const fn text(self) -> Option<&'a str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Formats the value: dates as `2024-09-08`, times as `13:05:00`, instants as `2024-09-08T17:05:00Z`.
    pub fn written(self) -> Cow<'a, str> {
        Cow::Owned(match self {
            Self::Text(text) => return Cow::Borrowed(text),
            Self::Flag(flag) => flag.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Date(date) => date.to_string(),
            Self::Time(time) => time.to_string(),
            Self::WallClock(reading) => reading.format("%Y-%m-%dT%H:%M:%S%.f").to_string(),
            Self::Instant(instant) => instant.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        })
    }
}

impl Value<String> {
    /// Parses a cell of a text file. A number is parsed only if no information is lost, so that `007` and `1e3` stay
    /// texts.
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

/// Returns true for digits with one point and an optional sign: `1.50` counts despite its trailing zero.
fn is_plain_number(text: &str, number: f64) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let Some((whole, fraction)) = unsigned.split_once('.') else { return false };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    number.is_finite() && digits(whole) && digits(fraction) && (whole == "0" || !whole.starts_with('0'))
}

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
    fn a_cell_becomes_a_number_only_where_nothing_is_lost() {
        let table = [
            ("12", Value::Integer(12)),
            ("-3", Value::Integer(-3)),
            ("0.5", Value::Number(0.5)),
            ("-1.50", Value::Number(-1.5)),
            ("true", Value::Flag(true)),
            ("007", Value::Text("007".into())),
            ("00.5", Value::Text("00.5".into())),
            ("1e3", Value::Text("1e3".into())),
            ("1.5e3", Value::Text("1.5e3".into())),
            (".5", Value::Text(".5".into())),
            ("5.", Value::Text("5.".into())),
            ("+0.5", Value::Text("+0.5".into())),
            ("NaN", Value::Text("NaN".into())),
            ("Soldier Field", Value::Text("Soldier Field".into())),
        ];
        for (text, value) in table {
            assert_eq!(Value::from_text(text), Some(value), "{text}");
        }
        assert_eq!(Value::from_text(""), None);
    }

    #[test]
    fn a_value_has_one_spelling_and_one_accessor() {
        let date = NaiveDate::from_ymd_opt(2024, 9, 8).expect("a date");
        let reading = date.and_hms_opt(13, 5, 0).expect("a time");
        let table = [
            (Value::Flag(true), "true"),
            (Value::Integer(-110), "-110"),
            (Value::Number(2.5), "2.5"),
            (Value::Text("NFL"), "NFL"),
            (Value::Date(date), "2024-09-08"),
            (Value::Time(reading.time()), "13:05:00"),
            (Value::WallClock(reading), "2024-09-08T13:05:00"),
            (Value::Instant(reading.and_utc()), "2024-09-08T13:05:00Z"),
        ];
        for (value, written) in table {
            assert_eq!(value.written(), written);
            assert_eq!(value.map_text(str::to_owned).borrowed(), value);
            let kinds = [
                (ValueKind::Integer, value.integer().is_some()),
                (ValueKind::Number, value.number().is_some()),
                (ValueKind::Text, value.text().is_some()),
                (ValueKind::Date, value.date().is_some()),
                (ValueKind::Time, value.time().is_some()),
                (ValueKind::WallClock, value.wall_clock().is_some()),
                (ValueKind::Instant, value.instant().is_some()),
            ];
            for (kind, is) in kinds {
                assert_eq!(is, value.kind() == kind, "{value:?} {kind:?}");
            }
        }
    }

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
