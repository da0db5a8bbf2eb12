use chrono::format::{Fixed, Item, Numeric, Pad, Parsed, StrftimeItems, parse};
use chrono::{
    DateTime, Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeZone as _, Timelike as _, Utc,
};
use sports_domain::Season;

use crate::convert::tables::zone::offset;

/// A form of dates and times, with the conversion specifications of `strftime`.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    text: String,
    items: Vec<Item<'static>>,
    has_year: bool,
}

/// A date and time as a file has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// With its offset from UTC.
    Instant(DateTime<Utc>),
    /// On a clock that is named elsewhere.
    Local(NaiveDateTime),
}

impl Pattern {
    /// Parses a pattern; `None` if it has an unknown specification.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let items: Vec<_> = StrftimeItems::new(text).map(Item::to_owned).collect();
        let has = |wanted: fn(&Item<'_>) -> bool| items.iter().any(wanted);
        if has(|item| matches!(item, Item::Error)) {
            return None;
        }
        let has_year = has(|item| {
            matches!(item, Item::Numeric(Numeric::Year | Numeric::YearMod100 | Numeric::Timestamp, _))
                || matches!(item, Item::Fixed(Fixed::RFC3339 | Fixed::RFC2822))
        });
        Some(Self { text: text.to_owned(), items, has_year })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Parses a date. The year of a pattern without one comes from the order of the file.
    pub(crate) fn date(&self, text: &str, years: &mut Years) -> Option<NaiveDate> {
        if self.has_year {
            return self.parsed(text)?.to_naive_date().ok();
        }
        let day = years.last.as_ref().filter(|(known, _)| known == text).map(|(_, date)| *date);
        if day.is_some() {
            return day;
        }
        // A leap year, so that 29 February is a date.
        let (month, day) = self.month_and_day(text)?;
        years.date(text, month, day)
    }

    fn month_and_day(&self, text: &str) -> Option<(u32, u32)> {
        // Spreadsheets drop the zero of 0907.
        let number = text.strip_suffix(".0").unwrap_or(text);
        let is_short = number.len() == 3 && self.text == "%m%d";
        let text = format!("2000 {}{number}", if is_short { "0" } else { "" });
        let mut parsed = Parsed::new();
        let year = [Item::Numeric(Numeric::Year, Pad::Zero), Item::Space(" ")];
        parse(&mut parsed, &text, year.iter().chain(&self.items)).ok()?;
        let date = parsed.to_naive_date().ok()?;
        Some((date.month(), date.day()))
    }

    pub(crate) fn time(&self, text: &str) -> Option<NaiveTime> {
        self.parsed(text)?.to_naive_time().ok()
    }

    pub(crate) fn moment(&self, text: &str) -> Option<Moment> {
        let parsed = self.parsed(text)?;
        if let Ok(instant) = parsed.to_datetime() {
            return Some(Moment::Instant(instant.to_utc()));
        }
        parsed.to_naive_datetime_with_offset(0).ok().map(Moment::Local)
    }

    fn parsed(&self, text: &str) -> Option<Parsed> {
        let mut parsed = Parsed::new();
        parse(&mut parsed, text, self.items.iter()).ok()?;
        Some(parsed)
    }
}

/// The years of dates without one, from their order in a file: a season begins in its first year, and the year rises
/// where the dates go back by more than half a year.
#[derive(Debug, Default)]
pub(crate) struct Years {
    season: Option<Season>,
    /// The last date, with its text.
    last: Option<(String, NaiveDate)>,
}

/// The first month in which a season that spans two years may begin.
const FIRST_MONTH: u32 = 7;
/// The smallest step back, in days, that is a turn of the year.
const TURN: i64 = 183;

impl Years {
    /// Begins a file of a season.
    pub(crate) fn begin(season: Option<Season>) -> Self {
        Self { season, last: None }
    }

