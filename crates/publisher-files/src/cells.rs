//! Parsing of cells, one function per kind. An empty cell is a missing value, never an error.

use std::borrow::Cow;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike as _, Utc};
use sports_domain::{
    AmericanPrice, NotALabel, Probability, Total, check_visible, check_visible_lines, parse_date_digits,
    parse_time_digits, within_reach,
};
use sports_publication::Value;
use sports_publication::season_table::ColumnKind;

use crate::table::InputCell;

/// The value of a cell, `None` if it is missing, or the expected form if it is invalid.
pub(crate) type Reading<T> = Result<Option<T>, Cow<'static, str>>;

/// The expected form of a date.
pub(crate) const DATE: &str = "a date as YYYY-MM-DD";
/// The expected form of a start time.
pub(crate) const TIME: &str = "an Eastern time as HH:MM:SS";
/// The expected form of a team name.
pub(crate) const TEAM: &str = "a team name with a letter or digit in it";
/// The expected form of an instant.
pub(crate) const INSTANT: &str = "a time with its offset from UTC, such as 2026-10-03T14:00:00Z";

/// The expected form of an id that was read as a number with decimals.
pub(crate) const NO_DECIMAL_ID: &str =
    "an id without `.0`, which pandas adds to whole numbers: read the column as text, with dtype=str";

/// The largest game number of a doubleheader.
pub(crate) const LAST_GAME_NUMBER: u8 = 9;

/// The expected form of a probability.
pub(crate) const PROBABILITY: &str = "a probability from 0 to 1";
/// The beginning of the expected form of a price.
pub(crate) const PRICE: &str = "an American price";
/// The beginning of the expected form of a spread.
pub(crate) const SPREAD: &str = "a spread in points";
/// The beginning of the expected form of a total.
pub(crate) const TOTAL: &str = "a total";

/// The largest distance of a price from zero. Leagues have narrower bounds for lines and moneylines (`bounds`).
pub(crate) const LARGEST_PRICE: u32 = 1_000_000;
/// The largest total, and the largest spread in either direction, in points: above the misprints of published histories, which
/// their league's bounds set aside.
pub(crate) const LARGEST_LINE: u16 = 2000;

/// Parses a cell that is not empty; `expected` is the error if `read` returns `None`.
fn filled<'t, T>(
    cell: InputCell<'t>,
    expected: &'static str,
    read: impl FnOnce(InputCell<'t>) -> Option<T>,
) -> Reading<T> {
    if cell.is_empty() {
        return Ok(None);
    }
    read(cell).map(Some).ok_or(Cow::Borrowed(expected))
}

/// Parses a cell of a season's column.
pub(crate) fn value(cell: InputCell<'_>, kind: ColumnKind) -> Reading<Value<Cow<'_, str>>> {
    Ok(match kind {
        ColumnKind::Date => date(cell)?.map(Value::Date),
        ColumnKind::Time => time(cell)?.map(Value::Time),
        ColumnKind::WallClock => wall_clock(cell)?.map(Value::WallClock),
        ColumnKind::Instant => instant(cell)?.map(Value::Instant),
        ColumnKind::GameNumber => game_number(cell)?.map(|number| Value::Integer(number.into())),
        ColumnKind::Score => score(cell)?.map(|score| Value::Integer(score.into())),
        ColumnKind::Price => price(cell)?.map(|price| Value::Integer(price.get().into())),
        ColumnKind::Points => spread(cell)?.map(Value::Number),
        ColumnKind::Total => total(cell)?.map(|total| Value::Number(total.get())),
        ColumnKind::Probability => probability(cell)?.map(|probability| Value::Number(probability.get())),
        ColumnKind::Word(words) => word(cell, words)?.map(|word| Value::Text(Cow::Borrowed(word))),
        ColumnKind::Season | ColumnKind::Team | ColumnKind::Text | ColumnKind::Flag | ColumnKind::Outcome => {
            text(cell)?.map(Value::Text)
        }
    })
}

/// Returns the text of a cell, which has no hidden character.
pub(crate) fn text(cell: InputCell<'_>) -> Reading<Cow<'_, str>> {
    let Some(written) = cell.written() else { return Ok(None) };
    check_visible(&written).map_err(|hidden| Cow::Owned(NotALabel::Hidden(hidden).to_string()))?;
    Ok(Some(written))
}

/// Rejects a date or time outside the supported range.
fn check_reach<T: Datelike>(read: Reading<T>) -> Reading<T> {
    read?.map(within_reach).transpose().map_err(|out| Cow::Owned(format!("a time {out}")))
}

/// Parses one of a few words.
fn word(cell: InputCell<'_>, words: &[&'static str]) -> Reading<&'static str> {
    let Some(written) = cell.written() else { return Ok(None) };
    words.iter().find(|word| **word == written).map(|word| Some(*word)).ok_or_else(|| {
        let known: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
        Cow::Owned(known.join(" or "))
    })
}

