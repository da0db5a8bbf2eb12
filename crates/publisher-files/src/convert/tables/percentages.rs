//! Columns of percentages that contradict their form.

use super::field::ProbabilityForm;
use super::plan::{ModelOrigin, Plan};
use super::prices::Decimal;
use super::source::Cells;
use crate::convert::tables::findings::Findings;

/// The columns of percentages of a file.
#[derive(Debug)]
pub(crate) struct Percentages<'p>(Vec<Column<'p>>);

#[derive(Debug)]
struct Column<'p> {
    model: &'p ModelOrigin,
    values: u64,
    /// True if a value exceeds 1.
    exceeds: bool,
}

impl<'p> Percentages<'p> {
    pub(crate) fn of(plan: &'p Plan) -> Self {
        let percent = plan.models.iter().filter(|model| model.form == ProbabilityForm::Percent);
        Self(percent.map(|model| Column { model, values: 0, exceeds: false }).collect())
    }

    /// Adds a game. Values with a percent sign are percentages in any case.
    pub(crate) fn add(&mut self, cells: &Cells<'_>) {
        for column in &mut self.0 {
            let text = cells.text(&column.model.origin);
            if !column.exceeds && !text.is_empty() {
                column.values += 1;
                column.exceeds = Decimal::parse(text, cells.mark).is_none_or(|number| !number.is_within(0, 1));
            }
        }
    }

    /// Records a problem of each column of at least two values in which none exceeds 1.
    pub(crate) fn finish(self, found: &mut Findings) {
        for Column { model, .. } in self.0.into_iter().filter(|column| column.values > 1 && !column.exceeds) {
            let remedy = "fractions have `probabilities = \"fraction\"` in the map, or is = \"fraction\" in the entry";
            let expected = format!("percentages of a probability, of which one exceeds 1; {remedy}");
            found.file_problem(Some(model.origin.name()), expected);
        }
    }
}
