//! Values that a cell probably means, for problems whose cause is known.

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, NaiveTime};
use sports_domain::{AmericanPrice, eastern_reading, within_reach};

use crate::cells::{DATE, LARGEST_PRICE, PRICE, PROBABILITY, TIME, written_instant};

/// The largest number that is rather decimal odds than a mistyped American price.
const LARGEST_DECIMAL: f64 = 50.0;

/// Returns the probable meaning of a value that is not of the expected form; `None` if it is unknown.
pub(crate) fn remedy(expected: &str, value: &str) -> Option<String> {
    match expected {
        DATE => date(value),
        TIME => time(value),
        PROBABILITY => probability(value),
        _ if expected.starts_with(PRICE) => price(value),
        _ => None,
    }
}

/// Returns the American price with this profit of a stake of one, rounded to a whole number. Even money is +100.
pub fn american_price(profit: f64) -> Option<i32> {
    let price = if profit >= 1.0 { profit * 100.0 } else { -100.0 / profit }.round();
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range, just checked")]
    let price = (profit > 0.0 && price.abs() <= f64::from(LARGEST_PRICE)).then_some(price as i32)?;
    // A profit just below one rounds to -100, which is even money.
    Some(if price == -100 { 100 } else { price })
}

fn date(value: &str) -> Option<String> {
    if let Some(instant) = written_instant(value).and_then(|instant| within_reach(instant).ok()) {
        return Some(eastern_reading(instant).format("%Y-%m-%d, with the start %H:%M:%S").to_string());
    }
    let day = value.split(['T', ' ']).next()?;
    // Month first is the custom of the leagues' country.
    let read = |form: &str| NaiveDate::parse_from_str(day, form).ok().filter(|date| is_recent(*date));
    let date = ["%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y", "%d/%m/%Y", "%Y%m%d", "%d.%m.%Y"].into_iter().find_map(read);
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
    let of_day = |form: &str| NaiveTime::parse_from_str(value, form).ok();
    let moment = |form: &str| NaiveDateTime::parse_from_str(value, form).ok().map(|moment| moment.time());
    let time = ["%I:%M %p", "%I:%M%p", "%H:%M:%S%.f"].into_iter().find_map(of_day);
    let time = time.or_else(|| ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"].into_iter().find_map(moment));
    time.map(|time| time.format("%H:%M:%S").to_string())
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
    let decimal = value.parse::<f64>().ok().filter(|odds| *odds > 1.0 && *odds <= LARGEST_DECIMAL)?;
    let price = american_price(decimal - 1.0).filter(|price| AmericanPrice::new(*price).is_ok())?;
    Some(format!("decimal odds? {price:+}"))
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
            (&price_form, "50.5", None),
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
            ("a score", "48.2", None),
        ] {
            assert_eq!(remedy(expected, value).as_deref(), hint, "{expected}: {value}");
        }
    }
}
