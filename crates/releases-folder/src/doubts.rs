//! Extra columns that look like probabilities, which nothing grades until they are declared.

use std::collections::BTreeMap;

use sports_domain::{ModelName, Probability};
use sports_publication::registry::{is_reserved, probability_in};

use crate::cells;
use crate::table::Table;

/// The number of values from which on a column is judged.
const FEWEST: usize = 5;

/// The values of an extra column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tally {
    files: usize,
    values: usize,
    /// True if all values are numbers from 0 to 1.
    within: bool,
    /// True if a value is neither 0 nor 1.
    between: bool,
}

/// The extra columns without a declaration, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Doubts(BTreeMap<String, Tally>);

impl Doubts {
    /// Counts the values of the extra columns of one table.
    pub(crate) fn in_columns(table: &Table, columns: &[usize]) -> Self {
        let mut doubts = Self::default();
        for column in columns {
            let name = &table.columns()[*column];
            if name.parse::<ModelName>().is_err() || is_reserved(name) {
                continue;
            }
            let mut tally = Tally { files: 1, values: 0, within: true, between: false };
            for value in table.rows().filter_map(|row| cells::extra(row.cell(*column))) {
                let number = probability_in(&value).map(Probability::get);
                tally.values += 1;
                tally.within &= number.is_some();
                tally.between |= number.is_some_and(|number| number > 0.0 && number < 1.0);
            }
            doubts.0.insert(name.clone(), tally);
        }
        doubts
    }

    /// Adds the columns of another table.
    pub(crate) fn add(&mut self, others: Self) {
        for (name, other) in others.0 {
            let tally = self.0.entry(name).or_insert(Tally { files: 0, values: 0, within: true, between: false });
            *tally = Tally {
                files: tally.files + other.files,
                values: tally.values + other.values,
                within: tally.within && other.within,
                between: tally.between || other.between,
            };
        }
    }

    /// Returns a warning for each column that looks like probabilities.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        let like = self.0.iter().filter(|(_, tally)| tally.within && tally.between && tally.values >= FEWEST);
        like.map(|(name, tally)| {
            let files = if tally.files == 1 { "1 file".to_owned() } else { format!("{} files", tally.files) };
            format!(
                "column {name} ({files}) looks like probabilities and is kept as an extra column, which nothing grades; \
                 for a model add \"models\": {{\"{name}\": {{}}}} to release.json, for anything else \"{name}\": false"
            )
        })
    }
}
