//! Rows as JSON.

use std::io;
use std::io::Write as _;
use std::ops::Range;

use bytes::Bytes;
use chrono::{NaiveDate, NaiveTime, Timelike as _};
use serde::Serialize;
use sports_domain::paging::PageRows;
use sports_domain::{date_digits, time_digits};
use sports_publication::Value;
use sports_publication::season_table::{ArchiveColumn, GradedGame, InRows};

/// A column with its name as a JSON key, colon included.
pub struct JsonColumn<'a> {
    column: &'a ArchiveColumn,
    key: Vec<u8>,
    left_out_where_null: bool,
}

impl<'a> From<&'a ArchiveColumn> for JsonColumn<'a> {
    fn from(column: &'a ArchiveColumn) -> Self {
        let mut key = serde_json::Value::from(column.name()).to_string().into_bytes();
        key.push(b':');
        let left_out_where_null = matches!(column, ArchiveColumn::Known(column) if column.in_rows == InRows::OrLeftOut);
        Self { column, key, left_out_where_null }
    }
}

/// Writes a game as an object.
pub fn write_row(columns: &[JsonColumn<'_>], game: &GradedGame<'_>, out: &mut Vec<u8>) {
    out.push(b'{');
    for JsonColumn { column, key, left_out_where_null } in columns {
        let value = column.served_value(game);
        if value.is_none() && *left_out_where_null {
            continue;
        }
        if out.last() != Some(&b'{') {
            out.push(b',');
        }
        out.extend_from_slice(key);
        write_json_value(value, out);
    }
    out.push(b'}');
}

// Values as JSON.

/// Writes a value as JSON; dates and times are texts, a missing value is null.
pub fn write_json_value(value: Option<Value<&str>>, out: &mut Vec<u8>) {
    let written = match value {
        None => out.write_all(b"null"),
        Some(Value::Flag(flag)) => out.write_all(if flag { b"true" } else { b"false" }),
        Some(Value::Integer(number)) => serde_json::to_writer(out, &number).map_err(Into::into),
        Some(Value::Number(number)) => serde_json::to_writer(out, &number).map_err(Into::into),
        Some(Value::Text(text)) => serde_json::to_writer(out, text).map_err(Into::into),
        Some(Value::Date(date)) => write_date(date, out),
        Some(Value::Time(time)) => write_time(time, out),
        Some(value @ (Value::WallClock(_) | Value::Instant(_))) => write!(out, "\"{}\"", value.written()),
    };
    debug_assert!(written.is_ok(), "memory takes every byte");
}

/// Writes a date as it is displayed, `2024-09-08`.
fn write_date(date: NaiveDate, out: &mut Vec<u8>) -> io::Result<()> {
    match date_digits(date) {
        Some(digits) => write_quoted(&digits, out),
        None => write!(out, "\"{date}\""),
    }
}

/// Writes a time as it is displayed, `13:05:00`, with a fraction where there is one.
fn write_time(time: NaiveTime, out: &mut Vec<u8>) -> io::Result<()> {
    if time.nanosecond() > 0 {
        return write!(out, "\"{time}\"");
    }
    write_quoted(&time_digits(time), out)
}

fn write_quoted(digits: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    out.write_all(b"\"")?;
    out.write_all(digits)?;
    out.write_all(b"\"")
}

/// Consecutive JSON objects in one buffer, with the place of each: consecutive rows are a slice.
pub struct JsonRows {
    bytes: Bytes,
    /// The offset of each row, and the end of the last one.
    starts: Vec<usize>,
}

impl JsonRows {
    /// Writes rows, a comma after each.
    pub fn written<T>(items: impl Iterator<Item = T>, write: impl Fn(T, &mut Vec<u8>)) -> Self {
        let mut bytes = Vec::new();
        let mut starts = vec![0];
        for item in items {
            write(item, &mut bytes);
            bytes.push(b',');
            starts.push(bytes.len());
        }
        bytes.shrink_to_fit();
        Self { bytes: bytes.into(), starts }
    }

    /// Returns the same rows in reverse.
    pub fn reversed(&self) -> Self {
        let copied = |index: usize, bytes: &mut Vec<u8>| bytes.extend_from_slice(&self.row(index));
        Self::written((0..self.len()).rev(), copied)
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rows of a range with commas between them; a range beyond the end is cut.
    pub fn slice(&self, range: &Range<usize>) -> Bytes {
        let (start, end) = (range.start.min(self.len()), range.end.min(self.len()));
        if start >= end { Bytes::new() } else { self.bytes.slice(self.starts[start]..self.starts[end] - 1) }
    }

    /// Returns the rows of a page with commas between them. Consecutive rows are not copied.
    pub fn of_page(&self, rows: &PageRows) -> Bytes {
        let rows = match rows {
            PageRows::Run(run) => return self.slice(run),
            PageRows::Each(rows) => rows,
        };
        let mut copied = Vec::new();
        for row in rows {
            copied.extend_from_slice(&self.row(*row));
            copied.push(b',');
        }
        copied.pop();
        copied.into()
    }

    pub fn row(&self, index: usize) -> Bytes {
        self.slice(&(index..index + 1))
    }

    /// Bytes held.
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.starts.len() * size_of::<usize>()
    }
}

/// A JSON object with a list of rows in its middle, written around rows that are JSON already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPage {
    before: Bytes,
    after: Bytes,
}

