use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use sports_domain::{
    eastern_instant, eastern_reading, escaped_for_spreadsheets, within_reach, without_spreadsheet_escape,
};

/// For how long after its start a game is not believed to begin later. A start moved further than that is
/// another start: the game was postponed.
const IN_PLAY: TimeDelta = TimeDelta::hours(12);

/// When games begin according to what was converted before, by the feed's id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownStarts(BTreeMap<String, DateTime<Utc>>);

/// The columns of a file of starts.
const COLUMNS: [&str; 3] = ["match_id", "date", "time"];

/// A file that tells no starts.
#[derive(Debug, thiserror::Error)]
pub enum NoStarts {
    /// It is not CSV.
    #[error("it is not a CSV file")]
    NotCsv(#[from] csv::Error),
    /// A column is missing.
    #[error("it has no column `{0}`")]
    NoColumn(&'static str),
    /// It has other columns than a file of starts.
    #[error("its columns are not {}", COLUMNS.join(", "))]
    OtherColumns,
    /// A cell does not read.
    #[error("row {row}: `{date} {time}` is not a date and a time")]
    BadStart {
        /// The row, the header being the first.
        row: usize,
        /// The date's cell.
        date: String,
        /// The time's cell.
        time: String,
    },
}

impl KnownStarts {
    /// Reads the starts from a file that [`KnownStarts::file`] wrote.
    ///
    /// # Errors
    ///
    /// [`NoStarts`].
    pub fn remembered(file: &[u8]) -> Result<Self, NoStarts> {
        let header = csv::Reader::from_reader(file).headers()?.clone();
        if header == COLUMNS[..] { Self::read(file) } else { Err(NoStarts::OtherColumns) }
    }

    /// Reads the starts from an odds file: its columns `match_id`, `date` and `time`, the latter two Eastern.
    ///
    /// # Errors
    ///
    /// [`NoStarts`].
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

    /// The starts as a file, for [`KnownStarts::remembered`].
    #[must_use]
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
            // Memory takes everything.
            writer.write_record(record).unwrap_or_default();
        }
        writer.into_inner().unwrap_or_default()
    }

    /// These starts and those of `other`, which has the last word.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The start that an event had and that has passed, where the feed's start of now is not far enough from it to be
    /// another one.
    pub(crate) fn passed(&self, id: &str, start: DateTime<Utc>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.0.get(id).copied().filter(|known| *known <= now && start - *known < IN_PLAY)
    }

    pub(crate) fn note(&mut self, id: &str, start: DateTime<Utc>) {
        self.0.insert(id.to_owned(), start);
    }

    /// Forgets what can freeze no start any more.
    pub(crate) fn forget_before(&mut self, now: DateTime<Utc>) {
        self.0.retain(|_, known| now - *known < IN_PLAY);
    }
}

fn start(date: &str, time: &str) -> Option<DateTime<Utc>> {
    let date: NaiveDate = within_reach(date.parse().ok()?).ok()?;
    let time: NaiveTime = time.parse().ok()?;
    Some(eastern_instant(date, time))
}