pub(crate) fn date(cell: InputCell<'_>) -> Reading<NaiveDate> {
    check_reach(filled(cell, DATE, |cell| match cell {
        InputCell::Typed(Value::Date(date)) => Some(date),
        // pandas stores a date as midnight without a zone.
        InputCell::Typed(Value::WallClock(moment)) => (moment.time() == NaiveTime::MIN).then_some(moment.date()),
        InputCell::Written(text) | InputCell::Typed(Value::Text(text)) => written_date(text),
        _ => None,
    }))
}

/// Parses exactly `YYYY-MM-DD`; a form like `2024-9-8` could mean another day elsewhere.
pub(crate) fn written_date(text: &str) -> Option<NaiveDate> {
    parse_date_digits(text)
}

pub(crate) fn time(cell: InputCell<'_>) -> Reading<NaiveTime> {
    filled(cell, TIME, |cell| match cell {
        InputCell::Typed(Value::Time(time)) => (time.nanosecond() == 0).then_some(time),
        InputCell::Written(text) | InputCell::Typed(Value::Text(text)) => written_time(text),
        _ => None,
    })
}

/// Parses `HH:MM:SS` or `HH:MM`.
pub(crate) fn written_time(text: &str) -> Option<NaiveTime> {
    let has_seconds = text.len() != "HH:MM".len();
    if has_seconds { parse_time_digits(text) } else { parse_time_digits(&format!("{text}:00")) }
}

/// Parses an Eastern date and time.
pub(crate) fn wall_clock(cell: InputCell<'_>) -> Reading<NaiveDateTime> {
    check_reach(filled(cell, "an Eastern date and time as YYYY-MM-DD HH:MM:SS", |cell| match cell {
        InputCell::Typed(Value::WallClock(moment)) => Some(moment).filter(|moment| moment.nanosecond() == 0),
        InputCell::Written(text) | InputCell::Typed(Value::Text(text)) => written_wall_clock(text),
        _ => None,
    }))
}

fn written_wall_clock(text: &str) -> Option<NaiveDateTime> {
    // Tables of this service have a `T`, as ISO 8601 does.
    let (date, time) = text.split_once([' ', 'T'])?;
    let has_seconds = time.len() == "HH:MM:SS".len();
    Some(written_date(date)?.and_time(written_time(time).filter(|_| has_seconds)?))
}

/// Parses an instant, rounded down to microseconds and without leap seconds, because an archive stores neither.
fn instant(cell: InputCell<'_>) -> Reading<DateTime<Utc>> {
    let read = check_reach(filled(cell, INSTANT, |cell| match cell {
        InputCell::Typed(Value::Instant(instant)) => Some(instant),
        InputCell::Written(text) | InputCell::Typed(Value::Text(text)) => written_instant(text),
        _ => None,
    }));
    Ok(read?.and_then(|instant| DateTime::from_timestamp_micros(instant.timestamp_micros())))
}

pub(crate) fn written_instant(text: &str) -> Option<DateTime<Utc>> {
    Some(DateTime::parse_from_rfc3339(text).ok()?.to_utc())
}

