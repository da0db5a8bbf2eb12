use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, Timelike as _};
use sports_domain::{eastern_reading, within_reach};

use super::field::Misread;
use super::source::Cells;
use crate::convert::tables::patterns::{Moment, Pattern, Years, date_hint, iso_date, iso_moment, iso_time, time_hint};
use crate::convert::tables::plan::{Origin, StartColumns, ZoneOrigin};
use crate::convert::tables::zone::Zone;

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
        let date = iso_date(text).map(Ok);
        let date = date.or_else(|| patterns.iter().find_map(|pattern| pattern.date(text, &mut self.years)));
        let date = match date {
            Some(Ok(date)) => date,
            Some(Err(either)) => {
                let why = match either.len() {
                    1 => "its league does not usually play then",
                    _ => "it may be in either year of the season",
                };
                let expected = format!("a date with its year, as YYYY-MM-DD: without one {why}");
                let either: Vec<_> = either.iter().map(ToString::to_string).collect();
                return Err(bad(origin, cells, Misread::new(expected).with_hint(Some(either.join(" or ")))));
            }
            None if patterns.iter().any(|pattern| pattern.month_and_day(text).is_some()) => {
                let expected = "a date with its year, or the season, which says the year: --season LABEL or a constant `season` \
                                under [columns] of the map";
                return Err(bad(origin, cells, Misread::new(expected)));
            }
            None => {
                let misread = Misread::new(form("a date", "YYYY-MM-DD", patterns));
                return Err(bad(origin, cells, misread.with_hint(date_hint(text))));
            }
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
