use csv::StringRecord;

use crate::tables::decimal::{Decimal, DecimalMark};
use crate::tables::forms::RowOfGame;
use crate::tables::plan::Origin;
use crate::tables::source::cell;

/// One of the two teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Team {
    Away,
    Home,
}

impl Team {
    const fn other(self) -> Self {
        match self {
            Self::Away => Self::Home,
            Self::Home => Self::Away,
        }
    }
}

/// A row of the file, with its number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberedRow<'r> {
    pub(crate) number: u64,
    pub(crate) record: &'r StringRecord,
}

/// The cells of one game: one row of the file, or the rows of both teams.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'r> {
    pub(crate) away: NumberedRow<'r>,
    /// `None` for a game with one row.
    pub(crate) home: Option<NumberedRow<'r>>,
    pub(crate) mark: DecimalMark,
    /// Words for an empty cell.
    pub(crate) missing: &'r [String],
}

/// The cells of a column in the two rows of a game, by size.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BySize {
    /// Both rows have a number; the team is that of the smaller one.
    Both {
        smaller: Team,
    },
    /// One row has a number, or both have the same: it may be either.
    Unclear,
    Neither,
}

impl<'r> Cells<'r> {
    /// Returns the text of a value, empty if it is missing.
    pub(crate) fn text(&self, origin: &'r Origin) -> &'r str {
        match origin {
            Origin::Constant(text) => text,
            Origin::Column { index, row, .. } => self.team_with(*index, *row).map_or("", |team| self.of(team, *index)),
        }
    }

    /// Returns the number of the first row.
    pub(crate) fn first_row(&self) -> u64 {
        self.home.map_or(self.away.number, |home| self.away.number.min(home.number))
    }

    /// Returns the number of the row from which a value is read; the first row if no row has it.
    pub(crate) fn row_of(&self, origin: &Origin) -> u64 {
        let team = match origin {
            Origin::Constant(_) => None,
            Origin::Column { index, row, .. } => self.team_with(*index, *row),
        };
        team.map_or_else(|| self.first_row(), |team| self.row(team).number)
    }

    /// Returns the two cells of a column with the numbers of their rows, in the order of the file; `None` for a game
    /// with one row.
    pub(crate) fn in_both_rows(&self, index: usize) -> Option<[(u64, &'r str); 2]> {
        let home = self.home?;
        let mut cells = [Team::Away, Team::Home].map(|team| (self.row(team).number, self.of(team, index)));
        if home.number < self.away.number {
            cells.reverse();
        }
        Some(cells)
    }

    /// Returns the team whose row has a value; `None` if neither has.
    fn team_with(&self, index: usize, row: Option<RowOfGame>) -> Option<Team> {
        if self.home.is_none() {
            return Some(Team::Away);
        }
        let smaller = || match self.by_size(index) {
            BySize::Both { smaller } => Some(smaller),
            BySize::Unclear | BySize::Neither => None,
        };
        match row {
            None => [Team::Away, Team::Home].into_iter().find(|team| !self.of(*team, index).is_empty()),
            Some(RowOfGame::Away) => Some(Team::Away),
            Some(RowOfGame::Home) => Some(Team::Home),
            Some(RowOfGame::Smaller) => smaller(),
            Some(RowOfGame::Larger) => smaller().map(Team::other),
        }
    }

    /// Returns the only team whose row has the value.
    pub(crate) fn only_team_with(&self, index: usize) -> Option<Team> {
        match (self.of(Team::Away, index).is_empty(), self.of(Team::Home, index).is_empty()) {
            (false, true) => Some(Team::Away),
            (true, false) => Some(Team::Home),
            _ => None,
        }
    }

    /// Compares the numbers that a column has in the two rows.
    pub(crate) fn by_size(&self, index: usize) -> BySize {
        let [away, home] = [Team::Away, Team::Home].map(|team| self.of(team, index));
        match (self.number(away), self.number(home)) {
            (Some(of_away), Some(of_home)) => match of_away.absolute().compared(of_home.absolute()) {
                std::cmp::Ordering::Less => BySize::Both { smaller: Team::Away },
                std::cmp::Ordering::Greater => BySize::Both { smaller: Team::Home },
                std::cmp::Ordering::Equal => BySize::Unclear,
            },
            _ if away.is_empty() && home.is_empty() => BySize::Neither,
            _ => BySize::Unclear,
        }
    }

    /// Parses a number, or a word for a spread of zero.
    pub(crate) fn number(&self, text: &str) -> Option<Decimal> {
        if is_pick(text) { Some(Decimal::ZERO) } else { Decimal::parse(text, self.mark) }
    }

    fn row(&self, team: Team) -> NumberedRow<'r> {
        match team {
            Team::Away => self.away,
            Team::Home => self.home.unwrap_or(self.away),
        }
    }

    fn of(&self, team: Team, index: usize) -> &'r str {
        let text = cell(self.row(team).record, index);
        if self.missing.iter().any(|word| word.eq_ignore_ascii_case(text)) { "" } else { text }
    }
}

/// Returns true for the words for a spread of zero.
pub(crate) fn is_pick(text: &str) -> bool {
    ["pk", "pick", "pick'em", "pickem"].iter().any(|word| word.eq_ignore_ascii_case(text))
}
