use std::collections::HashMap;
use std::path::Path;

use bytes::Bytes;
use chrono::NaiveDate;
use sports_domain::content::ObjectHash;
use sports_domain::{FinalScore, GameKey, Sport, TeamSlug};
use sports_publication::season_table::{AWAY_SCORE, GAME_ID, HOME_SCORE, MATCH_ID, SETTLEMENT_STATUS};
use sports_publication::{CalledOffStatus, Ending, FinalRow, Located, Value};

use crate::cells::{CALLED_OFF, Reading};
use crate::columns::{Field, FileKind};
use crate::findings::{Findings, Noted, in_order};
use crate::format::Format;
use crate::game_columns::{GameColumns, GameRow};
use crate::key::{IdRules, KeyRules, Keys, Times};
use crate::layout::{FileMarket, Layout};
use crate::read::ReadError;
use crate::table::{InputCell, Row, Table, largest};
use crate::teams::Names;
use crate::{names, rows};

/// The status of a game with a final, unless its publisher gives another.
const SETTLED: &str = Ending::SETTLED;

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
    let bytes = sports_program::regular_file::read(path, largest(path)).map_err(|source| ReadError::Io {
        what: "the file of finals",
        path: path.to_owned(),
        source,
    })?;
    let bytes = Bytes::from(bytes);
    let content = ObjectHash::from_bytes(&bytes);
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut found = Findings::in_file(&name);
    let format = Format::from_extension(path);
    if format.is_none() {
        found.file("a file whose name ends in .csv, .parquet or .json");
    }
    let table = format.and_then(|format| format.read(bytes, &mut found));
    let rows = table.map(|table| rows(&table, sport, &mut found)).unwrap_or_default();
    if found.problems.is_empty() {
        Ok(ReadFinals { rows, warnings: found.into_warnings(|_| true), content })
    } else {
        Err(ReadError::Problems(in_order(found.problems)))
    }
}

fn rows(table: &Table, sport: Sport, found: &mut Findings) -> Vec<Located<FinalRow>> {
    if table.is_blank() {
        return Vec::new();
    }
    let Some(layout) = Layout::from_columns(FileKind::Finals, FileMarket::none(), table.columns(), found) else {
        return Vec::new();
    };
    let (columns, endings) = (GameColumns::in_layout(&layout), EndingColumns::in_layout(&layout));
    if !endings.any() {
        found.file("columns away_score and home_score, or settlement_status");
        return Vec::new();
    }
    let rules = KeyRules { sport: Some(sport), names: Names::Finals, season: None, times: Times::MayBeMissing };
    let mut keys = Keys::in_layout(rules, &layout);
    let ids = IdRules::in_layout(&layout);
    let (mut pairings, league) = (Pairings::default(), layout.find(Field::Sport));
    let mut rows = Vec::new();
    for row in table.rows() {
        // The row is read to its end before an invalid key discards it, so that all problems are reported at once.
        let key = keys.read(row, found);
        let read = columns.read(row, found);
        let ending = endings.read(&read, row, found);
        let [game_id, match_id] = [GAME_ID, MATCH_ID].map(|column| read.text(column).map(str::to_owned));
        ids.check(&read, row, found);
        // Whatever is wrong with it is among the problems.
        let _ = found.take(row, league, |cell| of_league(cell, sport));
        if let Some(key) = key {
            pairings.check(&key, row, found);
            let place = found.place(Some(row.number()));
            let remarks = found.remarks([&key.away, &key.home]);
            let row = |ending| FinalRow { key, game_id, match_id, ending, remarks };
            rows.extend(ending.map(row).map(|value| Located { place, value }));
        }
    }
    rows
}

fn of_league(cell: InputCell<'_>, sport: Sport) -> Reading<()> {
    match cell.written() {
        Some(league) if !league.eq_ignore_ascii_case(sport.code()) => {
            Err(format!("{sport}, the league settled").into())
        }
        _ => Ok(None),
    }
}

/// The columns of a file that describe endings of games.
#[derive(Debug)]
struct EndingColumns {
    scores: bool,
    status: Option<usize>,
}

impl EndingColumns {
    fn in_layout(layout: &Layout) -> Self {
        let scores = [AWAY_SCORE, HOME_SCORE].into_iter().any(|column| layout.find(column).is_some());
        Self { scores, status: layout.find(SETTLEMENT_STATUS) }
    }

    const fn any(&self) -> bool {
        self.scores || self.status.is_some()
    }

    fn read(&self, read: &GameRow<'_>, row: Row<'_>, found: &mut Findings) -> Option<Ending> {
        let score = rows::read_score(read, row, found);
        let status = Self::status(read, found);
        let (score, status) = (score.ok()?, status.ok()?);
        if let Some(score) = score {
            return self.played(score, status, row, found);
        }
        let called_off = status.and_then(|word| CalledOffStatus::new(word).ok());
        if called_off.is_none() {
            let [cancelled, postponed] = CALLED_OFF;
            let expected = format!("both scores, or a settlement_status such as `{cancelled}` or `{postponed}`");
            found.row(row.number(), expected);
        }
        called_off.map(|status| Ending::CalledOff { status })
    }

    fn played(&self, score: FinalScore, status: Option<String>, row: Row<'_>, found: &mut Findings) -> Option<Ending> {
        let status = status.unwrap_or_else(|| SETTLED.to_owned());
        if let Some(column) = self.status
            && CALLED_OFF.contains(&status.as_str())
        {
            found.cell(row, column, format!("`{SETTLED}` beside scores, or no scores beside `{status}`"));
            return None;
        }
        Some(Ending::Final { score, status })
    }

    /// Returns the settlement status, with a warning if it is nearly a known word.
    fn status(read: &GameRow<'_>, found: &mut Findings) -> Result<Option<String>, Noted> {
        let known = || CALLED_OFF.into_iter().chain([SETTLED]);
        let Some(word) = read.get(SETTLEMENT_STATUS)?.and_then(Value::text) else { return Ok(None) };
        if let Some(near) = names::nearest(word, known()).filter(|_| !known().any(|known| known == word)) {
            found.warn(&format!("settlement_status `{word}` is kept as it is: it is not `{near}`"));
        }
        Ok(Some(word.to_owned()))
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
