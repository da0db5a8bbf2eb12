use sports_domain::LineColumn;
use sports_publication::Value;
use sports_publication::season_table::{SEASON_COLUMNS, SeasonColumn};

use crate::findings::Findings;
use crate::game_columns::GameRow;
use crate::layout::Layout;
use crate::table::Row;

/// The largest difference between home spread and negated away spread: no more than rounding loses.
const OPPOSITE_WITHIN: f64 = 1e-9;

/// The spreads for which a file has the away side, which must be the negated home side.
#[derive(Debug)]
pub(crate) struct SpreadColumns(Vec<SpreadColumn>);

#[derive(Debug)]
struct SpreadColumn {
    home: &'static SeasonColumn,
    away: &'static SeasonColumn,
    place_of_away: usize,
}

impl SpreadColumns {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        let both_sides = [
            (LineColumn::HomePointSpread, LineColumn::AwayPointSpread),
            (LineColumn::OpenHomePointSpread, LineColumn::OpenAwayPointSpread),
        ];
        let column = |line| SEASON_COLUMNS.iter().find(|column| column.line_column() == Some(line));
        let spread = |(home, away)| {
            let (home, away) = (column(home)?, column(away)?);
            Some(SpreadColumn { home, away, place_of_away: layout.find(away)? })
        };
        Self(both_sides.into_iter().filter_map(spread).collect())
    }

    /// Records a problem if the two sides of a spread are not opposites; a single side is valid.
    pub(crate) fn check(&self, read: &GameRow<'_>, row: Row<'_>, found: &mut Findings) {
        for SpreadColumn { home, away, place_of_away } in &self.0 {
            let points = |column| read.get(column).ok().flatten().as_ref().and_then(Value::number);
            if let (Some(home), Some(away)) = (points(home), points(away))
                && (home + away).abs() > OPPOSITE_WITHIN
            {
                let expected = format!("{}, the opposite of the home team's spread", 0.0 - home);
                found.cell(row, *place_of_away, expected);
            }
        }
    }
}
