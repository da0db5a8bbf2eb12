use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Timelike, Utc};
use sports_domain::{
    eastern_instant, eastern_reading, escaped_for_spreadsheets, within_reach, without_spreadsheet_escape,
};

/// The time after its start during which a game keeps that start. If the start is moved by more, the game was
/// postponed.
const IN_PLAY: TimeDelta = TimeDelta::hours(12);

/// The starts of games in earlier conversions, by the feed's id of the event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownStarts(BTreeMap<String, DateTime<Utc>>);

/// The columns of a file of starts.
const COLUMNS: [&str; 3] = ["match_id", "date", "time"];

/// The error for a file that is not a list of starts.
#[derive(Debug, thiserror::Error)]
pub enum NoStarts {
    #[error("it is not a CSV file")]
    NotCsv(#[from] csv::Error),
    /// A column is missing.
    #[error("it has no column `{0}`")]
    NoColumn(&'static str),
    /// It has columns other than those of a file of starts.
    #[error("its columns are not {}", COLUMNS.join(", "))]
    OtherColumns,
    /// A cell is not a date or a time.
    #[error("row {row}: `{date} {time}` is not a date and a time")]
    BadStart {
        /// The number of the row; the header is row 1.
        row: usize,
        /// The cell of the date.
        date: String,
        /// The cell of the time.
        time: String,
    },
}

impl KnownStarts {
    /// Parses a file that [`KnownStarts::file`] wrote.
    ///
    /// # Errors
    ///
    /// [`NoStarts`] if the file is not such a file.
    pub fn remembered(file: &[u8]) -> Result<Self, NoStarts> {
        let header = csv::Reader::from_reader(file).headers()?.clone();
        if header == COLUMNS[..] { Self::read(file) } else { Err(NoStarts::OtherColumns) }
    }

    /// Parses the starts in an odds file: its columns `match_id`, `date` and `time`. Date and time are Eastern.
    ///
    /// # Errors
    ///
    /// [`NoStarts`] if the file is not CSV, lacks a column, or has an invalid start.
    pub fn read(file: &[u8]) -> Result<Self, NoStarts> {
        let mut reader = csv::Reader::from_reader(file);
        let header = reader.headers()?.clone();
        let column =
            |name: &'static str| header.iter().position(|column| column == name).ok_or(NoStarts::NoColumn(name));
        let (id, date, time) = (column("match_id")?, column("date")?, column("time")?);
        let mut starts = BTreeMap::new();
        for (row, record) in (2..).zip(reader.records()) {
            let record = record?;
            let start = start(&record[date], &record[time]).ok_or_else(|| NoStarts::BadStart {
                row,
                date: record[date].to_owned(),
                time: record[time].to_owned(),
            })?;
            starts.insert(without_spreadsheet_escape(&record[id]).to_owned(), start);
        }
        Ok(Self(starts))
    }

    /// Writes the starts to a file that [`KnownStarts::remembered`] parses.
    pub fn file(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let rows = self.0.iter().map(|(id, start)| {
            let start = eastern_reading(*start);
            [
                escaped_for_spreadsheets(id).into_owned(),
                start.date().to_string(),
                start.time().format("%H:%M:%S").to_string(),
            ]
        });
        for record in std::iter::once(COLUMNS.map(str::to_owned)).chain(rows) {
            // Writing to memory does not fail.
            writer.write_record(record).unwrap_or_default();
        }
        writer.into_inner().unwrap_or_default()
    }

    /// Merges starts; for events in both, the start in `other` applies.
    pub fn with(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Returns the known start of an event if it has passed, unless the feed's `start` is so much later that the game
    /// was postponed.
    pub(crate) fn passed(&self, id: &str, start: DateTime<Utc>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.0.get(id).copied().filter(|known| *known <= now && start - *known < IN_PLAY)
    }

    pub(crate) fn record(&mut self, id: &str, start: DateTime<Utc>) {
        self.0.insert(id.to_owned(), start);
    }

    /// Removes starts that are too old to apply again.
    pub(crate) fn forget_before(&mut self, now: DateTime<Utc>) {
        self.0.retain(|_, known| now - *known < IN_PLAY);
    }
}

fn start(date: &str, time: &str) -> Option<DateTime<Utc>> {
    let date: NaiveDate = within_reach(date.parse().ok()?).ok()?;
    let time: NaiveTime = time.parse().ok()?;
    // A start is written in whole seconds.
    Some(eastern_instant(date, time.with_nanosecond(0)?))
}
