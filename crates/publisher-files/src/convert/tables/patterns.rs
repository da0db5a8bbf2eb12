use std::borrow::Cow;

use chrono::format::{Fixed, Item, Numeric, Pad, Parsed, StrftimeItems, parse};
use chrono::{
    DateTime, Datelike as _, FixedOffset, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeZone as _, Timelike as _,
    Utc,
};
use sports_domain::{Season, Sport, eastern_reading, within_reach};

use crate::convert::tables::zone::offset;
use crate::remedy;

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

    /// Parses a date. The year of a pattern without one comes from the season; the error has the dates of both years.
    pub(crate) fn date(&self, text: &str, years: &mut Years) -> Option<Result<NaiveDate, Vec<NaiveDate>>> {
        if self.has_year {
            return self.parsed(text)?.to_naive_date().ok().map(Ok);
        }
        if let Some((_, date)) = years.last.as_ref().filter(|(known, _)| known == text) {
            return Some(Ok(*date));
        }
        let (month, day) = self.month_and_day(text)?;
        years.date(text, month, day)
    }

    /// Parses a date without a year.
    pub(crate) fn month_and_day(&self, text: &str) -> Option<(u32, u32)> {
        if self.has_year {
            return None;
        }
        // Spreadsheets drop the zero of 0907.
        let number = text.strip_suffix(".0").unwrap_or(text);
        let is_short = number.len() == 3 && self.text == "%m%d";
        // A leap year, so that 29 February is a date.
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
        let of_half = |item: &Item<'_>| matches!(item, Item::Fixed(Fixed::LowerAmPm | Fixed::UpperAmPm));
        let text = match text.strip_suffix(".0") {
            // Data frames write 20110908.0.
            Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => Cow::Borrowed(number),
            // `7:30p` is 7:30 pm.
            _ if text.ends_with(['a', 'p', 'A', 'P']) && self.items.iter().any(of_half) => format!("{text}m").into(),
            _ => Cow::Borrowed(text),
        };
        let mut parsed = Parsed::new();
        parse(&mut parsed, &text, self.items.iter()).ok()?;
        Some(parsed)
    }
}

/// The years of dates without one.
///
/// A date takes the year of the season in which it falls into the months of the league. If it does so in both years, it
/// takes the year that puts it nearest to the date of the row before; the first date of a file follows the file's order.
#[derive(Debug, Default)]
pub(crate) struct Years {
    league: Option<(Sport, Season)>,
    /// The order of the file; `None` if it has none.
    order: Option<FileOrder>,
    /// The last date, with its text.
    last: Option<(String, NaiveDate)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileOrder {
    OldestFirst,
    NewestFirst,
}

/// The largest step, in days, against the order of a file.
const LARGEST_STEP_BACK: i64 = 31;

impl Years {
    /// Begins a file of a season, of which `days` are the months and days of all rows.
    pub(crate) fn begin(sport: Sport, season: Option<Season>, days: &[(u32, u32)]) -> Self {
        let mut years = Self { league: season.map(|season| (sport, season)), ..Self::default() };
        let known = days.iter().filter_map(|(month, day)| match *years.choices(*month, *day).1 {
            [date] => Some(date),
            _ => None,
        });
        years.order = FileOrder::of(&known.collect::<Vec<_>>());
        years
    }

    /// Returns the dates of a month and day in the years of the season, and those of them in which the league plays or, in the
    /// month before its first one, prepares.
    fn choices(&self, month: u32, day: u32) -> (Vec<NaiveDate>, Vec<NaiveDate>) {
        let Some((sport, season)) = self.league else { return Default::default() };
        let dates: Vec<_> = season.years().filter_map(|year| NaiveDate::from_ymd_opt(year, month, day)).collect();
        let in_months = |ahead: Months| {
            let plays =
                |date: &NaiveDate| date.checked_add_months(ahead).is_some_and(|date| season.usually_has(sport, date));
            dates.iter().copied().filter(plays).collect::<Vec<_>>()
        };
        let likely = [0, 1].map(|ahead| in_months(Months::new(ahead))).into_iter().find(|likely| !likely.is_empty());
        (dates, likely.unwrap_or_default())
    }