    fn date(&mut self, text: &str, month: u32, day: u32) -> Option<NaiveDate> {
        let years = self.season?.years();
        let year = match &self.last {
            None => *if month < FIRST_MONTH { years.end() } else { years.start() },
            Some((_, last)) => {
                let same_year = NaiveDate::from_ymd_opt(last.year(), month, day);
                let turns = same_year.is_some_and(|date| (*last - date).num_days() > TURN);
                (last.year() + i32::from(turns)).min(*years.end())
            }
        };
        let date = NaiveDate::from_ymd_opt(year, month, day)?;
        self.last = Some((text.to_owned(), date));
        Some(date)
    }
}

fn digits(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Parses `2022-01-07`, also with the midnight that data frames append.
pub(crate) fn iso_date(text: &str) -> Option<NaiveDate> {
    let date = text.strip_suffix("00:00:00").map_or(text, |date| date.trim_end_matches(['T', ' ']));
    let mut parts = date.split('-');
    let (year, month, day) = (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day);
    date.filter(|_| parts.next().is_none())
}

/// Parses `20:15`, `20:15:00` or `20:15:00.000`.
pub(crate) fn iso_time(text: &str) -> Option<NaiveTime> {
    let whole = text
        .split_once('.')
        .filter(|(_, rest)| rest.bytes().all(|b| b.is_ascii_digit()))
        .map_or(text, |(whole, _)| whole);
    let mut parts = whole.split(':');
    let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let second = parts.next().map_or(Some(0), |second| digits(second, 2))?;
    NaiveTime::from_hms_opt(hour, minute, second).filter(|_| parts.next().is_none())
}

/// Parses `2022-01-07T20:15`, with a space or a `T`, with or without seconds and offset.
pub(crate) fn iso_moment(text: &str) -> Option<Moment> {
    let (date, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', ' '])?;
    let rest = rest.strip_suffix(" UTC").map_or(rest.to_owned(), |rest| format!("{rest}Z"));
    let (time, zone): (&str, Option<FixedOffset>) = match rest.strip_suffix('Z') {
        Some(time) => (time, FixedOffset::east_opt(0)),
        None => match rest.rfind(['+', '-']) {
            Some(at) => (&rest[..at], Some(offset(&rest[at..])?)),
            None => (&rest, None),
        },
    };
    let local = iso_date(date)?.and_time(iso_time(time.trim_end())?);
    match zone {
        Some(zone) => zone.from_local_datetime(&local).single().map(|instant| Moment::Instant(instant.to_utc())),
        None => Some(Moment::Local(local)),
    }
}

/// Returns the reading of a date in a usual form, with the pattern of that form; several where a date is ambiguous.
pub(crate) fn date_hint(text: &str) -> Option<String> {
    const USUAL: [&str; 10] = [
        "%m/%d/%Y",
        "%d/%m/%Y",
        "%m/%d/%y",
        "%Y/%m/%d",
        "%Y%m%d",
        "%d.%m.%Y",
        "%d-%m-%Y",
        "%b %d, %Y",
        "%d %b %Y",
        "%a %b %d %Y",
    ];
    let read = |pattern: &'static str| {
        let is_four_digits = pattern.contains("%Y");
        let date = Pattern::new(pattern)?.date(text, &mut Years::default())?;
        let plausible = !is_four_digits || (1900..2200).contains(&date.year());
        plausible.then(|| format!("{date}, with pattern = \"{pattern}\""))
    };
    hint(USUAL.into_iter().filter_map(read))
}

/// Returns the reading of a time in a usual form, with the pattern of that form.
pub(crate) fn time_hint(text: &str) -> Option<String> {
    const USUAL: [&str; 4] = ["%I:%M %p", "%I:%M%p", "%I:%M:%S %p", "%H%M"];
    let read = |pattern: &'static str| {
        let time = Pattern::new(pattern)?.time(text)?;
        Some(format!("{:02}:{:02}, with pattern = \"{pattern}\"", time.hour(), time.minute()))
    };
    hint(USUAL.into_iter().filter_map(read))
}

fn hint(readings: impl Iterator<Item = String>) -> Option<String> {
    let readings: Vec<_> = readings.collect();
    (!readings.is_empty()).then(|| readings.join("; or "))
}

#[cfg(test)]
mod tests {
    use sports_domain::Sport;

    use super::*;

