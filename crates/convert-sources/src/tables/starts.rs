use std::collections::BTreeMap;

use chrono::{FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeZone as _, Timelike as _, Utc};
use chrono_tz::Tz;
use sports_domain::{eastern_reading, within_reach};

use super::binding::{Origin, StartColumns, ZoneOrigin};
use super::findings::Misread;
use super::source::Cells;
use crate::tables::patterns::{Moment, Pattern, Years, date_hint, iso_date, iso_moment, iso_time, time_hint};

/// A reader of starts: dates and times of any form and zone become the Eastern date and time.
#[derive(Debug)]
pub(crate) struct Starts<'p> {
    columns: &'p StartColumns,
    /// Zones of venues.
    zones: BTreeMap<&'p str, Zone>,
    years: Years,
}

/// The Eastern date of a game, and its time if the file has it.
pub(crate) type Start = (NaiveDate, Option<NaiveTime>);

/// The error for a start, with the row, the column and the value that cannot be read.
#[derive(Debug)]
pub(crate) struct BadStart<'r> {
    pub(crate) row: u64,
    pub(crate) column: &'r str,
    pub(crate) value: &'r str,
    pub(crate) misread: Misread,
}

impl<'p> Starts<'p> {
    pub(crate) fn new(columns: &'p StartColumns, zones: BTreeMap<&'p str, Zone>, years: Years) -> Self {
        Self { columns, zones, years }
    }

    /// Reads the start of a game.
    pub(crate) fn read<'r>(&mut self, cells: &Cells<'r>) -> Result<Start, BadStart<'r>>
    where
        'p: 'r,
    {
        let columns = self.columns;
        let (date, time) = match self.written(cells)? {
            (Written::Eastern(moment), _) => (moment.date(), Some(moment.time())),
            (Written::Local(moment), origin) => {
                let moment = self.eastern(moment, origin, cells)?;
                (moment.date(), Some(moment.time()))
            }
            (Written::Date(date), origin) => {
                if columns.time.is_some() && !matches!(columns.zone, Some(ZoneOrigin::One(Zone::Eastern))) {
                    let expected =
                        "a time beside the date: without it the Eastern date of a game in another zone is unknown";
                    return Err(bad(origin, cells, Misread::new(expected)));
                }
                (date, None)
            }
        };
        let origin = columns.start.as_ref().or(columns.date.as_ref()).map(|(origin, _)| origin);
        let in_reach = within_reach(date).map_err(|out| Misread::new(format!("a date {out}")));
        match (in_reach, origin) {
            (Err(misread), Some(origin)) => Err(bad(origin, cells, misread)),
            _ => Ok((date, time.and_then(|time| time.with_nanosecond(0)))),
        }
    }

    fn written<'r>(&mut self, cells: &Cells<'r>) -> Result<(Written, &'p Origin), BadStart<'r>>
    where
        'p: 'r,
    {
        let columns = self.columns;
        let start = columns.start.as_ref().map(|(origin, patterns)| (origin, patterns, cells.text(origin)));
        let start = start.filter(|(.., text)| !text.is_empty() || columns.date.is_none());
        if let Some((origin, patterns, text)) = start {
            let moment = iso_moment(text).or_else(|| patterns.iter().find_map(|pattern| pattern.moment(text)));
            return match moment {
                Some(Moment::Instant(instant)) => Ok((Written::Eastern(eastern_reading(instant)), origin)),
                Some(Moment::Local(local)) => Ok((Written::Local(local), origin)),
                None => Err(bad(origin, cells, Misread::new(form("a date and time", "YYYY-MM-DDTHH:MM:SS", patterns)))),
            };
        }
        let Some((origin, patterns)) = &columns.date else {
            return Err(BadStart {
                row: cells.first_row(),
                column: "date",
                value: "",
                misread: Misread::new("a date"),
            });
        };
        let text = cells.text(origin);
        let date = iso_date(text).or_else(|| patterns.iter().find_map(|pattern| pattern.date(text, &mut self.years)));
        let Some(date) = date else {
            let misread = Misread::new(form("a date", "YYYY-MM-DD", patterns));
            return Err(bad(origin, cells, misread.with_hint(date_hint(text))));
        };
        let Some((origin, patterns)) = &columns.time else { return Ok((Written::Date(date), origin)) };
        let text = cells.text(origin);
        if text.is_empty() {
            return Ok((Written::Date(date), origin));
        }
        let time = iso_time(text).or_else(|| patterns.iter().find_map(|pattern| pattern.time(text)));
        let time = time.ok_or_else(|| {
            bad(origin, cells, Misread::new(form("a time", "HH:MM", patterns)).with_hint(time_hint(text)))
        })?;
        Ok((Written::Local(date.and_time(time)), origin))
    }

    fn eastern<'r>(
        &self,
        local: NaiveDateTime,
        origin: &'r Origin,
        cells: &Cells<'r>,
    ) -> Result<NaiveDateTime, BadStart<'r>>
    where
        'p: 'r,
    {
        let zone = match &self.columns.zone {
            None => {
                let expected =
                    "a time with its offset from UTC; without one, `zone` in the map's entry names the clock";
                return Err(bad(origin, cells, Misread::new(expected)));
            }
            Some(ZoneOrigin::One(zone)) => *zone,
            Some(ZoneOrigin::Column(column)) => {
                let word = cells.text(column);
                let zone = self.zones.get(word).copied().or_else(|| Zone::named(word));
                zone.ok_or_else(|| {
                    let hint = format!("[zones] \"{word}\" = \"America/Chicago\", for example");
                    let expected = "a time zone, or a venue whose zone the map has under [zones]";
                    bad(column, cells, Misread::new(expected).with_hint(Some(hint)))
                })?
            }
        };
        zone.eastern(local).ok_or_else(|| bad(origin, cells, Misread::new("a time that the zone's clocks do not skip")))
    }
}

