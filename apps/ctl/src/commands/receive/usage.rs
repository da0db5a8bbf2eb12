//! The log of uploads: one line of JSON each. The uses of tokens and their quotas of a day are counted from it.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::Path;

use chrono::{DateTime, Days, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

const NAME: &str = "publisher-log.ndjson";

/// The most uploads of a token in a day, by UTC.
const MOST_UPLOADS: u64 = 500;
/// The most bytes of a token's uploads in a day, as they were sent.
const MOST_BYTES: u64 = 4 << 30;

/// An upload that a token was allowed to begin, whatever its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageEntry {
    pub at: DateTime<Utc>,
    /// The id of the token.
    pub token: String,
    /// The address of the client.
    pub address: String,
    /// The operation and the league: `releases/nfl`.
    pub path: String,
    /// The bytes of the body, as far as it was received.
    pub received: u64,
    /// The bytes of the files in it.
    pub unpacked: u64,
    /// The status of the answer.
    pub status: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release_id: Option<String>,
}

/// The uploads and bytes of a token on one day.
#[derive(Debug, Clone, Copy, Default)]
struct Day {
    uploads: u64,
    bytes: u64,
}

/// The log, open for appending.
pub struct Usage {
    file: File,
    today: DateTime<Utc>,
    counts: HashMap<String, Day>,
}

impl Usage {
    /// Reads all entries in a folder, oldest first; there are none without a file. Lines that are no entries are passed over: a
    /// killed door may leave a part of one.
    pub fn read(folder: &Path) -> Result<Vec<UsageEntry>, Failure> {
        let path = folder.join(NAME);
        let file = match sports_program::regular_file::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failure(&path, &error)),
        };
        let lines = BufReader::new(file).split(b'\n');
        lines
            .map(|line| line.map(|line| serde_json::from_slice(&line).ok()).map_err(|error| failure(&path, &error)))
            .filter_map(Result::transpose)
            .collect()
    }

    /// Opens the log of a folder and counts the uploads of today.
    pub fn open(folder: &Path, now: DateTime<Utc>) -> Result<Self, Failure> {
        let entries = Self::read(folder)?;
        let path = folder.join(NAME);
        let mut file =
            OpenOptions::new().create(true).append(true).open(&path).map_err(|error| failure(&path, &error))?;
        // Ends a line that a killed door began.
        if file.metadata().is_ok_and(|found| found.len() > 0) {
            file.write_all(b"\n").map_err(|error| failure(&path, &error))?;
        }
        let mut usage = Self { file, today: now, counts: HashMap::new() };
        for entry in entries.iter().filter(|entry| entry.at.date_naive() == now.date_naive()) {
            let day = usage.counts.entry(entry.token.clone()).or_default();
            day.uploads += 1;
            day.bytes += entry.received;
        }
        Ok(usage)
    }

    /// Counts an upload that begins; returns the seconds until the token may send again if it has used up its day.
    pub fn begin(&mut self, token: &str, now: DateTime<Utc>) -> Result<(), u64> {
        self.turn_day(now);
        let day = self.counts.entry(token.to_owned()).or_default();
        if day.uploads >= MOST_UPLOADS || day.bytes >= MOST_BYTES {
            let midnight = (now.date_naive() + Days::new(1)).and_time(NaiveTime::MIN).and_utc();
            return Err((midnight - now).num_seconds().max(1).cast_unsigned());
        }
        day.uploads += 1;
        Ok(())
    }

    /// Adds an upload that has ended, whatever its answer.
    pub fn end(&mut self, entry: &UsageEntry) -> std::io::Result<()> {
        self.turn_day(entry.at);
        self.counts.entry(entry.token.clone()).or_default().bytes += entry.received;
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    fn turn_day(&mut self, now: DateTime<Utc>) {
        if now.date_naive() != self.today.date_naive() {
            self.today = now;
            self.counts.clear();
        }
    }
}

/// The sentence about a day that is used up.
pub fn used_up() -> String {
    format!(
        "this token has sent {MOST_UPLOADS} uploads or {} GiB today, the most of a day: the next one begins at midnight UTC",
        MOST_BYTES >> 30
    )
}

fn failure(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::other(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_used_up_at_five_hundred_uploads_across_restarts_until_midnight() {
        let place = tempfile::tempdir().expect("a folder");
        let at: DateTime<Utc> = "2026-03-14T23:00:00Z".parse().expect("an instant");
        let entry = UsageEntry {
            at,
            token: "tok_1".to_owned(),
            address: "127.0.0.1".to_owned(),
            path: "releases/nfl".to_owned(),
            received: 10,
            unpacked: 20,
            status: 422,
            release_id: None,
        };
        let mut usage = Usage::open(place.path(), at).expect("opened");
        for _ in 0..MOST_UPLOADS - 1 {
            assert_eq!(usage.begin("tok_1", at), Ok(()));
            usage.end(&entry).expect("added");
        }
        usage.file.write_all(b"{\"at\":\xff").expect("a part of a line");
        let mut usage = Usage::open(place.path(), at).expect("opened again");
        assert_eq!(usage.begin("tok_1", at), Ok(()));
        assert_eq!((usage.begin("tok_1", at), usage.begin("tok_2", at)), (Err(3600), Ok(())));
        usage.end(&entry).expect("added");
        let tomorrow = at + chrono::TimeDelta::hours(1);
        assert_eq!(usage.begin("tok_1", tomorrow), Ok(()));
        usage.end(&UsageEntry { at: tomorrow, received: MOST_BYTES, ..entry }).expect("added");
        assert!(usage.begin("tok_1", tomorrow).is_err());
        assert_eq!(Usage::read(place.path()).expect("read").len() as u64, MOST_UPLOADS + 1);
    }
}
