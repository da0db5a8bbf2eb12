//! Columns of probabilities that are divided by 100 once too often.

use sports_publication::season_table::ColumnKind;

use crate::cells;
use crate::findings::Findings;
use crate::layout::Layout;
use crate::table::Table;

/// The number of values from which on a column is judged.
const FEWEST: usize = 2;

/// The largest value that a column of wrong scale has: a probability of 1 that was read as one percent.
const LARGEST: f64 = 0.01;

/// Records a problem of each column of probabilities in which no value exceeds one percent.
pub(crate) fn check(layout: &Layout, table: &Table, found: &mut Findings) {
    let known = layout.season_columns().filter(|(column, _)| column.kind == ColumnKind::Probability);
    let columns = known.map(|(_, index)| index).chain(layout.own_models().iter().map(|(_, index)| *index));
    for index in columns {
        let values = || table.rows().filter_map(|row| cells::probability(row.cell(index)).ok().flatten());
        let posted = || values().filter(|value| value.get() > 0.0);
        // A usual column ends this at its first value.
        if posted().all(|value| value.get() <= LARGEST) && posted().nth(FEWEST - 1).is_some() {
            let expected = format!("probabilities from 0 to 1, of which one exceeds {LARGEST}: multiply by 100");
            found.column(&table.columns()[index], None, expected);
        }
    }
}
