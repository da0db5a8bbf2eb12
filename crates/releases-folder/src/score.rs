use sports_domain::FinalScore;

use crate::cells;
use crate::columns::Field;
use crate::findings::{Findings, Told};
use crate::layout::Layout;
use crate::table::Row;

/// Where a file has its finals.
#[derive(Debug)]
pub(crate) struct ScoreColumns {
    away: Option<usize>,
    home: Option<usize>,
}

impl ScoreColumns {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self { away: layout.find(Field::AwayScore), home: layout.find(Field::HomeScore) }
    }

    /// Whether the file has either column.
    pub(crate) const fn any(&self) -> bool {
        self.away.is_some() || self.home.is_some()
    }

    /// Both scores, or neither.
    pub(crate) fn read(&self, row: Row<'_>, found: &mut Findings) -> Result<Option<FinalScore>, Told> {
        let away = found.take(row, self.away, cells::score);
        let home = found.take(row, self.home, cells::score);
        match (away?, home?) {
            (Some(away), Some(home)) => Ok(Some(FinalScore { away, home })),
            (None, None) => Ok(None),
            (Some(_), None) => missing(row, self.home, "home_score", found),
            (None, Some(_)) => missing(row, self.away, "away_score", found),
        }
    }
}

fn missing<T>(row: Row<'_>, column: Option<usize>, name: &str, found: &mut Findings) -> Result<T, Told> {
    let name = column.map_or(name, |column| row.column(column));
    found.named_cell(row.number(), name, None, "both scores or neither");
    Err(Told)
}