fn price(cell: InputCell<'_>) -> Reading<AmericanPrice> {
    if cell.is_empty() {
        return Ok(None);
    }
    match whole(cell).and_then(|number| i32::try_from(number).ok()).map(AmericanPrice::new) {
        Some(Ok(price)) if price.get().unsigned_abs() <= LARGEST_PRICE => Ok(Some(price)),
        Some(Err(refused)) if refused.0 == 0 => Ok(None),
        _ => Err(Cow::Owned(format!(
            "{PRICE}: a whole number, -{min} or less or {min} or more, at most {LARGEST_PRICE} either \
             way; 0 or empty for none",
            min = AmericanPrice::SMALLEST
        ))),
    }
}

fn score(cell: InputCell<'_>) -> Reading<u16> {
    let in_range = |number| u16::try_from(number).ok();
    filled(cell, "a score: a whole number, 0 or more", |cell| whole(cell).and_then(in_range))
}

pub(crate) fn game_number(cell: InputCell<'_>) -> Reading<u8> {
    if cell.is_empty() {
        return Ok(None);
    }
    let number = whole(cell).and_then(|number| u8::try_from(number).ok());
    number
        .filter(|number| (1..=LAST_GAME_NUMBER).contains(number))
        .map(Some)
        .ok_or_else(|| Cow::Owned(format!("a game number from 1 to {LAST_GAME_NUMBER}")))
}

fn spread(cell: InputCell<'_>) -> Reading<f64> {
    if cell.is_empty() {
        return Ok(None);
    }
    let points = decimal(cell).filter(|points| points.abs() <= f64::from(LARGEST_LINE));
    points.map(Some).ok_or_else(|| Cow::Owned(format!("{SPREAD} from -{LARGEST_LINE} to {LARGEST_LINE}, such as -2.5")))
}

fn total(cell: InputCell<'_>) -> Reading<Total> {
    match filled(cell, "a total in points, such as 41.5; 0 or empty for none", decimal)? {
        Some(0.0) | None => Ok(None),
        Some(points) => {
            let total = Total::new(points).ok().filter(|total| total.get() <= f64::from(LARGEST_LINE));
            total.map(Some).ok_or_else(|| {
                let range = format!("a total of more than 0 and at most {LARGEST_LINE} points; 0 or empty for none");
                Cow::Owned(range)
            })
        }
    }
}

pub(crate) fn probability(cell: InputCell<'_>) -> Reading<Probability> {
    filled(cell, PROBABILITY, |cell| decimal(cell).and_then(|probability| Probability::new(probability).ok()))
}

/// Returns the value of a cell in a publisher's own column. A text may have several lines.
pub(crate) fn extra(cell: InputCell<'_>) -> Reading<Value<String>> {
    if let InputCell::Written(text) | InputCell::Typed(Value::Text(text)) = cell {
        check_visible_lines(text).map_err(|hidden| Cow::Owned(NotALabel::Hidden(hidden).to_string()))?;
    }
    Ok(match cell {
        InputCell::Empty => None,
        InputCell::Written(text) => Value::from_text(text),
        InputCell::Typed(Value::Number(number)) if !number.is_finite() => Some(Value::Text(number.to_string())),
        InputCell::Typed(value) => Some(value.map_text(str::to_owned)),
    })
}

/// Parses a whole number; accepts `24.0`.
fn whole(cell: InputCell<'_>) -> Option<i64> {
    match cell {
        InputCell::Typed(Value::Integer(number)) => Some(number),
        InputCell::Typed(Value::Number(number)) => whole_float(number),
        InputCell::Written(text) | InputCell::Typed(Value::Text(text)) => {
            text.parse().ok().or_else(|| whole_float(text.parse().ok()?))
        }
        _ => None,
    }
}

fn whole_float(number: f64) -> Option<i64> {
    let fits = number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX);
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range, just checked")]
    fits.then_some(number as i64)
}

