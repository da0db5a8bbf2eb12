use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use chrono::{NaiveDate, NaiveTime};
use foldhash::fast::RandomState;
use sports_domain::{GameKey, Season, Sport, TeamSlug};
use sports_publication::season_table::{AWAY_TEAM, DATE, GAME_ID, GAME_NUMBER, HOME_TEAM, MATCH_ID, SEASON, TIME};
use sports_publication::slate::TeamNames;
use sports_publication::slate_update::a_date_of;

use crate::cells::{self, NO_DECIMAL_ID, Reading};
use crate::findings::{Findings, Noted};
use crate::game_columns::GameRow;
use crate::layout::Layout;
use crate::table::{InputCell, Row};
use crate::teams::{Names, Team, Teams};

/// The season of a file, and the source that named it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileSeason {
    pub(crate) season: Season,
    named_by: &'static str,
}

impl FileSeason {
    /// Creates the season of a file; `named_by` describes the source of the season, for messages.
    pub(crate) const fn of_season(season: Season, named_by: &'static str) -> Self {
        Self { season, named_by }
    }

    /// Returns the date if the season can have games on it, otherwise the expected form.
    pub(crate) fn check(self, date: NaiveDate) -> Result<NaiveDate, Cow<'static, str>> {
        if self.season.can_have(date) { Ok(date) } else { Err(Cow::Owned(a_date_of(self.season))) }
    }

    fn label(self, cell: InputCell<'_>) -> Reading<()> {
        match cell.written() {
            Some(written) if written != self.season.to_string() => {
                Err(Cow::Owned(format!("{}, {}", self.season, self.named_by)))
            }
            _ => Ok(None),
        }
    }
}

fn needed<T>(reading: Reading<T>, expected: &'static str) -> Reading<T> {
    match reading? {
        None => Err(Cow::Borrowed(expected)),
        value => Ok(value),
    }
}

/// The rules for the keys of one file.
#[derive(Debug, Clone)]
pub(crate) struct KeyRules {
    /// The league, if known.
    pub(crate) sport: Option<Sport>,
    pub(crate) names: Names,
    /// The season of the games, if known.
    pub(crate) season: Option<FileSeason>,
    pub(crate) times: Times,
}

/// The requirement for start times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Times {
    MayBeMissing,
    InEveryRow,
}

impl KeyRules {
    fn teams(&self) -> Teams {
        Teams::in_season(self.sport, self.season.as_ref().map(|season| season.season), self.names)
    }

    fn date(&self, cell: InputCell<'_>) -> Reading<NaiveDate> {
        match (needed(cells::date(cell), cells::DATE)?, &self.season) {
            (Some(date), Some(season)) => season.check(date).map(Some),
            (date, _) => Ok(date),
        }
    }

    fn time(&self, cell: InputCell<'_>) -> Reading<NaiveTime> {
        match self.times {
            Times::MayBeMissing => cells::time(cell),
            Times::InEveryRow => needed(cells::time(cell), cells::TIME),
        }
    }

    fn season(&self, cell: InputCell<'_>) -> Reading<()> {
        self.season.as_ref().map_or(Ok(None), |season| season.label(cell))
    }
}

/// A reader of game keys, which must be unique in a file.
#[derive(Debug)]
pub(crate) struct Keys {
    rules: KeyRules,
    columns: KeyColumns,
    teams: Teams,
    names: TeamNames,
    rows: HashMap<GameKey, usize, RandomState>,
}

#[derive(Debug)]
struct KeyColumns {
    date: Option<usize>,
    time: Option<usize>,
    season: Option<usize>,
    away: Option<usize>,
    home: Option<usize>,
    game_number: Option<usize>,
    ids: [Option<usize>; 2],
}

