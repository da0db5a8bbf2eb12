use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_domain::eastern_instant;

/// When games begin according to an odds file written before, by the feed's id.
#[derive(Debug, Clone, Default)]
pub struct KnownStarts(HashMap<String, DateTime<Utc>>);

/// A file that is no odds file.
#[derive(Debug, thiserror::Error)]
pub enum NotAnOddsFile {
    /// It is not CSV.
    #[error("it is not a CSV file")]
    NotCsv(#[from] csv::Error),
    /// A column is missing.
    #[error("it has no column `{0}`")]
    NoColumn(&'static str),
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
    /// Reads the starts from an odds file.
    ///
    /// # Errors
    ///
    /// [`NotAnOddsFile`].
    pub fn read(file: &[u8]) -> Result<Self, NotAnOddsFile> {
        let mut reader = csv::Reader::from_reader(file);
        let header = reader.headers()?.clone();
        let column =
            |name: &'static str| header.iter().position(|column| column == name).ok_or(NotAnOddsFile::NoColumn(name));
        let (id, date, time) = (column("match_id")?, column("date")?, column("time")?);
        let mut starts = HashMap::new();
        for (row, record) in (2..).zip(reader.records()) {
            let record = record?;
            let start = start(&record[date], &record[time]).ok_or_else(|| NotAnOddsFile::BadStart {
                row,
                date: record[date].to_owned(),
                time: record[time].to_owned(),
            })?;
            starts.insert(record[id].to_owned(), start);
        }
        Ok(Self(starts))
    }

    /// When the event was to begin.
    #[must_use]
    pub fn of(&self, id: &str) -> Option<DateTime<Utc>> {
        self.0.get(id).copied()
    }
}

fn start(date: &str, time: &str) -> Option<DateTime<Utc>> {
    let date: NaiveDate = date.parse().ok()?;
    let time: NaiveTime = time.parse().ok()?;
    Some(eastern_instant(date, time))
}