/// The bytes that the usual fields on one side of the rows take.
const ROOM: usize = 256;

impl JsonPage {
    /// Writes the fields of `head`, then `list`, then the fields of both `tails`. Each has at least one field.
    ///
    /// # Errors
    ///
    /// What serialising either meets.
    pub fn new(
        head: &impl Serialize,
        list: &str,
        tails: (&impl Serialize, &impl Serialize),
    ) -> Result<Self, serde_json::Error> {
        let (mut before, mut after) = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
        append(&mut before, b'{', head)?;
        before.push(b',');
        serde_json::to_writer(&mut before, list)?;
        before.extend_from_slice(b":[");
        after.push(b']');
        append(&mut after, b',', tails.0)?;
        append(&mut after, b',', tails.1)?;
        after.push(b'}');
        Ok(Self { before: before.into(), after: after.into() })
    }

    /// Returns the page in three pieces, to be sent in order without a copy of the rows.
    pub fn around(&self, rows: Bytes) -> [Bytes; 3] {
        [self.before.clone(), rows, self.after.clone()]
    }
}

/// Appends the fields of an object without its braces, behind this byte.
fn append(to: &mut Vec<u8>, behind: u8, object: &impl Serialize) -> Result<(), serde_json::Error> {
    let start = to.len();
    serde_json::to_writer(&mut *to, object)?;
    to[start] = behind;
    to.pop();
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_and_times_are_written_as_they_are_displayed() {
        let days = [NaiveDate::MIN, NaiveDate::MAX, NaiveDate::default()].into_iter();
        let days = days.chain((-1..=10_000).filter_map(|year| NaiveDate::from_yo_opt(year, 45)));
        for day in days.chain(NaiveDate::default().iter_days().take(366)) {
            let mut written = Vec::new();
            write_json_value(Some(Value::Date(day)), &mut written);
            assert_eq!(written, format!("\"{day}\"").into_bytes());
        }
        for second in 0..86_400 {
            for nanosecond in [0, 1, 500_000_000, 1_000_000_000] {
                let Some(time) = NaiveTime::from_num_seconds_from_midnight_opt(second, nanosecond) else { continue };
                let mut written = Vec::new();
                write_json_value(Some(Value::Time(time)), &mut written);
                assert_eq!(written, format!("\"{time}\"").into_bytes());
            }
        }
    }

    #[test]
    fn a_slice_has_its_rows_and_commas_between_them_only() {
        let rows = JsonRows::written(1..=3, |number, out| out.extend_from_slice(number.to_string().as_bytes()));
        assert_eq!(rows.len(), 3);
        let slices = [(0..3, "1,2,3"), (1..2, "2"), (2..9, "3"), (1..1, ""), (7..9, "")];
        for (range, text) in slices {
            assert_eq!(rows.slice(&range), text.as_bytes(), "{range:?}");
        }
        let pages =
            [(PageRows::Run(0..2), "1,2"), (PageRows::Each([0, 2].into()), "1,3"), (PageRows::Each([].into()), "")];
        for (page, text) in pages {
            assert_eq!(rows.of_page(&page), text.as_bytes(), "{page:?}");
        }
        let none = JsonRows::written(std::iter::empty::<u8>(), |_, _| {});
        assert!(none.is_empty() && none.slice(&(0..1)).is_empty());
        assert_eq!(rows.reversed().slice(&(0..3)), "3,2,1".as_bytes());
    }

    #[test]
    fn a_page_is_an_object_whose_list_stands_between_its_head_and_its_tail() {
        let head = json!({"season": "\"results\":["});
        for (rows, list) in [("", json!([])), ("{\"a\":1},{\"a\":2}", json!([{"a": 1}, {"a": 2}]))] {
            let page =
                JsonPage::new(&head, "results", (&json!({"total": 2}), &json!({"offset": 0}))).expect("serialises");
            let page = page.around(Bytes::from(rows)).concat();
            let read: serde_json::Value = serde_json::from_slice(&page).expect("JSON");
            assert_eq!(read, json!({"season": "\"results\":[", "results": list, "total": 2, "offset": 0}));
            assert!(page.starts_with(b"{\"season\"") && page.ends_with(b",\"total\":2,\"offset\":0}"));
        }
    }
}
