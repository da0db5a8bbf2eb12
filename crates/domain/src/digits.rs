use chrono::{Datelike as _, NaiveDate, NaiveTime, Timelike as _};

/// Returns the digits of a date, `YYYY-MM-DD`, as it is displayed; `None` for a year that is displayed with a sign.
///
/// Formatting takes many times as long, and each row has a date.
pub fn date_digits(date: NaiveDate) -> Option<[u8; 10]> {
    let year = u32::try_from(date.year()).ok().filter(|year| *year <= 9999)?;
    let [[y1, y2], [y3, y4]] = [year / 100, year % 100].map(two_digits);
    let [[m1, m2], [d1, d2]] = [date.month(), date.day()].map(two_digits);
    Some([y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2])
}

/// Returns the digits of a time, `HH:MM:SS`, without its fraction; a leap second is the 60th.
pub fn time_digits(time: NaiveTime) -> [u8; 8] {
    // A leap second is a nanosecond beyond the last one of the 59th second.
    let second = time.second() + time.nanosecond() / 1_000_000_000;
    let [[h1, h2], [m1, m2], [s1, s2]] = [time.hour(), time.minute(), second].map(two_digits);
    [h1, h2, b':', m1, m2, b':', s1, s2]
}

/// Parses a date of exactly the form `YYYY-MM-DD`.
pub fn parse_date_digits(text: &str) -> Option<NaiveDate> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else { return None };
    let year = i32::try_from(100 * number(y1, y2)? + number(y3, y4)?).ok()?;
    NaiveDate::from_ymd_opt(year, number(m1, m2)?, number(d1, d2)?)
}

/// Parses a time of exactly the form `HH:MM:SS`, without leap seconds.
pub fn parse_time_digits(text: &str) -> Option<NaiveTime> {
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *text.as_bytes() else { return None };
    NaiveTime::from_hms_opt(number(h1, h2)?, number(m1, m2)?, number(s1, s2)?)
}

/// Returns the two digits of a number below 100.
fn two_digits(number: u32) -> [u8; 2] {
    [number / 10, number % 10].map(|digit| b"0123456789"[digit as usize])
}

/// Returns the number with these two digits.
fn number(tens: u8, ones: u8) -> Option<u32> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| u32::from(tens - b'0') * 10 + u32::from(ones - b'0'))
}
