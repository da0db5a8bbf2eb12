//! Bringing the tables up to date, whichever database they are in.

use sea_orm::sea_query::{ColumnDef, Expr, InsertStatement, Query, Table, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, DeriveIden, Statement};

use crate::migrations::{ALL, Step};

/// The table of the steps that a database had, named and built as by `sea-orm-migration`, which made the first steps.
#[derive(DeriveIden)]
enum SeaqlMigrations {
    Table,
    Version,
    AppliedAt,
}

/// Returns the steps that the tables have had, first to last.
async fn steps(connection: &impl ConnectionTrait) -> Result<Vec<String>, DbErr> {
    let read = "SELECT version FROM seaql_migrations ORDER BY version";
    let read = Statement::from_string(connection.get_database_backend(), read);
    connection.query_all_raw(read).await?.iter().map(|step| step.try_get_by_index(0)).collect()
}

/// Returns the steps that the tables have had; no step if they cannot be read.
async fn readable_steps(connection: &impl ConnectionTrait) -> Vec<String> {
    steps(connection).await.unwrap_or_default()
}

/// Returns true if the tables have had a step.
pub(crate) async fn are_made(connection: &impl ConnectionTrait) -> bool {
    !readable_steps(connection).await.is_empty()
}

/// Returns true if the tables have had every known step, and no other.
pub(crate) async fn are_up_to_date(connection: &impl ConnectionTrait) -> bool {
    readable_steps(connection).await.iter().eq(ALL.iter().map(|step| step.name))
}

/// Returns true if the tables lack a known step; false for those of a newer program.
pub(crate) async fn are_older(connection: &impl ConnectionTrait) -> bool {
    !are_up_to_date(connection).await && !are_newer(connection).await
}

/// Returns true if the tables have had an unknown step.
pub(crate) async fn are_newer(connection: &impl ConnectionTrait) -> bool {
    readable_steps(connection).await.iter().any(|name| ALL.iter().all(|step| step.name != name))
}

/// Makes the steps that a database did not have; within a transaction of the caller.
///
/// # Errors
///
/// [`DbErr`] of a statement, and of a database that had an unknown step.
pub(crate) async fn make_all(connection: &impl ConnectionTrait) -> Result<(), DbErr> {
    connection.execute(&record()).await?;
    let made = steps(connection).await?;
    if let Some(newer) = made.iter().find(|name| ALL.iter().all(|step| step.name != *name)) {
        return Err(DbErr::Custom(format!("the database had the step {newer}, which this version does not know")));
    }
    for step in ALL.iter().filter(|step| !made.iter().any(|name| name == step.name)) {
        for table in (step.tables)() {
            connection.execute(&table).await?;
        }
        for column in (step.columns)() {
            connection.execute(&column).await?;
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
