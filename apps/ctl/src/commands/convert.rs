//! Conversion of other programs' files.

pub mod tables;
mod the_odds_api;
mod written;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Value, json};
use sports_domain::Sport;
use sports_publisher_files::convert::tables::{Conversion, Reason, SeasonSummary};
use sports_publisher_files::did_you_mean;

use crate::cli::Convert;
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// The largest size of a table, in bytes.
const LARGEST_TABLE: u64 = 512 << 20;

/// Converts files of another program.
pub fn run(places: &Places<'_>, command: &Convert) -> Result<Report, Failure> {
    match command {
        Convert::TheOddsApi(feed) => the_odds_api::run(places, feed),
        Convert::Csv(tables) => tables::run(places, tables),
    }
}

// The account of a conversion: the rows that were read, converted and left out.

/// The parts of a season that count.
const GAME_TYPES: [&str; 2] = ["regular", "postseason"];

/// Creates the report of a conversion.
pub fn account_report(out: &Path, sport: Sport, conversion: &Conversion) -> Report {
    let out = out.display().to_string();
    let read = conversion.read.iter().map(|read| format!("{}: {} rows, {} games", read.file, read.rows, read.games));
    let left_out = conversion.left_out.iter().map(|(reason, count)| format!("left out: {count}: {}", words(reason)));
    let unread = conversion
        .unread
        .iter()
        .map(|(column, reason, count)| format!("not read: {count} cells of {column}: {reason}"));
    let absent = conversion.absent.iter().map(|absent| format!("not in the file: {absent}"));
    let lines = read.chain(conversion.seasons.iter().map(season_line)).chain(left_out).chain(unread).chain(absent);
    let mut lines: Vec<_> = lines.collect();
    lines.push(format!("{out}: a release of {sport}, {} files", conversion.files.len()));
    if !conversion.own_models.is_empty() {
        let names: Vec<_> = conversion.own_models.keys().map(String::as_str).collect();
        lines.push(format!("declared in release.json: {}", names.join(", ")));
    }
    let left_out = conversion.left_out.iter().map(|(reason, count)| reason_json(reason, *count));
    let json = json!({
        "out": out,
        "sport": sport.code(),
        "files": conversion.files.iter().map(|file| &file.path).collect::<Vec<_>>(),
        "read": conversion.read.iter().map(|read| json!({ "file": read.file, "rows": read.rows, "games": read.games })).collect::<Vec<_>>(),
        "seasons": conversion.seasons.iter().map(season_json).collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
        "unread": conversion.unread.iter().map(|(column, reason, count)| json!({ "column": column, "reason": reason, "cells": count })).collect::<Vec<_>>(),
        "absent": conversion.absent,
        "own_models": conversion.own_models,
    });
    Report::with_warnings(lines, conversion.warnings.clone(), json)
}

fn season_line(season: &SeasonSummary) -> String {
    let mut counts = season.counts.iter().filter(|(_, count)| *count > 0);
    let first = counts.next().map(|(name, count)| format!("{count} {name}")).unwrap_or_default();
    let others: Vec<_> = counts.map(|(name, count)| format!("{count} {}", name.replace('_', " "))).collect();
    let models = season.models.iter().filter(|(.., count)| *count > 0);
    let models: Vec<_> = models.map(|(market, name, count)| format!("{name} {} {count}", market.code())).collect();
    let with = if others.is_empty() { String::new() } else { format!(": {}", others.join(", ")) };
    let models = if models.is_empty() { String::new() } else { format!("; {}", models.join(", ")) };
    format!("{}  {first}{with}{models}", season.season)
}

fn season_json(season: &SeasonSummary) -> Value {
    let mut json = json!({ "season": season.season.to_string() });
    for (name, count) in &season.counts {
        json[*name] = (*count).into();
    }
    let model = |(market, name, count): &(sports_domain::ModelType, String, u64)| json!({ "model_type": market.code(), "model": name, "games": count });
    json["models"] = season.models.iter().map(model).collect();
    json
}

