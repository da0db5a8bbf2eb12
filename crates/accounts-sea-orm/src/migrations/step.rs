use sea_orm::sea_query::{IndexCreateStatement, TableAlterStatement, TableCreateStatement};

/// One step of the migration.
pub(crate) struct Step {
    /// Its name, as databases that had it record it.
    pub(crate) name: &'static str,
    pub(crate) tables: fn() -> Vec<TableCreateStatement>,
    /// The columns that it adds to tables of earlier steps.
    pub(crate) columns: fn() -> Vec<TableAlterStatement>,
    pub(crate) index: fn() -> IndexCreateStatement,
}
