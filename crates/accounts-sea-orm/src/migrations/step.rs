use sea_orm::sea_query::{IndexCreateStatement, TableCreateStatement};

/// One step of the migration.
pub(crate) struct Step {
    /// Its name, as databases that had it record it.
    pub(crate) name: &'static str,
    pub(crate) tables: fn() -> Vec<TableCreateStatement>,
    pub(crate) index: fn() -> IndexCreateStatement,
}
