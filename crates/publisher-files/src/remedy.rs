//! Values that a cell probably means, for problems whose cause is known.

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use sports_domain::{AmericanPrice, eastern_reading, within_reach};

use crate::cells::{
    DATE, LARGEST_PRICE, NO_DECIMAL_ID, PRICE, PROBABILITY, SPREAD, TIME, TOTAL, written_instant, written_time,
};

/// The largest number that is rather decimal odds than a mistyped American price.
const LARGEST_DECIMAL: f64 = 50.0;

/// Returns the probable meaning of a value that is not of the expected form; `None` if it is unknown.
pub(crate) fn remedy(expected: &str, value: &str) -> Option<String> {
    match expected {
        DATE => serial_date(value).or_else(|| date(value)),
        TIME => part_of_day(value).or_else(|| time(value)),
        PROBABILITY => probability(value),
        _ if expected.starts_with(PRICE) => number(value).or_else(|| price(value)),
        _ if expected.starts_with(SPREAD) && is_pick(value) => Some("0".to_owned()),
        _ if expected.starts_with(SPREAD) || expected.starts_with(TOTAL) => line(value),
        _ if expected.starts_with("a score") => number(value),
        NO_DECIMAL_ID => value.strip_suffix(".0").map(str::to_owned),
        _ => None,
    }
}

/// Returns the probable meaning of a value in a column of spreads or totals.
pub(crate) fn line(value: &str) -> Option<String> {
    let is_price = value.starts_with(['+', '-']) && value.parse::<i32>().is_ok_and(|price| price.abs() >= 100);
    let price = is_price.then(|| "a price? its column is one of those that end with `_line`".to_owned());
    price.or_else(|| number(value))
}

/// Returns the American price with this profit of a stake of one, rounded to a whole number. Even money is +100.
pub fn american_price(profit: f64) -> Option<i32> {
    let price = if profit >= 1.0 { profit * 100.0 } else { -100.0 / profit }.round();
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range, just checked")]
    let price = (profit > 0.0 && price.abs() <= f64::from(LARGEST_PRICE)).then_some(price as i32)?;
    // A profit just below one rounds to -100, which is even money.
    Some(if price == -100 { 100 } else { price })
}