/// A start as a file has it.
enum Written {
    Eastern(NaiveDateTime),
    Local(NaiveDateTime),
    Date(NaiveDate),
}

fn bad<'r>(origin: &'r Origin, cells: &Cells<'r>, misread: Misread) -> BadStart<'r> {
    BadStart { row: cells.row_of(origin), column: origin.name(), value: cells.text(origin), misread }
}

fn form(what: &str, iso: &str, patterns: &[Pattern]) -> String {
    let forms = std::iter::once(iso).chain(patterns.iter().map(Pattern::text));
    format!("{what} as {}", forms.collect::<Vec<_>>().join(" or "))
}

/// The time zone of a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    Eastern,
    Utc,
    Named(Tz),
    Offset(FixedOffset),
}

impl Zone {
    /// Finds a zone by a word of schedules (`eastern`, `ET`, `UTC`), by an offset (`-05:00`) or by its name in the time
    /// zone database (`America/Chicago`).
    pub(crate) fn named(word: &str) -> Option<Self> {
        let zone = match word.to_ascii_lowercase().as_str() {
            // Schedules write EST all year round.
            "eastern" | "et" | "est" | "edt" | "america/new_york" | "us/eastern" => Self::Eastern,
            "utc" | "gmt" | "z" => Self::Utc,
            "central" | "ct" | "cst" | "cdt" => Self::Named(Tz::America__Chicago),
            "mountain" | "mt" | "mst" | "mdt" => Self::Named(Tz::America__Denver),
            "pacific" | "pt" | "pst" | "pdt" => Self::Named(Tz::America__Los_Angeles),
            _ => return word.parse().map(Self::Named).ok().or_else(|| offset(word).map(Self::Offset)),
        };
        Some(zone)
    }

    /// Returns the Eastern date and time of a date and time in the zone; `None` if the zone's clocks skip it. A time that
    /// occurs twice is its first occurrence.
    pub(crate) fn eastern(self, local: NaiveDateTime) -> Option<NaiveDateTime> {
        let instant = match self {
            Self::Eastern => return Some(local),
            Self::Utc => local.and_utc(),
            Self::Named(zone) => zone.from_local_datetime(&local).earliest()?.with_timezone(&Utc),
            Self::Offset(offset) => offset.from_local_datetime(&local).earliest()?.with_timezone(&Utc),
        };
        Some(eastern_reading(instant))
    }
}

/// Parses an offset from UTC: `+01:00`, `-0500` or `+00`.
pub(crate) fn offset(text: &str) -> Option<FixedOffset> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits.len() {
        2 => (digits, "00"),
        4 => digits.split_at_checked(2)?,
        5 => digits.split_once(':')?,
        _ => return None,
    };
    let number =
        |text: &str| (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<i32>().ok())?;
    let (hours, minutes) = (number(hours)?, number(minutes).filter(|minutes| *minutes < 60)?);
    FixedOffset::east_opt(sign * (hours * 3600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_of_any_zone_has_the_date_and_time_of_the_eastern_clock() {
        for (zone, local, eastern) in [
            ("eastern", "2022-01-07T20:15:00", "2022-01-07 20:15:00"),
            ("EST", "2022-07-07T20:15:00", "2022-07-07 20:15:00"),
            ("UTC", "2021-09-10T00:20:00", "2021-09-09 20:20:00"),
            ("PT", "2021-10-10T22:10:00", "2021-10-11 01:10:00"),
            ("America/Phoenix", "2021-12-05T19:00:00", "2021-12-05 21:00:00"),
            ("Europe/London", "2021-10-10T14:30:00", "2021-10-10 09:30:00"),
            ("+01:00", "2021-10-10T14:30:00", "2021-10-10 09:30:00"),
            ("-0500", "2021-12-10T14:30:00", "2021-12-10 14:30:00"),
        ] {
            let read = Zone::named(zone).expect(zone).eastern(local.parse().expect(local)).expect(local);
            assert_eq!(read.to_string(), eastern, "{zone}");
        }
        for word in ["", "Chicago", "+1", "+25:00", "+01:60", "venue"] {
            assert_eq!(Zone::named(word), None, "{word}");
        }
    }

    #[test]
    fn a_time_that_clocks_skip_is_no_time() {
        let skipped = "2022-03-13T02:30:00".parse().expect("a time");
        assert_eq!(Zone::named("America/Chicago").expect("a zone").eastern(skipped), None);
    }
}
