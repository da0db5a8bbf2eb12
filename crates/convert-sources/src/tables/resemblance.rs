use sports_releases_folder::trade_name;

use crate::tables::field::Field;
use crate::tables::map::ColumnMap;

/// Returns the columns that nothing reads although they look like a value that the map takes from nowhere, each with the
/// name of that value.
pub(crate) fn resemblances<'h>(unused: impl Iterator<Item = &'h str>, map: &ColumnMap) -> Vec<(&'h str, &'static str)> {
    let is_read = |name: &str| {
        let field = Field::all().find(|(_, known)| *known == name).map(|(field, _)| field);
        let by_start = ["date", "time_est"].contains(&name) && map.entry(Field::Start).is_some();
        by_start || field.is_some_and(|field| map.entry(field).is_some())
    };
    let meant = unused.filter_map(|column| Some((column, trade_name(column)?)));
    meant.filter(|(_, name)| !is_read(name)).collect()
}
