use std::collections::HashMap;
use std::path::Path;

use bytes::Bytes;
use chrono::NaiveDate;
use sports_domain::content::ObjectHash;
use sports_domain::{FinalScore, GameKey, Sport, TeamSlug};
use sports_publication::season_table::{GAME_ID, MATCH_ID};
use sports_publication::{FinalRow, GameStatus, Located};

use crate::cells::Reading;
use crate::columns::{Field, FileKind};
use crate::endings::{FinalsEndings, read_score};
use crate::findings::{Findings, in_order};
use crate::format::Format;
use crate::game_columns::GameColumns;
use crate::key::{IdRules, KeyRules, Keys, Times};
use crate::layout::{FileMarket, Layout};
use crate::read::ReadError;
use crate::table::{InputCell, Row, Table, largest};
use crate::teams::Names;

/// A file of finals without a problem.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadFinals {
    /// The rows; each game occurs once.
    pub rows: Vec<Located<FinalRow>>,
    /// Warnings for its publisher, such as columns that were not used.
    pub warnings: Vec<String>,
    /// The SHA-256 of the file.
    pub content: ObjectHash,
}

/// Reads a file of finals of one league: CSV, Parquet or JSON, by its extension.
///
/// # Errors
///
/// [`ReadError::Problems`] with every problem of every row, or [`ReadError::Io`] if the file cannot be read.
pub fn read_finals(path: &Path, sport: Sport) -> Result<ReadFinals, ReadError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut found = Findings::in_file(&name);
    let (table, content) = read_table(path, "the file of finals", &mut found)?;
    let rows = table.map(|table| rows(&table, sport, &mut found)).unwrap_or_default();
    if found.problems.is_empty() {
        Ok(ReadFinals { rows, warnings: found.into_warnings(|_| true), content })
    } else {
        Err(ReadError::Problems(in_order(found.problems)))
    }
}

/// Reads a file as a table, if its problems are not recorded; returns the hash of its bytes, too.
fn read_table(path: &Path, what: &'static str, found: &mut Findings) -> Result<(Option<Table>, ObjectHash), ReadError> {
    let bytes = sports_program::regular_file::read(path, largest(path));
    let bytes = Bytes::from(bytes.map_err(|source| ReadError::Io { what, path: path.to_owned(), source })?);
    let content = ObjectHash::from_bytes(&bytes);
    let format = Format::from_extension(path);
    if format.is_none() {
        found.file("a file whose name ends in .csv, .parquet or .json");
    }
    Ok((format.and_then(|format| format.read(bytes, found)), content))
}

fn rows(table: &Table, sport: Sport, found: &mut Findings) -> Vec<Located<FinalRow>> {
    if table.is_blank() {
        return Vec::new();
    }
    let Some(layout) = Layout::from_columns(FileKind::Finals, FileMarket::none(), table.columns(), found) else {
        return Vec::new();
    };
    let columns = GameColumns::in_layout(&layout);
    let Some(endings) = FinalsEndings::in_layout(sport, &layout) else {
        found.file("columns away_score and home_score, or settlement_status");
        return Vec::new();
    };
    let rules = KeyRules { sport: Some(sport), names: Names::Finals, season: None, times: Times::MayBeMissing };
    let mut keys = Keys::in_layout(rules, &layout);
    let ids = IdRules::in_layout(&layout);
    let (mut pairings, league) = (Pairings::default(), layout.find(Field::Sport));
    let mut rows = Vec::new();
    for row in table.rows() {
        // The row is read to its end before an invalid key discards it, so that all problems are reported at once.
        let key = keys.read(row, found);
        let read = columns.read(row, found);
        let ending = endings.read(&read, key.as_ref(), row, found);
        let [game_id, match_id] = [GAME_ID, MATCH_ID].map(|column| read.text(column).map(str::to_owned));
        ids.check(&read, row, found);
        // Whatever is wrong with it is among the problems.
        let _ = found.take(row, league, |cell| of_league(cell, sport));
        if let Some(key) = key {
            pairings.check(&key, row, found);
            let place = found.place(Some(row.number()));
            let remarks = found.remarks([&key.away, &key.home]);
            let row = |(ending, void)| FinalRow { key, game_id, match_id, ending, void, remarks };
            rows.extend(ending.map(row).map(|value| Located { place, value }));
        }
    }
    rows
}

/// A game of a schedule that an auditor of a record has from another source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledRow {
    pub key: GameKey,
    /// True if its status calls the game off.
    pub is_called_off: bool,
    pub score: Option<FinalScore>,
}

/// The names of the column of a schedule that says what became of a game.
const STATUSES: [&str; 2] = ["status", "settlement_status"];

/// Reads a schedule of one league with the key columns of a file of finals, `status`, and the scores if it has them. Words that
/// no table knows call no game off.
///
/// # Errors
///
/// [`ReadError::Problems`] with every problem of every row, or [`ReadError::Io`] if the file cannot be read.
pub fn read_schedule(path: &Path, sport: Sport) -> Result<Vec<ScheduledRow>, ReadError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut found = Findings::in_file(&name);
    let (table, _) = read_table(path, "the schedule", &mut found)?;
    let games = table.map(|table| scheduled(&table, sport, &mut found)).unwrap_or_default();
    if found.problems.is_empty() { Ok(games) } else { Err(ReadError::Problems(in_order(found.problems))) }
}

fn scheduled(table: &Table, sport: Sport, found: &mut Findings) -> Vec<ScheduledRow> {
    let layout = Layout::from_columns(FileKind::Finals, FileMarket::none(), table.columns(), found);
    let Some(layout) = layout else { return Vec::new() };
    let status = table.columns().iter().position(|column| STATUSES.contains(&column.trim().to_lowercase().as_str()));
    let Some(status) = status else {
        found.file("a column status, such as `final` or `postponed`");
        return Vec::new();
    };
    let columns = GameColumns::in_layout(&layout);
    let rules = KeyRules { sport: Some(sport), names: Names::Finals, season: None, times: Times::MayBeMissing };
    let mut keys = Keys::in_layout(rules, &layout);
    let mut games = Vec::new();
    for row in table.rows() {
        let key = keys.read(row, found);
        let score = read_score(&columns.read(row, found), row, found);
        let is_called_off = row.cell(status).written().is_some_and(|word| GameStatus::is_called_off(&word));
        games.extend(key.zip(score.ok()).map(|(key, score)| ScheduledRow { key, is_called_off, score }));
    }
    games
}

fn of_league(cell: InputCell<'_>, sport: Sport) -> Reading<()> {
    match cell.written() {
        Some(league) if !league.eq_ignore_ascii_case(sport.code()) => {
            Err(format!("{sport}, the league settled").into())
        }
        _ => Ok(None),
    }
}

/// A check that a row without a time is the only row of its teams and date, since beside a row with a time it could be
/// the same game.
#[derive(Debug, Default)]
struct Pairings(HashMap<(NaiveDate, TeamSlug, TeamSlug), (usize, bool)>);

impl Pairings {
    fn check(&mut self, key: &GameKey, row: Row<'_>, found: &mut Findings) {
        let pairing = (key.date, key.away.clone(), key.home.clone());
        let (first, has_time) = *self.0.entry(pairing).or_insert((row.number(), key.time.is_some()));
        if has_time != key.time.is_some() {
            let expected = format!("a start time in both rows of these teams and date, or in none; see row {first}");
            found.row(row.number(), expected);
        }
    }
}
