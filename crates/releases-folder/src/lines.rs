use sports_domain::{GameLines, HomeSpread, LineColumn};

use crate::cells;
use crate::columns::Field;
use crate::findings::Findings;
use crate::layout::Layout;
use crate::table::Row;

/// Home and away spread may differ from opposites by what arithmetic loses, and no more.
const OPPOSITE_WITHIN: f64 = 1e-9;

/// Where a file has its lines and prices.
#[derive(Debug)]
pub(crate) struct LineColumns {
    prices: Vec<(LineColumn, usize)>,
    spread: SpreadColumns,
    open_spread: SpreadColumns,
    total: Option<usize>,
    open_total: Option<usize>,
}

#[derive(Debug)]
struct SpreadColumns {
    home: Option<usize>,
    away: Option<usize>,
}

impl LineColumns {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        let find = |column| layout.find(Field::Line(column));
        Self {
            prices: layout.lines().filter(|(column, _)| column.holds_prices()).collect(),
            spread: SpreadColumns { home: find(LineColumn::HomePointSpread), away: find(LineColumn::AwayPointSpread) },
            open_spread: SpreadColumns {
                home: find(LineColumn::OpenHomePointSpread),
                away: find(LineColumn::OpenAwayPointSpread),
            },
            total: find(LineColumn::OverUnder),
            open_total: find(LineColumn::OpenOverUnder),
        }
    }

    pub(crate) fn read(&self, row: Row<'_>, found: &mut Findings) -> GameLines {
        let mut lines = GameLines {
            spread: self.spread.read(row, found),
            open_spread: self.open_spread.read(row, found),
            total: found.take(row, self.total, cells::total).ok().flatten(),
            open_total: found.take(row, self.open_total, cells::total).ok().flatten(),
            ..GameLines::default()
        };
        for (column, index) in &self.prices {
            lines.set_price(*column, found.take(row, Some(*index), cells::price).ok().flatten());
        }
        lines
    }
}

impl SpreadColumns {
    /// One side alone says both.
    fn read(&self, row: Row<'_>, found: &mut Findings) -> Option<HomeSpread> {
        let home = found.take(row, self.home, cells::spread);
        let away = found.take(row, self.away, cells::spread);
        let (home, away) = (home.ok()?, away.ok()?);
        if let (Some(home), Some(away), Some(column)) = (home, away, self.away)
            && (home + away).abs() > OPPOSITE_WITHIN
        {
            found.cell(row, column, format!("{}, the opposite of the home team's spread", 0.0 - home));
        }
        HomeSpread::new(home.or(away.map(|away| -away))?).ok()
    }
}