    fn dates(pattern: &str, season: Option<&str>, sport: Sport, texts: &str) -> Vec<String> {
        let pattern = Pattern::new(pattern).expect("a pattern");
        let mut years = Years::begin(season.map(|label| Season::parse(sport, label).expect("a season")));
        let read = |text| pattern.date(text, &mut years).map_or_else(|| "none".to_owned(), |date| date.to_string());
        texts.split_whitespace().map(read).collect()
    }

    #[test]
    fn dates_are_read_by_their_pattern() {
        for (pattern, text, expected) in [
            ("%m/%d/%Y", "1/7/2022", "2022-01-07"),
            ("%d/%m/%Y", "1/7/2022", "2022-07-01"),
            ("%m/%d/%y", "9/8/99", "1999-09-08"),
            ("%Y%m%d", "20220107", "2022-01-07"),
            ("%m/%d/%Y", "13/7/2022", "none"),
            ("%Y%m%d", "2022-01-07", "none"),
        ] {
            assert_eq!(dates(pattern, None, Sport::Nfl, text), [expected], "{text}");
        }
        assert!(Pattern::new("%Q").is_none());
    }

    #[test]
    fn the_order_of_a_sheet_gives_its_dates_a_year() {
        let read = |sport, season, texts| dates("%m%d", Some(season), sport, texts).join(" ");
        assert_eq!(read(Sport::Nfl, "2021-22", "909 1231 101 213.0"), "2021-09-09 2021-12-31 2022-01-01 2022-02-13");
        // The season that was interrupted, and the one after it.
        assert_eq!(
            read(Sport::Nba, "2019-20", "1022 1231 101 311 730 1011"),
            "2019-10-22 2019-12-31 2020-01-01 2020-03-11 2020-07-30 2020-10-11"
        );
        assert_eq!(read(Sport::Nba, "2020-21", "1222 101 720"), "2020-12-22 2021-01-01 2021-07-20");
        // A sheet that begins in the new year, and one that is not quite in order.
        assert_eq!(read(Sport::Nba, "2021-22", "103 102"), "2022-01-03 2022-01-02");
        assert_eq!(read(Sport::Mlb, "2016", "403 402 1102 229"), "2016-04-03 2016-04-02 2016-11-02 2016-02-29");
        assert_eq!(dates("%m%d", None, Sport::Nfl, "909"), ["none"], "without a season");
    }

    #[test]
    fn moments_of_the_iso_form_are_read_with_or_without_their_offset() {
        let instant = |text: &str| Some(Moment::Instant(text.parse().expect("an instant")));
        for text in [
            "2021-09-10T00:20:00Z",
            "2021-09-10 00:20Z",
            "2021-09-10 00:20:00+00:00",
            "2021-09-09T20:20:00.000-0400",
            "2021-09-10 00:20:00 UTC",
        ] {
            assert_eq!(iso_moment(text), instant("2021-09-10T00:20:00Z"), "{text}");
        }
        let local = "2021-09-10T00:20:00".parse().expect("a time");
        assert_eq!(iso_moment("2021-09-10 00:20"), Some(Moment::Local(local)));
        for text in ["2021-09-10", "2021-09-10T", "2021-9-10T00:20", "2021-09-10T0:20", "2021-09-10T00:20+1"] {
            assert_eq!(iso_moment(text), None, "{text}");
        }
        assert_eq!(iso_date("2022-01-07 00:00:00"), NaiveDate::from_ymd_opt(2022, 1, 7));
        assert_eq!(
            (iso_date("2022-1-7"), iso_time("1:05"), iso_time("20:15:00")),
            (None, None, NaiveTime::from_hms_opt(20, 15, 0))
        );
    }

    #[test]
    fn a_hint_names_every_pattern_that_reads_the_value() {
        assert_eq!(
            date_hint("1/7/2022").as_deref(),
            Some("2022-01-07, with pattern = \"%m/%d/%Y\"; or 2022-07-01, with pattern = \"%d/%m/%Y\"")
        );
        assert_eq!(date_hint("someday"), None);
        assert_eq!(time_hint("1:05 PM").as_deref(), Some("13:05, with pattern = \"%I:%M %p\""));
    }
}
