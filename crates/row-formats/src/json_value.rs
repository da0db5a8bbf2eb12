//! Values as JSON.

use std::io::{self, Write as _};

use chrono::{NaiveDate, NaiveTime, Timelike as _};
use sports_domain::{date_digits, time_digits};
use sports_publication::Value;

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

#[cfg(test)]
mod tests {
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
}
