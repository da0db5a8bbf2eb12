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

/// The cells of one game: one row of the file, or the rows of both teams.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'r> {
    /// The number of the first row.
    pub(crate) row: u64,
    pub(crate) away: &'r StringRecord,
    /// `None` for a game with one row.
    pub(crate) home: Option<&'r StringRecord>,
    pub(crate) mark: DecimalMark,
    /// Words for an empty cell.
    pub(crate) missing: &'r [String],
}

/// The cells of a column in the two rows of a game, by size.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BySize<'r> {
    /// Both rows have a number; the team is that of the smaller one.
    Both {
        smaller: (Team, &'r str),
        larger: &'r str,
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
            Origin::Column { index, row, .. } => match (self.home, row) {
                (None, _) | (_, Some(RowOfGame::Away)) => self.of(Team::Away, *index),
                (Some(_), Some(RowOfGame::Home)) => self.of(Team::Home, *index),
                (Some(_), None) => Some(self.of(Team::Away, *index))
                    .filter(|text| !text.is_empty())
                    .unwrap_or_else(|| self.of(Team::Home, *index)),
                (Some(_), Some(RowOfGame::Smaller | RowOfGame::Larger)) => match (self.by_size(*index), row) {
                    (BySize::Both { smaller: (_, text), .. }, Some(RowOfGame::Smaller)) => text,
                    (BySize::Both { larger, .. }, _) => larger,
                    _ => "",
                },
            },
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
    pub(crate) fn by_size(&self, index: usize) -> BySize<'r> {
        let [away, home] = [Team::Away, Team::Home].map(|team| self.of(team, index));
        let number = |text: &str| if is_pick(text) { Some(Decimal::ZERO) } else { Decimal::parse(text, self.mark) };
        match (number(away), number(home)) {
            (Some(of_away), Some(of_home)) => match of_away.absolute().compared(of_home.absolute()) {
                std::cmp::Ordering::Less => BySize::Both { smaller: (Team::Away, away), larger: home },
                std::cmp::Ordering::Greater => BySize::Both { smaller: (Team::Home, home), larger: away },
                std::cmp::Ordering::Equal => BySize::Unclear,
            },
            _ if away.is_empty() && home.is_empty() => BySize::Neither,
            _ => BySize::Unclear,
        }
    }

    fn of(&self, team: Team, index: usize) -> &'r str {
        let record = match team {
            Team::Away => self.away,
            Team::Home => self.home.unwrap_or(self.away),
        };
        let text = cell(record, index);
        if self.missing.iter().any(|word| word.eq_ignore_ascii_case(text)) { "" } else { text }
    }
}

/// Returns true for the words for a spread of zero.
pub(crate) fn is_pick(text: &str) -> bool {
    ["pk", "pick", "pick'em", "pickem"].iter().any(|word| word.eq_ignore_ascii_case(text))
}
