use std::io;
use std::path::{Component, Path, PathBuf, absolute};

use serde_json::{Value, json};
use sports_domain::{FormError, Sport};
use sports_publisher_files::convert::the_odds_api::{
    Account, Feed, FeedRequest, KnownStarts, LeftOut, Reason, TeamTable, convert, finals, finals_file, odds_file,
};

use super::{InFile, cannot_write, read_input};
use crate::cli::OddsFeed;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::whole_file;

/// Converts a feed of The Odds API into an odds file, or a feed of its scores into a file of finals.
pub fn run(places: &Places<'_>, arguments: &OddsFeed) -> Result<Report, Failure> {
    match (&arguments.scores, &arguments.file, &arguments.bookmaker) {
        (Some(scores), ..) => settled(scores, arguments),
        (None, Some(file), Some(bookmaker)) => priced(places, file, bookmaker, arguments),
        // The parser admits no other arguments.
        _ => Err(Failure::bad_input("name a feed of odds and its --bookmaker, or a feed of --scores")),
    }
}

fn settled(file: &Path, arguments: &OddsFeed) -> Result<Report, Failure> {
    let (sport, out) = (arguments.sport, &arguments.out);
    let found = finals(&read_feed(file)?, sport, &teams(arguments)?);
    let found = found.map_err(|error| InFile::failure(file, error))?;
    whole_file::write(out, &finals_file(&found.games)).map_err(|error| cannot_write(out, error))?;
    let line = format!("{}: {} finals of {sport}", out.display(), found.games.len());
    let json = json!({ "out": out.display().to_string(), "sport": sport.code(), "finals": found.games.len() });
    Ok(report(line, json, sport, &found.account))
}

fn read_feed(file: &Path) -> Result<Feed, Failure> {
    Feed::read(&read_input(file, LARGEST_FILE)?).map_err(|error| InFile::failure(file, error))
}

fn priced(places: &Places<'_>, file: &Path, bookmaker: &str, arguments: &OddsFeed) -> Result<Report, Failure> {
    let feed = read_feed(file)?;
    let starts_file = starts_file(arguments)?;
    // Held to the end: a conversion that runs at the same time adds to the starts that this one writes.
    let _turn = whole_file::turn(&starts_file).map_err(|error| cannot_write(&starts_file, error))?;
    // The file to be replaced has starts as well, in case the file of starts was lost.
    let replaced = starts(&arguments.out, KnownStarts::read, "odds file")?;
    let known_starts = replaced.with(starts(&starts_file, KnownStarts::remembered, "file of starts")?);
    let teams = teams(arguments)?;
    let request = FeedRequest {
        sport: arguments.sport,
        bookmaker,
        now: places.clock.now(),
        teams: &teams,
        known_starts: &known_starts,
    };
    let conversion = convert(&feed, &request).map_err(|error| InFile::failure(file, error))?;
    for (path, bytes) in [(&starts_file, conversion.starts.file()), (&arguments.out, odds_file(&conversion.games))] {
        whole_file::write(path, &bytes).map_err(|error| cannot_write(path, error))?;
    }
    let (sport, out, games) = (arguments.sport, arguments.out.display().to_string(), conversion.games.len());
    let line = format!("{out}: {games} games of {sport}, prices of {bookmaker}");
    let json = json!({ "out": out, "sport": sport.code(), "bookmaker": bookmaker, "games": games });
    Ok(report(line, json, sport, &conversion.account))
}

/// The largest size of a feed or a table in bytes: a day's feed has less than one MiB.
const LARGEST_FILE: u64 = 32 << 20;

fn teams(arguments: &OddsFeed) -> Result<TeamTable, Failure> {
    let names = TeamTable::new(arguments.sport);
    let Some(table) = &arguments.teams else { return Ok(names) };
    names.with_table(&read_input(table, LARGEST_FILE)?).map_err(|error| InFile::failure(table, error))
}

/// Returns the file that keeps the starts, which must not be the odds file itself.
fn starts_file(arguments: &OddsFeed) -> Result<PathBuf, Failure> {
    let Some(named) = &arguments.starts else { return Ok(beside(&arguments.out)) };
    if resolved(named).map_err(Failure::other)? == resolved(&arguments.out).map_err(Failure::other)? {
        return Err(Failure::bad_input("--starts and --out are one file; name two, or leave --starts out"));
    }
    Ok(named.clone())
}

/// Resolves a path: links are followed as far as the path exists, the rest is kept as written.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut resolved = PathBuf::new();
    for part in absolute(path)?.components() {
        match part {
            Component::ParentDir => {
                resolved.pop();
            }
            part => resolved.push(part),
        }
        resolved = resolved.canonicalize().unwrap_or(resolved);
    }
    Ok(resolved)
}

/// Returns `.odds.csv.starts` beside `odds.csv`: a release folder skips hidden files.
fn beside(out: &Path) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!(".{name}.starts"))
}

/// Reads the starts in a file that is about to be replaced. A file without starts was named by mistake.
fn starts(
    path: &Path,
    read: impl Fn(&[u8]) -> Result<KnownStarts, FormError>,
    kind: &str,
) -> Result<KnownStarts, Failure> {
    match sports_program::regular_file::read(path, LARGEST_FILE) {
        Ok(file) if file.is_empty() => Ok(KnownStarts::default()),
        Ok(file) => read(&file).map_err(|error| {
            let error = InFile { file: format!("{} is there and no {kind}", path.display()), source: error.into() };
            Failure::bad_input(error)
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(KnownStarts::default()),
        Err(error) => Err(cannot_write(path, error)),
    }
}

/// Creates the report of a conversion from its first line and its own values.
fn report(line: String, mut json: Value, sport: Sport, account: &Account) -> Report {
    let mut lines = vec![line];
    lines.extend(account.left_out.iter().map(left_out_line));
    lines.extend(account.other_sports.iter().map(|(key, count)| {
        let events = if *count == 1 { "event" } else { "events" };
        format!("left out: {count} {events} of `{key}`, which is not {sport}")
    }));
    let unknown = account.unknown_teams.iter().map(|name| format!("`{name}` is no team of {sport}"));
    json["left_out"] = account.left_out.iter().map(left_out_json).collect();
    json["other_sports"] = json!(account.other_sports);
    json["unknown_teams"] = json!(account.unknown_teams);
    json["warnings"] = json!(account.warnings);
    Report { lines, warnings: unknown.chain(account.warnings.iter().cloned()).collect(), json, exit_code: 0 }
}

fn left_out_line(left: &LeftOut) -> String {
    let why = match left.reason {
        Reason::Started => "it has started",
        Reason::UnknownTeam => "a team is unknown",
        Reason::NoPrices => "the bookmaker posts nothing on it",
        Reason::NotCompleted => "it is not completed",
        Reason::NoScore => "it is completed, and the feed does not have both scores",
    };
    format!("left out: {} at {}: {why}", left.away, left.home)
}

fn left_out_json(left: &LeftOut) -> Value {
    let reason = left.reason.code();
    json!({ "match_id": left.match_id, "away_team": left.away, "home_team": left.home, "reason": reason })
}
