//! The tables, one step after another. A step that has been released is never edited: add another.

mod columns;
mod m0001_customers_and_keys;
mod m0002_usage_and_datasets;
mod m0003_process_counts;
mod m0004_node_settings;

use sea_orm::sea_query::{ColumnDef, Expr, IndexCreateStatement, InsertStatement, Query, Table, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, DeriveIden};

use crate::tables;

/// How many steps there are: which form the tables have.
pub const STEPS: usize = 4;

/// One step.
pub(crate) struct Step {
    /// Its name, as databases that had it record it.
    pub(crate) name: &'static str,
    pub(crate) tables: fn() -> Vec<TableCreateStatement>,
    pub(crate) index: fn() -> IndexCreateStatement,
}

/// Every step, oldest first.
pub(crate) const ALL: [Step; STEPS] = [
    m0001_customers_and_keys::STEP,
    m0002_usage_and_datasets::STEP,
    m0003_process_counts::STEP,
    m0004_node_settings::STEP,
];

/// Which steps a database had, in a table named and built as `sea-orm-migration` does it, which made the first ones.
#[derive(DeriveIden)]
enum SeaqlMigrations {
    Table,
    Version,
    AppliedAt,
}

/// Makes the steps that a database did not have; within a transaction of the caller.
///
/// # Errors
///
/// [`DbErr`] of a statement, and of a database that had a step which is none of ours.
pub(crate) async fn make_all(connection: &impl ConnectionTrait) -> Result<(), DbErr> {
    connection.execute(&record()).await?;
    let made = tables::steps(connection).await?;
    if let Some(newer) = made.iter().find(|name| ALL.iter().all(|step| step.name != *name)) {
        return Err(DbErr::Custom(format!("the database had the step {newer}, which this version does not know")));
    }
    for step in ALL.iter().filter(|step| !made.iter().any(|name| name == step.name)) {
        for table in (step.tables)() {
            connection.execute(&table).await?;
        }
        connection.execute(&(step.index)()).await?;
        connection.execute(&made_now(step, connection.get_database_backend())).await?;
    }
    Ok(())
}

fn record() -> TableCreateStatement {
    Table::create()
        .if_not_exists()
        .table(SeaqlMigrations::Table)
        .col(ColumnDef::new(SeaqlMigrations::Version).string().not_null().primary_key())
        .col(ColumnDef::new(SeaqlMigrations::AppliedAt).big_integer().not_null())
        .to_owned()
}

/// Records a step, with the second by the clock of the database.
fn made_now(step: &Step, database: DbBackend) -> InsertStatement {
    let seconds = match database {
        DbBackend::Postgres => "CAST(EXTRACT(EPOCH FROM now()) AS bigint)",
        _ => "CAST(strftime('%s', 'now') AS integer)",
    };
    Query::insert()
        .into_table(SeaqlMigrations::Table)
        .columns([SeaqlMigrations::Version, SeaqlMigrations::AppliedAt])
        .values_panic([Expr::value(step.name), Expr::cust(seconds)])
        .to_owned()
}
