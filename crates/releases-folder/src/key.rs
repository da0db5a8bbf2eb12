use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use chrono::{NaiveDate, NaiveTime};
use sports_domain::{GameKey, Season, TeamSlug};
use sports_publication::live::a_date_of;

use crate::cells::{self, Reading};
use crate::columns::Field;
use crate::findings::{Findings, Told};
use crate::layout::Layout;
use crate::table::{Cell, Row};

/// The season a file is of.
#[derive(Debug, Clone)]
pub(crate) struct FileSeason {
    season: Season,
    told_by: &'static str,
}

impl FileSeason {
    /// `told_by` says where the season was named.
    pub(crate) const fn of(season: Season, told_by: &'static str) -> Self {
        Self { season, told_by }
    }

    /// Whether games of the season can be on a date.
    pub(crate) fn check(&self, date: NaiveDate) -> Result<NaiveDate, Cow<'static, str>> {
        if self.season.can_have(date) { Ok(date) } else { Err(Cow::Owned(a_date_of(self.season))) }
    }

    fn label(&self, cell: Cell<'_>) -> Reading<()> {
        match cell.written() {
            Some(written) if written != self.season.to_string() => {
                Err(Cow::Owned(format!("{}, {}", self.season, self.told_by)))
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

/// What the keys of a file have to be.
#[derive(Debug, Clone)]
pub(crate) struct KeyRules {
    /// The season its games are of, where that is known.
    pub(crate) season: Option<FileSeason>,
    pub(crate) times: Times,
}

/// Whether every game has a start time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Times {
    MayBeMissing,
    InEveryRow,
}

impl KeyRules {
    fn date(&self, cell: Cell<'_>) -> Reading<NaiveDate> {
        match (needed(cells::date(cell), cells::DATE)?, &self.season) {
            (Some(date), Some(season)) => season.check(date).map(Some),
            (date, _) => Ok(date),
        }
    }

    fn time(&self, cell: Cell<'_>) -> Reading<NaiveTime> {
        match self.times {
            Times::MayBeMissing => cells::time(cell),
            Times::InEveryRow => needed(cells::time(cell), cells::TIME),
        }
    }

    fn season(&self, cell: Cell<'_>) -> Reading<()> {
        self.season.as_ref().map_or(Ok(None), |season| season.label(cell))
    }
}

/// Reads the game a row is of, and sees to it that no two rows of a file are of the same one.
#[derive(Debug)]
pub(crate) struct Keys {
    rules: KeyRules,
    columns: KeyColumns,
    teams: HashMap<String, TeamSlug>,
    rows: HashMap<GameKey, usize>,
}

#[derive(Debug)]
struct KeyColumns {
    date: Option<usize>,
    time: Option<usize>,
    season: Option<usize>,
    away: Option<usize>,
    home: Option<usize>,
    game_number: Option<usize>,
}

impl Keys {
    pub(crate) fn of(rules: KeyRules, layout: &Layout) -> Self {
        let columns = KeyColumns {
            date: layout.find(Field::Date),
            time: layout.find(Field::Time),
            season: layout.find(Field::Season),
            away: layout.find(Field::AwayTeam),
            home: layout.find(Field::HomeTeam),
            game_number: layout.find(Field::GameNumber),
        };
        Self { rules, columns, teams: HashMap::new(), rows: HashMap::new() }
    }

    /// The game of a row; `None`, and why noted, where that is not to be known.
    pub(crate) fn read(&mut self, row: Row<'_>, found: &mut Findings) -> Option<GameKey> {
        // Every cell is read before the first failure ends it: all problems at once.
        let date = found.take(row, self.columns.date, |cell| self.rules.date(cell));
        let time = found.take(row, self.columns.time, |cell| self.rules.time(cell));
        let season = found.take(row, self.columns.season, |cell| self.rules.season(cell));
        let teams = self.teams(row, found);
        let game_number = found.take(row, self.columns.game_number, cells::game_number);
        let (Ok(Some(date)), Ok(time), Ok(_), Ok((away, home)), Ok(game_number)) =
            (date, time, season, teams, game_number)
        else {
            return None;
        };
        // A start time tells games apart by itself; a number beside it would give one game two keys.
        let key = GameKey { date, time, away, home, game_number: game_number.filter(|_| time.is_none()) };
        self.note(&key, row, found);
        Some(key)
    }

    fn teams(&mut self, row: Row<'_>, found: &mut Findings) -> Result<(TeamSlug, TeamSlug), Told> {
        let away = found.take(row, self.columns.away, |cell| self.team(cell));
        let home = found.take(row, self.columns.home, |cell| self.team(cell));
        let (Some(away), Some(home)) = (away?, home?) else { return Err(Told) };
        if away == home {
            if let Some(column) = self.columns.home {
                found.cell(row, column, "another team than the away team");
            }
            return Err(Told);
        }
        Ok((away, home))
    }

    /// A season repeats a few dozen names: each is normalised once.
    fn team(&mut self, cell: Cell<'_>) -> Reading<TeamSlug> {
        let name = cell.written().unwrap_or_default();
        if let Some(team) = self.teams.get(name.as_ref()) {
            return Ok(Some(team.clone()));
        }
        let team = TeamSlug::normalise(&name).map_err(|_| Cow::Borrowed(cells::TEAM))?;
        self.teams.insert(name.into_owned(), team.clone());
        Ok(Some(team))
    }

    fn note(&mut self, key: &GameKey, row: Row<'_>, found: &mut Findings) {
        let first = match self.rows.entry(key.clone()) {
            Entry::Vacant(vacant) => {
                vacant.insert(row.number());
                return;
            }
            Entry::Occupied(standing) => *standing.get(),
        };
        if key.time.is_some() {
            found.row(row.number(), format!("each game once; row {first} has {key} already"));
            return;
        }
        let expected = format!("a game number that tells this game from that of row {first}, or its start time");
        match self.columns.game_number {
            Some(column) => found.cell(row, column, expected),
            None => found.named_cell(row.number(), "game_number", None, expected),
        }
    }
}
