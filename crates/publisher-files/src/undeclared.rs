//! Extra columns that look like probabilities, which nothing grades until they are declared.

use std::collections::BTreeMap;

use sports_domain::{ModelName, Probability};
use sports_publication::registry::{Registry, probability_in};

use crate::cells;
use crate::table::Table;

/// The number of values from which on a column is judged.
const FEWEST: usize = 5;

/// The values of an extra column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ColumnCounts {
    files: usize,
    values: usize,
    /// True if all values are numbers from 0 to 1.
    within: bool,
    /// True if a value is neither 0 nor 1.
    between: bool,
}

/// The extra columns without a declaration, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct UndeclaredColumns(BTreeMap<ModelName, ColumnCounts>);

impl UndeclaredColumns {
    /// Counts the values of the extra columns of one table.
    pub(crate) fn in_columns(table: &Table, columns: &[usize]) -> Self {
        let mut undeclared = Self::default();
        for column in columns {
            let Ok(name) = table.columns()[*column].parse() else { continue };
            let mut tally = ColumnCounts { files: 1, values: 0, within: true, between: false };
            for value in table.rows().filter_map(|row| cells::extra(row.cell(*column)).ok().flatten()) {
                let number = probability_in(&value).map(Probability::get);
                tally.values += 1;
                tally.within &= number.is_some();
                tally.between |= number.is_some_and(|number| number > 0.0 && number < 1.0);
            }
            undeclared.0.insert(name, tally);
        }
        undeclared
    }

    /// Adds the columns of another table.
    pub(crate) fn add(&mut self, others: Self) {
        for (name, other) in others.0 {
            let tally =
                self.0.entry(name).or_insert(ColumnCounts { files: 0, values: 0, within: true, between: false });
            *tally = ColumnCounts {
                files: tally.files + other.files,
                values: tally.values + other.values,
                within: tally.within && other.within,
                between: tally.between || other.between,
            };
        }
    }

    /// Returns a warning for each column that looks like probabilities, with its declaration beside the models of a registry.
    pub(crate) fn warnings(&self, registry: &Registry) -> Vec<String> {
        let mut taken: Vec<_> = registry.not_models().iter().copied().collect();
        let like = self.0.iter().filter(|(_, tally)| tally.within && tally.between && tally.values >= FEWEST);
        let warnings = like.map(|(name, tally)| {
            let files = if tally.files == 1 { "1 file".to_owned() } else { format!("{} files", tally.files) };
            let remedy = remedy(*name, registry, &taken);
            taken.push(*name);
            format!(
                "column {name} ({files}) looks like probabilities and is kept as an extra column, which nothing grades; {remedy}"
            )
        });
        warnings.collect()
    }
}

/// Returns the line of `release.json` for a column, or the reason why a model cannot have its name beside `taken` ones.
pub(crate) fn remedy(name: ModelName, registry: &Registry, taken: &[ModelName]) -> String {
    let add = |value: &str| format!("add \"models\": {{\"{name}\": {value}}} to release.json");
    match registry.check_name(name, taken.iter().copied()) {
        Ok(()) => format!("for a model {}, for anything else \"{name}\": false", add("{}")),
        // Names of no models may differ in letter case alone.
        Err(reason) if registry.check_name(name, []).is_ok() => {
            format!("for a model rename the column: {reason}; for anything else {}", add("false"))
        }
        Err(reason) => format!("for a model rename the column: {reason}"),
    }
}

/// The number of columns that one message names.
const MOST_NAMED: usize = 20;

/// Returns the entry of `release.json` for columns of which some may be models, with those that can be declared.
pub(crate) fn remedy_of_several(names: &[ModelName], registry: &Registry) -> String {
    let names = &names[..names.len().min(MOST_NAMED)];
    let listed = |names: &mut dyn Iterator<Item = String>| names.collect::<Vec<_>>().join(", ");
    let all = listed(&mut names.iter().map(ToString::to_string));
    let can_be_declared = |name: &&ModelName| registry.check_name(**name, []).is_ok();
    let entries = listed(&mut names.iter().filter(can_be_declared).map(|name| format!("\"{name}\": {{}}")));
    format!("{all} are not declared; the line for models among them is \"models\": {{{entries}}} in release.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_cannot_be_declared_gets_no_line_to_add() {
        let name = |text: &str| text.parse::<ModelName>().expect("a name");
        let like = ColumnCounts { files: 1, values: FEWEST, within: true, between: true };
        let undeclared = UndeclaredColumns(["wx", "WX", "confidence"].map(|text| (name(text), like)).into());
        let begin = "looks like probabilities and is kept as an extra column, which nothing grades; for a model";
        assert_eq!(
            undeclared.warnings(&Registry::default()),
            [
                format!(
                    "column WX (1 file) {begin} add \"models\": {{\"WX\": {{}}}} to release.json, for anything else \"WX\": false"
                ),
                format!(
                    "column confidence (1 file) {begin} rename the column: its name is reserved for something else"
                ),
                format!(
                    "column wx (1 file) {begin} rename the column: its name differs from `WX` in letter case alone; for anything \
                     else add \"models\": {{\"wx\": false}} to release.json"
                ),
            ]
        );
    }
}
