//! A map applied to the header of one file: the index of each column that is read.

use std::collections::BTreeMap;

use sports_domain::LineColumn;

use super::field::{FinalForm, ForecastSide, OddsForm, ProbabilityForm, RowOfGame, SeasonForm, SpreadForm};
use crate::convert::tables::field::TextColumn;
use crate::convert::tables::map::Filter;
use crate::convert::tables::patterns::Pattern;
use crate::convert::tables::postseason::Postseason;
use crate::convert::tables::zone::Zone;

/// The source of a value: a constant, or a column of the file.
#[derive(Debug)]
pub(crate) enum Origin {
    Constant(String),
    Column { name: String, index: usize, row: Option<RowOfGame> },
}

impl Origin {
    /// Returns the name for messages: that of the column, or the constant's.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Constant(_) => "constant",
            Self::Column { name, .. } => name,
        }
    }
}

/// The columns of dates and times.
#[derive(Debug)]
pub(crate) struct StartColumns {
    pub(crate) start: Option<(Origin, Vec<Pattern>)>,
    pub(crate) date: Option<(Origin, Vec<Pattern>)>,
    pub(crate) time: Option<(Origin, Vec<Pattern>)>,
    pub(crate) zone: Option<ZoneOrigin>,
}

/// The source of the time zone.
#[derive(Debug)]
pub(crate) enum ZoneOrigin {
    One(Zone),
    Column(Origin),
}

/// The column of a model's probability.
#[derive(Debug)]
pub(crate) struct ModelOrigin {
    /// The place among all models of the map.
    pub(crate) place: usize,
    pub(crate) origin: Origin,
    pub(crate) form: ProbabilityForm,
    pub(crate) of: ForecastSide,
}

/// A column, and the meaning of its words.
#[derive(Debug)]
pub(crate) struct WordColumn {
    pub(crate) origin: Origin,
    pub(crate) words: BTreeMap<String, String>,
}

/// The source of the part of the season.
#[derive(Debug)]
pub(crate) enum GameTypeOrigin {
    Column(WordColumn),
    ByDate(Postseason),
    /// A slate has no game types.
    NotNeeded,
}

/// A condition on a column.
#[derive(Debug)]
pub(crate) struct FilterColumn {
    pub(crate) name: String,
    pub(crate) index: usize,
    pub(crate) filter: Filter,
}

/// The columns of a file that are read, with their forms.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) season: Option<(Origin, SeasonForm)>,
    pub(crate) starts: StartColumns,
    pub(crate) teams: TeamColumns,
    pub(crate) side: Option<WordColumn>,
    pub(crate) pair_by: Vec<usize>,
    pub(crate) favourite: Option<WordColumn>,
    pub(crate) game_number: Option<GameNumbers>,
    pub(crate) game_type: GameTypeOrigin,
    pub(crate) score: Option<(Origin, FinalForm)>,
    /// The points of both teams, in the order of [`TeamColumns`].
    pub(crate) scores: [Option<Origin>; 2],
    pub(crate) status: Option<WordColumn>,
    pub(crate) texts: Vec<(TextColumn, Origin)>,
    pub(crate) prices: Vec<(LineColumn, Origin, OddsForm)>,
    pub(crate) spreads: Vec<(LineColumn, Origin, SpreadForm)>,
    pub(crate) totals: Vec<(LineColumn, Origin)>,
    pub(crate) models: Vec<ModelOrigin>,
    pub(crate) extras: Vec<Option<Origin>>,
    pub(crate) filters: Vec<FilterColumn>,
}

/// The source of the two teams.
#[derive(Debug)]
pub(crate) enum TeamColumns {
    Sides {
        away: Origin,
        home: Origin,
    },
    /// Both in one column, such as `LAL @ BOS` or `BOS vs. LAL`.
    Matchup(Origin),
    /// A team, such as the winner, its opponent, and the place of the game for the team.
    Placed {
        team: Origin,
        opponent: Origin,
        place: WordColumn,
    },
}

/// The source of the numbers that distinguish games of the same teams and date.
#[derive(Debug)]
pub(crate) enum GameNumbers {
    Column(Origin),
    /// Counted in the order of the file.
    Counted,
}
