//! A live row against the forecast that its leaf commits to.

use sports_domain::ModelName;

use super::leaf_history::StatedLeaves;
use super::opened_forecast::OpenedForecast;
use super::releases::{ResultRow, RowStatements};

/// Compares a live row with the forecast that it states. Returns the models whose probabilities the forecast cannot have, since
/// they were declared later.
///
/// # Errors
///
/// A sentence about the first difference.
pub(crate) fn compare(
    leaves: &StatedLeaves,
    row: &ResultRow,
    opened: &OpenedForecast<'_>,
) -> Result<Vec<ModelName>, String> {
    let index = opened.index;
    if !row.live_run.as_deref().is_some_and(|run| opened.is_of(run)) {
        return Err(format!("the payload of leaf {index} is of another release than the row"));
    }
    let later = compare_probabilities(leaves, row, opened)?;
    for (name, number) in &opened.numbers.lines {
        let line = row.line(name);
        if line != Some(*number) {
            return Err(differs(index, name, Some(*number), line));
        }
    }
    let mut lines = row.lines.iter();
    if let Some((column, number)) = lines.find(|(column, _)| !opened.numbers.lines.contains_key(column.name())) {
        return Err(differs(index, column.name(), None, Some(*number)));
    }
    let published = leaves.leaf(index).and_then(|leaf| leaves.published(leaf.generation));
    let (published_at, _) = published.ok_or("no release leaf of its entry is in the tree")?;
    let expected = RowStatements::of(row, published_at);
    row.statements.difference(&expected).map_or(Ok(later), Err)
}

fn compare_probabilities(
    leaves: &StatedLeaves,
    row: &ResultRow,
    opened: &OpenedForecast<'_>,
) -> Result<Vec<ModelName>, String> {
    let (committed, served) = (&opened.numbers.probabilities, &row.probabilities);
    // Most rows have what was committed to, in the same order.
    let in_order = served.iter().map(|(name, number)| (name.as_str(), number));
    if in_order.eq(committed.iter().map(|(name, number)| (*name, number))) {
        return Ok(Vec::new());
    }
    for (name, number) in committed {
        let served = served.get(*name).copied();
        if served != Some(*number) {
            return Err(differs(opened.index, name, Some(*number), served));
        }
    }
    let mut later = Vec::new();
    for (name, number) in served.iter().filter(|(name, _)| !committed.contains_key(name.as_str())) {
        if name.column().is_some() || leaves.knew_model(name.as_str(), opened.index) {
            return Err(differs(opened.index, name.as_str(), None, Some(*number)));
        }
        later.push(*name);
    }
    Ok(later)
}

/// Returns the sentence about a number that is another one in results than in a leaf.
fn differs(index: u64, name: &str, committed: Option<f64>, served: Option<f64>) -> String {
    let shown = |number: Option<f64>| number.map_or_else(|| "nothing".to_owned(), |number| number.to_string());
    format!("{name} is {} in results and {} in leaf {index}", shown(served), shown(committed))
}