    fn date(&mut self, text: &str, month: u32, day: u32) -> Option<Result<NaiveDate, Vec<NaiveDate>>> {
        let (dates, likely) = self.choices(month, day);
        let date = match *likely {
            [date] => Some(date),
            _ => self.order.and_then(|order| self.by_order(order, &likely)),
        };
        let Some(date) = date else { return (!dates.is_empty()).then_some(Err(dates)) };
        self.last = Some((text.to_owned(), date));
        Some(Ok(date))
    }

    fn by_order(&self, order: FileOrder, choices: &[NaiveDate]) -> Option<NaiveDate> {
        let chosen = match (&self.last, order) {
            (Some((_, last)), _) => choices.iter().min_by_key(|date| (**date - *last).abs()),
            (None, FileOrder::OldestFirst) => choices.first(),
            (None, FileOrder::NewestFirst) => choices.last(),
        };
        chosen.copied()
    }
}

impl FileOrder {
    /// Returns the order of dates; `None` if they are all of one day, or in neither order.
    fn of(dates: &[NaiveDate]) -> Option<Self> {
        let (first, last) = dates.first().zip(dates.last())?;
        let is_in_order = |sign: i64| {
            let steps = dates.windows(2).map(|step| (step[1] - step[0]).num_days() * sign);
            (*last - *first).num_days() * sign > 0 && steps.min().is_none_or(|least| least >= -LARGEST_STEP_BACK)
        };
        let orders = [(Self::OldestFirst, 1), (Self::NewestFirst, -1)];
        orders.into_iter().find(|(_, sign)| is_in_order(*sign)).map(|(order, _)| order)
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

/// Returns the reading of a date in a usual form, with the pattern of that form; several where a date is ambiguous. Of an
/// instant it is the Eastern date and time.
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
    if let Some(Moment::Instant(instant)) = iso_moment(text) {
        let eastern = eastern_reading(within_reach(instant).ok()?).format("%H:%M Eastern on %Y-%m-%d");
        return Some(format!("{eastern}, with the column as `start` in place of `date`"));
    }
    let read = |pattern: &'static str| {
        let is_four_digits = pattern.contains("%Y");
        let date = Pattern::new(pattern)?.date(text, &mut Years::default())?.ok()?;
        let plausible = !is_four_digits || (1900..2200).contains(&date.year());
        plausible.then(|| format!("{date}, with pattern = \"{pattern}\""))
    };
    hint(USUAL.into_iter().filter_map(read)).or_else(|| remedy::serial_date(text))
}

/// Returns the reading of a time in a usual form, with the pattern of that form.
pub(crate) fn time_hint(text: &str) -> Option<String> {
    const USUAL: [&str; 4] = ["%I:%M %p", "%I:%M%p", "%I:%M:%S %p", "%H%M"];
    let read = |pattern: &'static str| {
        let time = Pattern::new(pattern)?.time(text)?;
        Some(format!("{:02}:{:02}, with pattern = \"{pattern}\"", time.hour(), time.minute()))
    };
    let either = || Some(format!("{}; the former with pattern = \"%H:%M\"", remedy::half_of_day(text)?));
    hint(USUAL.into_iter().filter_map(read)).or_else(|| remedy::part_of_day(text)).or_else(either)
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
        let season = season.map(|label| Season::parse(sport, label).expect("a season"));
        let days: Vec<_> = texts.split_whitespace().filter_map(|text| pattern.month_and_day(text)).collect();
        let mut years = Years::begin(sport, season, &days);
        let read = |text| match pattern.date(text, &mut years) {
            None => "none".to_owned(),
            Some(Ok(date)) => date.to_string(),
            Some(Err(dates)) => dates.iter().map(ToString::to_string).collect::<Vec<_>>().join("|"),
        };
        texts.split_whitespace().map(read).collect()
    }

    #[test]
    fn dates_are_read_by_their_pattern() {
        for (pattern, text, expected) in [
            ("%m/%d/%Y", "1/7/2022", "2022-01-07"),
            ("%d/%m/%Y", "1/7/2022", "2022-07-01"),
            ("%m/%d/%y", "9/8/99", "1999-09-08"),
            ("%Y%m%d", "20220107", "2022-01-07"),
            ("%Y%m%d", "20110908.0", "2011-09-08"),
            ("%m/%d/%Y", "13/7/2022", "none"),
            ("%Y%m%d", "2022-01-07", "none"),
        ] {
            assert_eq!(dates(pattern, None, Sport::Nfl, text), [expected], "{text}");
        }
        assert!(Pattern::new("%Q").is_none());
    }

    #[test]
    fn a_date_without_a_year_is_in_the_months_of_its_league_in_any_order() {
        let read = |sport, season, texts| dates("%m%d", Some(season), sport, texts).join(" ");
        for (sport, season, texts, expected) in [
            (Sport::Nfl, "2021-22", "909 1231 101 213.0", "2021-09-09 2021-12-31 2022-01-01 2022-02-13"),
            (Sport::Nba, "2018-19", "102 101 1231 1230", "2019-01-02 2019-01-01 2018-12-31 2018-12-30"),
            (Sport::Nba, "2021-22", "103 1024 102", "2022-01-03 2021-10-24 2022-01-02"),
            (Sport::Mlb, "2016", "403 402 1102 229", "2016-04-03 2016-04-02 2016-11-02 2016-02-29"),
            (Sport::Nba, "2022-23", "930 1018", "2022-09-30 2022-10-18"),
            // The season that was interrupted, and the one after it.
            (Sport::Nhl, "2019-20", "1002 928", "2019-10-02 2020-09-28"),
            (Sport::Nba, "2020-21", "1222 101 720", "2020-12-22 2021-01-01 2021-07-20"),
            // Months in which the league does not play.
            (Sport::Nfl, "2021-22", "608 909", "2021-06-08|2022-06-08 2021-09-09"),
            (Sport::Nba, "2020-21", "1222 1232", "2020-12-22 none"),
            (Sport::Mlb, "2018", "1228 1101", "2018-12-28 2018-11-01"),
        ] {
            assert_eq!(read(sport, season, texts), expected, "{sport} {season}: {texts}");
        }
        assert_eq!(dates("%m%d", None, Sport::Nfl, "909"), ["none"], "without a season");
    }

    #[test]
    fn the_order_of_a_file_tells_the_two_octobers_of_a_season_apart() {
        let read = |texts| dates("%m%d", Some("2019-20"), Sport::Nba, texts).join(" ");
        let season = ["2019-10-22", "2019-10-23", "2019-12-31", "2020-01-01", "2020-07-30", "2020-09-27", "2020-10-11"];
        let newest_first: Vec<_> = season.iter().rev().copied().collect();
        assert_eq!(read("1022 1023 1231 101 730 927 1011"), season.join(" "));
        assert_eq!(read("1011 927 730 101 1231 1023 1022"), newest_first.join(" "));
        // One team after the other, and too few dates for an order.
        assert_eq!(read("101 730 1022 103 731"), "2020-01-01 2020-07-30 2019-10-22|2020-10-22 2020-01-03 2020-07-31");
        assert_eq!(read("1022 1023 101"), "2019-10-22|2020-10-22 2019-10-23|2020-10-23 2020-01-01");
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
        assert_eq!(
            date_hint("2024-09-09T00:20:00Z").as_deref(),
            Some("20:20 Eastern on 2024-09-08, with the column as `start` in place of `date`")
        );
        for (text, expected) in [
            ("1:05 PM", "13:05, with pattern = \"%I:%M %p\""),
            ("7:30p", "19:30, with pattern = \"%I:%M %p\"; or 19:30, with pattern = \"%I:%M%p\""),
            ("9:30", "09:30 in the morning, 21:30 in the evening; the former with pattern = \"%H:%M\""),
        ] {
            assert_eq!(time_hint(text).as_deref(), Some(expected));
        }
    }
}