/// Returns the lines about a conversion of which nothing is left: the words found, and the words known.
pub fn nothing_kept_lines(rows: u64, left_out: &BTreeMap<Reason, u64>, sport: Sport) -> Vec<String> {
    if rows == 0 {
        return vec!["the files have no rows".to_owned()];
    }
    let line = |(reason, count): (&Reason, &u64)| {
        let known = match reason {
            Reason::GameType(word) => {
                let hint = abbreviation(word).unwrap_or_else(|| did_you_mean(word, GAME_TYPES));
                format!("; {sport} counts {}{hint}", GAME_TYPES.join(" and "))
            }
            Reason::Filtered { word, keep, .. } if !keep.is_empty() => {
                did_you_mean(word, keep.iter().map(String::as_str))
            }
            _ => String::new(),
        };
        format!("{count}: {}{known}", words(reason))
    };
    left_out.iter().map(line).collect()
}

/// Returns a hint if a word abbreviates a part of a season: `REG` is `regular`.
fn abbreviation(word: &str) -> Option<String> {
    let word = word.to_ascii_lowercase();
    let of_rounds = ["wc", "div", "con", "sb", "playoffs", "playoff"].contains(&word.as_str());
    let known = GAME_TYPES.into_iter().find(|known| word.len() >= 3 && known.starts_with(&word));
    let known = known.or(of_rounds.then_some("postseason"));
    known.map(|known| format!(" (did you mean `{known}`?)"))
}

fn words(reason: &Reason) -> String {
    match reason {
        Reason::Filtered { column, word, keep } if keep.is_empty() => {
            format!("{column} is `{word}`, which a filter drops")
        }
        Reason::Filtered { column, word, keep } => format!("{column} is `{word}`; a filter keeps {}", keep.join(", ")),
        Reason::OtherSeason(season) => format!("the season is {season}"),
        Reason::GameType(word) => format!("the game type is `{word}`"),
        Reason::Ahead => "the game has not started; --slate converts such games".to_owned(),
        Reason::Started => "the game has started".to_owned(),
        Reason::NoTime => "the game has no start time, which a slate needs".to_owned(),
        Reason::RepeatedHeader => "the header again".to_owned(),
    }
}

/// Returns a reason as JSON.
pub fn reason_json(reason: &Reason, count: u64) -> Value {
    let (code, value) = match reason {
        Reason::Filtered { column, word, .. } => ("filtered", Some(format!("{column}={word}"))),
        Reason::OtherSeason(season) => ("other_season", Some(season.clone())),
        Reason::GameType(word) => ("game_type", Some(word.clone())),
        Reason::Ahead => ("not_started", None),
        Reason::Started => ("started", None),
        Reason::NoTime => ("no_time", None),
        Reason::RepeatedHeader => ("repeated_header", None),
    };
    json!({ "reason": code, "value": value, "rows": count, "message": words(reason) })
}

/// Returns true for the name of standard input.
fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a file or, for `-`, standard input, of at most `most` bytes.
fn read_input(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    if !is_stdin(path) {
        return sports_program::regular_file::read(path, most).map_err(|error| InFile::failure(path, error));
    }
    let mut bytes = Vec::new();
    io::stdin().take(most + 1).read_to_end(&mut bytes).map_err(Failure::other)?;
    if bytes.len() as u64 > most {
        let most = most >> 20;
        return Err(Failure::bad_input(format!("standard input is larger than {most} MiB, the most that is read")));
    }
    Ok(bytes)
}

/// An error and the file in which it occurred.
#[derive(Debug, thiserror::Error)]
#[error("{file}")]
pub struct InFile {
    pub file: String,
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl InFile {
    /// Creates a failure by wrong input in a file.
    pub fn failure(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
        Failure::bad_input(Self { file: path.display().to_string(), source: error.into() })
    }
}

/// Creates the failure of a write.
pub fn cannot_write(path: &Path, source: io::Error) -> Failure {
    Failure::other(InFile { file: format!("cannot write {}", path.display()), source: source.into() })
}