/// Returns true for the words for a spread of zero.
pub(crate) fn is_pick(text: &str) -> bool {
    ["pk", "pick", "pick'em", "pickem"].iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Returns a number without the signs that spreadsheets and web pages write: another minus, a half, separators.
pub(crate) fn number(value: &str) -> Option<String> {
    const NOT_READ: &str = "; a thousands separator is not read";
    let plain = value.replace(['\u{2212}', '\u{2013}'], "-").replace('½', ".5");
    let digits = plain.trim_start_matches(['+', '-']);
    let has_groups = |separator: char, mark: char| {
        let mut groups = digits.split(mark).next().unwrap_or_default().split(separator);
        let is_first = groups.next().is_some_and(|group| matches!(group.len(), 1..=3));
        let mut groups = groups.peekable();
        is_first && groups.peek().is_some() && groups.all(|group| group.len() == 3)
    };
    let (read, note) = if has_groups(',', '.') {
        (plain.replace(',', ""), NOT_READ)
    } else if digits.contains(',') && has_groups('.', ',') {
        (plain.replace('.', "").replace(',', "."), NOT_READ)
    } else {
        (plain.replacen(',', ".", 1), "")
    };
    let is_number = read != value && read.parse::<f64>().is_ok_and(f64::is_finite);
    is_number.then(|| format!("{read}{note}"))
}

/// Returns the date and time of a serial number, which spreadsheets count from the end of 1899.
fn serial(value: &str) -> Option<NaiveDateTime> {
    let days = value.parse::<f64>().ok().filter(|days| (0.0..80_000.0).contains(days))?;
    #[expect(clippy::cast_possible_truncation, reason = "below 80,000 days")]
    let minutes = (days * 1440.0).round() as i64;
    NaiveDate::from_ymd_opt(1899, 12, 30)?.and_hms_opt(0, 0, 0)?.checked_add_signed(TimeDelta::minutes(minutes))
}

/// Returns the date of a serial number such as `45543`, or `45543.0`.
pub(crate) fn serial_date(value: &str) -> Option<String> {
    let moment = serial(value).filter(|_| value.split('.').next().is_some_and(|days| days.len() == 5))?;
    Some(format!("{}, a serial date of a spreadsheet: format the column as a date", moment.date()))
}

/// Returns the time of a part of a day such as `0.5416`.
pub(crate) fn part_of_day(value: &str) -> Option<String> {
    let moment = serial(value).filter(|_| value.starts_with("0."))?;
    Some(format!("{}, a part of a day of a spreadsheet: format the column as a time", moment.time()))
}

/// Returns both readings of a time such as `9:30`.
pub(crate) fn half_of_day(value: &str) -> Option<String> {
    let (hour, minute) = value.split_once(':').filter(|(hour, minute)| hour.len() == 1 && minute.len() == 2)?;
    let (hour, minute) = (hour.parse::<u8>().ok().filter(|hour| *hour > 0)?, minute.parse::<u8>().ok()?);
    let (morning, evening) = (format!("{hour:02}:{minute:02}"), format!("{}:{minute:02}", hour + 12));
    (minute < 60).then(|| format!("{morning} in the morning, {evening} in the evening"))
}

fn date(value: &str) -> Option<String> {
    if let Some(instant) = written_instant(value).and_then(|instant| within_reach(instant).ok()) {
        return Some(eastern_reading(instant).format("%Y-%m-%d, with the start %H:%M:%S").to_string());
    }
    let day = value.split(['T', ' ']).next()?;
    // Month first is the custom of the leagues' country.
    let read = |form: &str| NaiveDate::parse_from_str(day, form).ok().filter(|date| is_recent(*date));
    let date =
        ["%Y-%m-%d", "%Y/%m/%d", "%m/%d/%Y", "%m/%d/%y", "%d/%m/%Y", "%Y%m%d", "%d.%m.%Y"].into_iter().find_map(read);
    date.map(|date| date.to_string())
}

/// Returns true for the years of recorded sports: a year of two digits is read by its own form.
fn is_recent(date: NaiveDate) -> bool {
    (1900..=2200).contains(&date.year())
}

fn time(value: &str) -> Option<String> {
    if let Some(instant) = written_instant(value).and_then(|instant| within_reach(instant).ok()) {
        return Some(eastern_reading(instant).format("%H:%M:%S Eastern on %Y-%m-%d").to_string());
    }
    if let Some(time) = value.strip_suffix(['Z', 'z']).and_then(written_time) {
        let behind = |hours: i64| (time - TimeDelta::hours(hours)).format("%H:%M:%S").to_string();
        return Some(format!("universal time? {} Eastern in winter, {} in summer", behind(5), behind(4)));
    }
    // `7:30p` is 7:30 pm.
    let whole = if value.ends_with(['a', 'p', 'A', 'P']) { format!("{value}m") } else { value.to_owned() };
    let of_day = |form: &str| NaiveTime::parse_from_str(&whole, form).ok();
    let moment = |form: &str| NaiveDateTime::parse_from_str(value, form).ok().map(|moment| moment.time());
    let time = ["%I:%M %p", "%I:%M%p", "%H:%M:%S%.f"].into_iter().find_map(of_day);
    let time = time.or_else(|| ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"].into_iter().find_map(moment));
    time.map(|time| time.format("%H:%M:%S").to_string()).or_else(|| half_of_day(value))
}

fn probability(value: &str) -> Option<String> {
    let percent: f64 = value.trim_end_matches('%').trim_end().parse().ok()?;
    let is_percent = (1.0..=100.0).contains(&percent) || (value.ends_with('%') && (0.0..1.0).contains(&percent));
    // Ten decimals, so that the division leaves no trace.
    is_percent.then(|| format!("percent? {}", (percent * 1e8).round() / 1e10))
}

fn price(value: &str) -> Option<String> {
    if ["even", "evens", "evs", "ev"].iter().any(|word| word.eq_ignore_ascii_case(value)) {
        return Some("+100".to_owned());
    }
    if let Some((won, staked)) = value.split_once('/') {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| *number > 0.0);
        return Some(format!("fractional odds? {:+}", american_price(number(won)? / number(staked)?)?));
    }
    let number = value.parse::<f64>().ok()?;
    let decimal = || american_price(number - 1.0).filter(|price| AmericanPrice::new(*price).is_ok());
    let decimal = Some(number).filter(|odds| *odds > 1.0 && *odds <= LARGEST_DECIMAL).and_then(|_| decimal());
    match (decimal.map(|price| format!("decimal odds? {price:+}")), may_be_line(number)) {
        (Some(decimal), true) => Some(format!("{decimal}; or a line")),
        (decimal, true) => Some(decimal.unwrap_or_else(|| "a line? prices are 100 or more in size".to_owned())),
        (decimal, false) => decimal,
    }
}

/// Returns true for a half number below the size of prices, and for the spread of a favourite.
pub(crate) fn may_be_line(number: f64) -> bool {
    let is_half = (number * 2.0).fract() == 0.0 && number.fract() != 0.0 && number.abs() < 100.0;
    is_half || (number.fract() == 0.0 && (-40.0..0.0).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_a_known_other_form_has_a_remedy() {
        let price_form = format!("{PRICE}: a whole number");
        for (expected, value, hint) in [
            (PROBABILITY, "48.2", Some("percent? 0.482")),
            (PROBABILITY, "48.2%", Some("percent? 0.482")),
            (PROBABILITY, "0.4%", Some("percent? 0.004")),
            (PROBABILITY, "-3", None),
            (PROBABILITY, "101", None),
            (&price_form, "2.65", Some("decimal odds? +165")),
            (&price_form, "1.91", Some("decimal odds? -110")),
            (&price_form, "10/11", Some("fractional odds? -110")),
            (&price_form, "EVEN", Some("+100")),
            (&price_form, "-99", None),
            (&price_form, "50.5", Some("a line? prices are 100 or more in size")),
            (&price_form, "-3", Some("a line? prices are 100 or more in size")),
            (&price_form, "7.5", Some("decimal odds? +650; or a line")),
            (DATE, "1/7/2022", Some("2022-01-07")),
            (DATE, "13/1/2022", Some("2022-01-13")),
            (DATE, "1/7/22", Some("2022-01-07")),
            (DATE, "2022-1-7", Some("2022-01-07")),
            (DATE, "20220107", Some("2022-01-07")),
            (DATE, "2022-01-07T00:00:00", Some("2022-01-07")),
            (DATE, "2024-09-09T00:20:00Z", Some("2024-09-08, with the start 20:20:00")),
            (DATE, "2022-02-30", None),
            (TIME, "2022-01-08T01:15:00Z", Some("20:15:00 Eastern on 2022-01-07")),
            (TIME, "1:05 PM", Some("13:05:00")),
            (TIME, "2022-01-07 13:05:00", Some("13:05:00")),
            (TIME, "25:00:00", None),
            (TIME, "7:30p", Some("19:30:00")),
            (TIME, "9:30", Some("09:30 in the morning, 21:30 in the evening")),
            (TIME, "0.541666667", Some("13:00:00, a part of a day of a spreadsheet: format the column as a time")),
            (DATE, "45543", Some("2024-09-08, a serial date of a spreadsheet: format the column as a date")),
            (DATE, "2026/12/13", Some("2026-12-13")),
            (TIME, "13:00Z", Some("universal time? 08:00:00 Eastern in winter, 09:00:00 in summer")),
            (TIME, "02:10Z", Some("universal time? 21:10:00 Eastern in winter, 22:10:00 in summer")),
            (NO_DECIMAL_ID, "402000000.0", Some("402000000")),
            (&price_form, "\u{2212}110", Some("-110")),
            (&price_form, "\u{2013}110", Some("-110")),
            (SPREAD, "\u{2013}3", Some("-3")),
            (&price_form, "-1,100", Some("-1100; a thousands separator is not read")),
            (SPREAD, "PK", Some("0")),
            (SPREAD, "-3½", Some("-3.5")),
            (SPREAD, "-110", Some("a price? its column is one of those that end with `_line`")),
            (TOTAL, "41,5", Some("41.5")),
            (TOTAL, "1.228,5", Some("1228.5; a thousands separator is not read")),
            (TOTAL, "over", None),
            ("a score", "48.2", None),
        ] {
            assert_eq!(remedy(expected, value).as_deref(), hint, "{expected}: {value}");
        }
    }
}