impl Keys {
    pub(crate) fn in_layout(rules: KeyRules, layout: &Layout) -> Self {
        let columns = KeyColumns {
            date: layout.find(DATE),
            time: layout.find(TIME),
            season: layout.find(SEASON),
            away: layout.find(AWAY_TEAM),
            home: layout.find(HOME_TEAM),
            game_number: layout.find(GAME_NUMBER),
            ids: [GAME_ID, MATCH_ID].map(|column| layout.find(column)),
        };
        let teams = rules.teams();
        Self { rules, columns, teams, names: TeamNames::default(), rows: HashMap::default() }
    }

    /// Returns the names that the file gives teams beyond their slugs.
    pub(crate) fn into_names(self) -> TeamNames {
        self.names
    }

    /// Reads the game of a row; records a problem and returns `None` if a cell of the key is missing or invalid.
    pub(crate) fn read(&mut self, row: Row<'_>, found: &mut Findings) -> Option<GameKey> {
        // Every cell is read before an invalid one discards the row, so that all problems are reported at once.
        let date = found.take(row, self.columns.date, |cell| self.rules.date(cell));
        let time = found.take(row, self.columns.time, |cell| self.rules.time(cell));
        let season = found.take(row, self.columns.season, |cell| self.rules.season(cell));
        let teams = self.teams(row, date.as_ref().ok().copied().flatten(), found);
        let game_number = found.take(row, self.columns.game_number, cells::game_number);
        let (Ok(Some(date)), Ok(time), Ok(_), Ok((away, home)), Ok(game_number)) =
            (date, time, season, teams, game_number)
        else {
            return None;
        };
        let key = GameKey { date, time, away, home, game_number };
        let has_placeholder = self.rules.sport.is_some_and(|sport| key.has_placeholder(sport));
        // A start time alone distinguishes games; a number beside it would give one game two keys.
        let game_number = game_number.filter(|_| time.is_none() || has_placeholder);
        let key = GameKey { game_number, ..key };
        let known_time = time.filter(|_| !has_placeholder);
        if known_time.is_some() || !self.is_named(row) {
            self.note(GameKey { time: known_time, ..key.clone() }, row, found);
        }
        Some(key)
    }

    /// Returns true if an id tells the row of a final from another of the same teams and date.
    fn is_named(&self, row: Row<'_>) -> bool {
        let mut ids = self.columns.ids.iter().flatten();
        self.rules.names == Names::Finals && ids.any(|column| row.cell(*column).written().is_some())
    }

    fn teams(
        &mut self,
        row: Row<'_>,
        date: Option<NaiveDate>,
        found: &mut Findings,
    ) -> Result<(TeamSlug, TeamSlug), Noted> {
        let away = self.team(row, self.columns.away, date, found);
        let home = self.team(row, self.columns.home, date, found);
        let (Some(away), Some(home)) = (away?, home?) else { return Err(Noted) };
        if away == home {
            if let Some(column) = self.columns.home {
                found.cell(row, column, "another team than the away team");
            }
            return Err(Noted);
        }
        Ok((away, home))
    }

    fn team(
        &mut self,
        row: Row<'_>,
        column: Option<usize>,
        date: Option<NaiveDate>,
        found: &mut Findings,
    ) -> Result<Option<TeamSlug>, Noted> {
        let read = |cell: InputCell<'_>| self.teams.read(&cell.written().unwrap_or_default(), date);
        let Some(Team { slug, name, remark }) = found.take(row, column, read)? else { return Ok(None) };
        if let Some(remark) = remark {
            found.unknown_team(&slug, &remark);
        }
        if let Some(name) = name {
            self.names.add(slug.clone(), name);
        }
        Ok(Some(slug))
    }

    /// Records the problem of a second row of a game.
    fn note(&mut self, key: GameKey, row: Row<'_>, found: &mut Findings) {
        let (first, key) = match self.rows.entry(key) {
            Entry::Vacant(vacant) => {
                vacant.insert(row.number());
                return;
            }
            Entry::Occupied(existing) => (*existing.get(), existing.key().clone()),
        };
        if key.time.is_some() {
            found.row(row.number(), format!("each game once; row {first} has {key} already"));
            return;
        }
        let expected = format!("a game number that tells this game from that of row {first}, or its start time");
        match self.columns.game_number {
            Some(column) => found.cell(row, column, expected),
            None => found.named_cell(row.number(), GAME_NUMBER.name, None, expected),
        }
    }
}

