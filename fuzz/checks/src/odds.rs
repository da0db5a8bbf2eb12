//! Files that `sportsctl convert` reads.

use chrono::{DateTime, Utc};
use sports_domain::{LineColumn, Sport, eastern_date};
use sports_publication::Problem;
use sports_publisher_files::convert::the_odds_api::{Conversion, Feed, FeedRequest, KnownStarts, TeamTable, odds_file};
use sports_publisher_files::{ReadError, read};

use crate::published;
use crate::scratch::Scratch;

/// The instant of conversions: just before the fixtures' games.
const NOW: &str = "2026-11-21T20:30:00Z";

const BOOKMAKER: &str = "draftkings";

#[derive(Clone, Copy)]
enum File {
    Feed,
    Starts,
    Odds,
    Teams,
}

/// Reads any bytes as a feed, or as one of the files beside it. A converted feed is an odds file that is valid in a
/// release. Starts are written and read back equal, and with them the feed converts to the same games again.
pub fn convert(bytes: &[u8]) {
    let files = [File::Feed, File::Starts, File::Odds, File::Teams];
    let Some((file, rest)) = published::choice(&files, bytes) else { return };
    let Some((sport, bytes)) = published::sport(rest) else { return };
    match file {
        File::Feed => feed(sport, bytes),
        File::Starts => starts(KnownStarts::remembered(bytes).ok()),
        File::Odds => starts(KnownStarts::read(bytes).ok()),
        File::Teams => drop(TeamTable::new(sport).with_table(bytes)),
    }
}

fn starts(starts: Option<KnownStarts>) {
    if let Some(starts) = starts {
        let again = KnownStarts::remembered(&starts.file()).expect("what was written reads");
        assert_eq!(again, starts, "read back, they differ");
    }
}

fn feed(sport: Sport, bytes: &[u8]) {
    let Ok(feed) = Feed::read(bytes) else { return };
    let Some(once) = converted(&feed, sport, &KnownStarts::default()) else { return };
    starts(Some(once.starts.clone()));
    let twice = converted(&feed, sport, &once.starts).expect("it converted before");
    assert_eq!((&twice.games, &twice.starts), (&once.games, &once.starts), "converted again, it differs");
    fits_a_release(sport, &once);
}

fn converted(feed: &Feed, sport: Sport, known_starts: &KnownStarts) -> Option<Conversion> {
    let (teams, now) = (TeamTable::new(sport), now());
    let request = FeedRequest { sport, bookmaker: BOOKMAKER, now, teams: &teams, known_starts };
    sports_publisher_files::convert::the_odds_api::convert(feed, &request).ok()
}

fn fits_a_release(sport: Sport, conversion: &Conversion) {
    let scratch = Scratch::new();
    let slate_date = eastern_date(now());
    scratch.write("release.json", format!(r#"{{"sport": "{sport}", "slate_date": "{slate_date}"}}"#));
    scratch.write("odds.csv", odds_file(&conversion.games));
    match read(scratch.path(), now()) {
        Ok(read) => {
            let games = read.release.odds.map(|odds| odds.len());
            assert_eq!(games, Some(conversion.games.len()), "games are lost");
        }
        // A feed may have lines that its league cannot.
        Err(ReadError::Problems(problems)) => {
            let is_line = |it: &Problem| LineColumn::ALL.iter().any(|line| it.column.as_deref() == Some(line.name()));
            assert!(problems.iter().all(is_line), "what was converted is no odds file: {problems:?}");
        }
        Err(error) => panic!("the folder is there: {error:?}"),
    }
}

fn now() -> DateTime<Utc> {
    NOW.parse().expect("an instant")
}