/// Parses a number with or without a fraction; callers check the range.
fn decimal(cell: InputCell<'_>) -> Option<f64> {
    match cell {
        InputCell::Typed(Value::Integer(number)) => Some(f64::from(i32::try_from(number).ok()?)),
        InputCell::Typed(Value::Number(number)) => Some(number),
        InputCell::Written(text) | InputCell::Typed(Value::Text(text)) => text.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn csv(text: &str) -> InputCell<'_> {
        InputCell::Written(text)
    }

    #[test]
    fn a_price_is_whole_and_far_from_zero_and_zero_is_none() {
        for (cell, expected) in [
            (csv("-110"), Some(-110)),
            (csv("-110.0"), Some(-110)),
            (csv("+105"), Some(105)),
            (csv("100"), Some(100)),
            (csv("-100"), Some(-100)),
            (csv("0"), None),
            (csv("-0.0"), None),
            (InputCell::Typed(Value::Number(250.0)), Some(250)),
            (InputCell::Typed(Value::Integer(-90_000)), Some(-90_000)),
            (csv("-1000000"), Some(-1_000_000)),
            (InputCell::Empty, None),
        ] {
            assert_eq!(price(cell).map(|price| price.map(AmericanPrice::get)), Ok(expected), "{cell:?}");
        }
        for cell in [
            csv("-99"),
            csv("-110.5"),
            csv("abc"),
            csv("NaN"),
            csv("99999999999"),
            csv("1000001"),
            InputCell::Typed(Value::Number(-1e9)),
            InputCell::Typed(Value::Number(f64::INFINITY)),
            InputCell::Typed(Value::Flag(true)),
        ] {
            assert!(price(cell).is_err(), "{cell:?}");
        }
    }

    #[test]
    fn a_score_is_whole_and_not_negative() {
        for (cell, expected) in [(csv("24"), 24), (csv("24.0"), 24), (csv("0"), 0), (csv("65535"), 65535)] {
            assert_eq!(score(cell), Ok(Some(expected)));
        }
        for cell in
            [csv("-1"), csv("17.5"), csv("65536"), csv("ten"), csv("1e300"), InputCell::Typed(Value::Integer(i64::MAX))]
        {
            assert!(score(cell).is_err(), "{cell:?}");
        }
    }

    #[test]
    fn a_total_of_zero_is_none_and_a_spread_of_zero_is_a_line() {
        assert_eq!(total(csv("0")), Ok(None));
        assert_eq!(total(csv("41.5")), Ok(Total::new(41.5).ok()));
        assert_eq!(spread(csv("0.0")), Ok(Some(0.0)));
        assert_eq!((spread(csv("-2000")), total(csv("2000"))), (Ok(Some(-2000.0)), Ok(Total::new(2000.0).ok())));
        for text in ["-1", "inf", "NaN", "pk", "2000.5", "1e300"] {
            assert!(total(csv(text)).is_err(), "{text}");
        }
        for text in ["pk", "inf", "NaN", "2000.5", "-1e308"] {
            assert!(spread(csv(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn a_date_has_one_spelling() {
        let day = NaiveDate::from_ymd_opt(2024, 9, 8);
        assert_eq!(date(csv("2024-09-08")), Ok(day));
        let midnight = day.and_then(|day| day.and_hms_opt(0, 0, 0)).expect("a time");
        assert_eq!(date(InputCell::Typed(Value::WallClock(midnight))), Ok(day));
        for text in ["2024-9-8", "09/08/2024", "2024-02-30", "+024-09-08", "2024-09-08T00:00:00", "20240908"] {
            assert!(date(csv(text)).is_err(), "{text}");
        }
        assert!(date(InputCell::Typed(Value::Integer(20_240_908))).is_err());
    }

    #[test]
    fn a_time_may_leave_its_seconds_out() {
        let kick_off = NaiveTime::from_hms_opt(13, 5, 0);
        assert_eq!(time(csv("13:05:00")), Ok(kick_off));
        assert_eq!(time(csv("13:05")), Ok(kick_off));
        for text in ["1:05 PM", "25:00:00", "13:60", "13:05:60", "13:05:00.5", "13"] {
            assert!(time(csv(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn an_extra_cell_keeps_the_type_its_file_gave_it() {
        assert_eq!(extra(csv("7")), Ok(Some(Value::Integer(7))));
        assert_eq!(extra(InputCell::Typed(Value::Text("7"))), Ok(Some(Value::Text("7".into()))));
        assert_eq!(extra(InputCell::Typed(Value::Number(0.5))), Ok(Some(Value::Number(0.5))));
        assert_eq!(extra(InputCell::Typed(Value::Number(f64::INFINITY))), Ok(Some(Value::Text("inf".into()))));
        assert_eq!(extra(InputCell::Empty), Ok(None));
    }
}
