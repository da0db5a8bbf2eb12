use sports_domain::{Forecasts, ModelColumn};

use crate::cells;
use crate::findings::Findings;
use crate::layout::Layout;
use crate::table::Row;

/// Where a file has its probabilities.
#[derive(Debug)]
pub(crate) struct ModelColumns(Vec<(ModelColumn, usize)>);

impl ModelColumns {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        Self(layout.models().collect())
    }

    /// What the models say in a row; an empty cell is a model that says nothing.
    pub(crate) fn read(&self, row: Row<'_>, found: &mut Findings) -> Forecasts {
        let read = |all: Forecasts, (model, column): &(ModelColumn, usize)| match found.take(
            row,
            Some(*column),
            cells::probability,
        ) {
            Ok(Some(probability)) => all.with(*model, probability),
            _ => all,
        };
        self.0.iter().fold(Forecasts::default(), read)
    }
}
