use std::io::{self, Read};
use std::path::{Component, Path, PathBuf, absolute};

use serde_json::{Value, json};
use sports_odds_the_odds_api::{
    Conversion, Feed, KnownStarts, LeftOut, NoStarts, Reason, TeamTable, Wanted, convert, odds_file,
};

use crate::cli::{Convert, OddsFeed};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;
use crate::whole_file;

/// Converts a file of another program.
pub fn run(places: &Places<'_>, command: &Convert) -> Result<Report, Failure> {
    let Convert::TheOddsApi(asked) = command;
    let feed = Feed::read(&given(&asked.file)?).map_err(|error| InFile::failure(&asked.file, error))?;
    let memory = memory(asked)?;
    // Held to the end: a conversion that runs beside this one adds to the starts it leaves.
    let _turn = whole_file::turn(&memory).map_err(|error| cannot_write(&memory, error))?;
    // The file about to be replaced has starts too, where the memory was lost.
    let replaced = starts(&asked.out, KnownStarts::read, "odds file")?;
    let known_starts = replaced.with(starts(&memory, KnownStarts::remembered, "file of starts")?);
    let teams = teams(asked)?;
    let wanted = Wanted {
        sport: asked.sport,
        bookmaker: &asked.bookmaker,
        now: places.clock.now(),
        teams: &teams,
        known_starts: &known_starts,
    };
    let conversion = convert(&feed, &wanted).map_err(|error| InFile::failure(&asked.file, error))?;
    for (path, bytes) in [(&memory, conversion.starts.file()), (&asked.out, odds_file(&conversion.games))] {
        whole_file::write(path, &bytes).map_err(|error| cannot_write(path, error))?;
    }
    Ok(report(asked, &conversion))
}

/// The size of a feed or a table, in bytes, beyond which it is none: a day's feed has less than one MiB.
const LARGEST_FILE: u64 = 32 << 20;

fn given(path: &Path) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(Failure::other)?;
        if bytes.len() as u64 > LARGEST_FILE {
            let most = LARGEST_FILE >> 20;
            return Err(Failure::bad_input(format!("standard input is larger than {most} MiB, the most that is read")));
        }
        return Ok(bytes);
    }
    sports_system::regular_file::read(path, LARGEST_FILE).map_err(|error| InFile::failure(path, error))
}

fn teams(asked: &OddsFeed) -> Result<TeamTable, Failure> {
    let names = TeamTable::new(asked.sport);
    let Some(table) = &asked.teams else { return Ok(names) };
    names.with_table(&given(table)?).map_err(|error| InFile::failure(table, error))
}

/// Where starts are remembered: not in the odds file itself.
fn memory(asked: &OddsFeed) -> Result<PathBuf, Failure> {
    let Some(named) = &asked.starts else { return Ok(beside(&asked.out)) };
    if straight(named).map_err(Failure::other)? == straight(&asked.out).map_err(Failure::other)? {
        return Err(Failure::bad_input("--starts and --out are one file; name two, or leave --starts out"));
    }
    Ok(named.clone())
}

/// A path without detours: links are followed where there is something, the rest is taken as it is written.
fn straight(path: &Path) -> io::Result<PathBuf> {
    let mut straight = PathBuf::new();
    for part in absolute(path)?.components() {
        match part {
            Component::ParentDir => {
                straight.pop();
            }
            part => straight.push(part),
        }
        straight = straight.canonicalize().unwrap_or(straight);
    }
    Ok(straight)
}

/// `.odds.csv.starts` beside `odds.csv`: a release folder passes over hidden files.
fn beside(out: &Path) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!(".{name}.starts"))
}

/// What a file that is about to be replaced says of starts. One that tells none was named by mistake.
fn starts(
    path: &Path,
    read: impl Fn(&[u8]) -> Result<KnownStarts, NoStarts>,
    kind: &str,
) -> Result<KnownStarts, Failure> {
    match sports_system::regular_file::read(path, LARGEST_FILE) {
        Ok(file) if file.is_empty() => Ok(KnownStarts::default()),
        Ok(file) => read(&file).map_err(|error| {
            let error = InFile { file: format!("{} is there and no {kind}", path.display()), source: error.into() };
            Failure::bad_input(error)
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(KnownStarts::default()),
        Err(error) => Err(cannot_write(path, error)),
    }
}

fn cannot_write(path: &Path, source: io::Error) -> Failure {
    Failure::other(InFile { file: format!("cannot write {}", path.display()), source: source.into() })
}

fn report(asked: &OddsFeed, conversion: &Conversion) -> Report {
    let (sport, out) = (asked.sport, asked.out.display());
    let mut lines = vec![format!("{out}: {} games of {sport}, prices of {}", conversion.games.len(), asked.bookmaker)];
    lines.extend(conversion.left_out.iter().map(left_out_line));
    lines.extend(conversion.other_sports.iter().map(|(key, count)| {
        let events = if *count == 1 { "event" } else { "events" };
        format!("left out: {count} {events} of `{key}`, which is not {sport}")
    }));
    let unknown = conversion.unknown_teams.iter().map(|name| format!("`{name}` is no team of {sport}"));
    let json = json!({
        "out": out.to_string(),
        "sport": sport.code(),
        "bookmaker": asked.bookmaker,
        "games": conversion.games.len(),
        "left_out": conversion.left_out.iter().map(left_out_json).collect::<Vec<_>>(),
        "other_sports": conversion.other_sports,
        "unknown_teams": conversion.unknown_teams,
        "warnings": conversion.warnings,
    });
    Report { lines, warnings: unknown.chain(conversion.warnings.iter().cloned()).collect(), json }
}

fn left_out_line(left: &LeftOut) -> String {
    let why = match left.reason {
        Reason::Started => "it has started",
        Reason::UnknownTeam => "a team is unknown",
        Reason::NoPrices => "the bookmaker posts nothing on it",
    };
    format!("left out: {} at {}: {why}", left.away, left.home)
}

fn left_out_json(left: &LeftOut) -> Value {
    let reason = left.reason.code();
    json!({ "match_id": left.match_id, "away_team": left.away, "home_team": left.home, "reason": reason })
}

/// What is wrong, and in which file.
#[derive(Debug, thiserror::Error)]
#[error("{file}")]
struct InFile {
    file: String,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl InFile {
    fn failure(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
        Failure::bad_input(Self { file: path.display().to_string(), source: error.into() })
    }
}