/// The characters that an id has at most.
const LONGEST: usize = 64;

/// The expected form of an id that a spreadsheet has shortened.
pub(crate) const WHOLE_ID: &str =
    "an id with all its digits, which spreadsheets keep in columns that are formatted as text";

/// Returns the expected form of an id that a program has changed because it is a number; `None` if it is as it was.
pub(crate) fn changed_id(id: &str) -> Option<&'static str> {
    let is_decimal = id.strip_suffix(".0").is_some_and(are_digits);
    if is_shortened(id) { Some(WHOLE_ID) } else { is_decimal.then_some(NO_DECIMAL_ID) }
}

/// Returns true for a number such as `4.02E+08`: the ids of many games become one. Ids such as `1234e5` may be real.
fn is_shortened(id: &str) -> bool {
    let Some((number, power)) = id.split_once(['e', 'E']) else { return false };
    let (whole, fraction) = number.split_once(['.', ',']).map_or((number, None), |(whole, part)| (whole, Some(part)));
    let is_signed = power.starts_with('+') || (fraction.is_some() && power.starts_with('-'));
    let power = if is_signed { &power[1..] } else { power };
    (is_signed || fraction.is_some()) && [Some(whole), fraction, Some(power)].into_iter().flatten().all(are_digits)
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn check_id(id: &str, row: Row<'_>, column: usize, found: &mut Findings) {
    if let Some(expected) = changed_id(id) {
        found.cell(row, column, expected);
    } else if id.chars().count() > LONGEST {
        found.cell(row, column, format!("an id of at most {LONGEST} characters"));
    }
}

/// The rule for the publisher's ids in files that may have an id more than once.
pub(crate) struct IdRules(Option<usize>);

impl IdRules {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self(layout.find(MATCH_ID))
    }

    pub(crate) fn check(&self, read: &GameRow<'_>, row: Row<'_>, found: &mut Findings) {
        if let (Some(id), Some(column)) = (read.text(MATCH_ID), self.0) {
            check_id(id, row, column, found);
        }
    }
}

/// Reads the publisher's ids of games, and checks that no two rows of a file have the same one.
#[derive(Debug)]
pub(crate) struct MatchIds {
    column: Option<usize>,
    rows: HashMap<String, usize>,
}

impl MatchIds {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self { column: layout.find(MATCH_ID), rows: HashMap::new() }
    }

    pub(crate) fn read(&mut self, row: Row<'_>, found: &mut Findings) -> Option<String> {
        let column = self.column?;
        // The problem of a hidden character is recorded with the other columns.
        let id = cells::text(row.cell(column)).ok()??.into_owned();
        check_id(&id, row, column, found);
        match self.rows.entry(id.clone()) {
            Entry::Vacant(vacant) => {
                vacant.insert(row.number());
            }
            Entry::Occupied(first) => {
                found.cell(row, column, format!("each match_id once; row {} has it already", first.get()));
            }
        }
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_a_program_wrote_as_numbers_are_told_from_real_ones() {
        for id in ["4.02E+08", "4.02e+08", "4.02e8", "4,02E+08", "4.02e-8", "4E+08", "402e+6", "4.02E08"] {
            assert_eq!(changed_id(id), Some(WHOLE_ID), "{id}");
        }
        for id in ["402000000.0", "7.0"] {
            assert_eq!(changed_id(id), Some(NO_DECIMAL_ID), "{id}");
        }
        for id in [
            "402000000",
            "1234e5",
            "12E5",
            "2e5f",
            "e+08",
            "4.02e",
            "4.e+8",
            "g4.02e+08",
            "4.02e+08x",
            "4e-8",
            "v1.0",
            "4.5",
            ".0",
        ] {
            assert_eq!(changed_id(id), None, "{id}");
        }
    }
}
