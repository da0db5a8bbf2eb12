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

/// An upload that was received to its end, whatever its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageEntry {
    pub at: DateTime<Utc>,
    /// The id of the token.
    pub token: String,
    /// The address of the client.
    pub address: String,
    /// The operation and the league: `releases/nfl`.
    pub path: String,
    /// The bytes of the body.
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
        let lines = BufReader::new(file).lines();
        lines
            .map(|line| line.map(|line| serde_json::from_str(&line).ok()).map_err(|error| failure(&path, &error)))
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
            usage.count(&entry.token, entry.received);
        }
        Ok(usage)
    }

    /// Returns the seconds until a token may send again, if it has used up its day.
    pub fn seconds_left(&mut self, token: &str, now: DateTime<Utc>) -> Option<u64> {
        self.turn_day(now);
        let Day { uploads, bytes } = self.counts.get(token).copied().unwrap_or_default();
        let midnight = (now.date_naive() + Days::new(1)).and_time(NaiveTime::MIN).and_utc();
        let is_over = uploads >= MOST_UPLOADS || bytes >= MOST_BYTES;
        is_over.then(|| (midnight - now).num_seconds().max(1).cast_unsigned())
    }

    /// Adds an upload.
    pub fn add(&mut self, entry: &UsageEntry) -> std::io::Result<()> {
        self.turn_day(entry.at);
        self.count(&entry.token, entry.received);
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    fn count(&mut self, token: &str, bytes: u64) {
        let day = self.counts.entry(token.to_owned()).or_default();
        day.uploads += 1;
        day.bytes += bytes;
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
            usage.add(&entry).expect("added");
        }
        usage.file.write_all(b"{\"at\":").expect("a part of a line");
        let mut usage = Usage::open(place.path(), at).expect("opened again");
        assert_eq!(usage.seconds_left("tok_1", at), None);
        usage.add(&entry).expect("added");
        assert_eq!((usage.seconds_left("tok_1", at), usage.seconds_left("tok_2", at)), (Some(3600), None));
        assert_eq!(usage.seconds_left("tok_1", at + chrono::TimeDelta::hours(1)), None, "another day");
        let large = UsageEntry { received: MOST_BYTES, ..entry };
        usage.add(&large).expect("added");
        assert!(usage.seconds_left("tok_1", at).is_some());
        assert_eq!(Usage::read(place.path()).expect("read").len() as u64, MOST_UPLOADS + 1);
    }
}
