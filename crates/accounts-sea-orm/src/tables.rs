//! Bringing the tables up to date, whichever database they are in.

use sea_orm::{ConnectionTrait, Statement};
use sea_orm_migration::MigratorTrait;

use crate::migrations::Migrations;

/// The steps that the tables have had, first to last; none where that cannot be read.
async fn steps(connection: &impl ConnectionTrait) -> Vec<String> {
    let read = "SELECT version FROM seaql_migrations ORDER BY version";
    let read = Statement::from_string(connection.get_database_backend(), read);
    let steps = connection.query_all_raw(read).await.unwrap_or_default();
    steps.iter().filter_map(|step| step.try_get_by_index(0).ok()).collect()
}

/// Whether there are any.
pub(crate) async fn are_made(connection: &impl ConnectionTrait) -> bool {
    !steps(connection).await.is_empty()
}

/// Whether they have had every step of ours, and no other.
pub(crate) async fn are_up_to_date(connection: &impl ConnectionTrait) -> bool {
    steps(connection).await.iter().eq(Migrations::migrations().iter().map(|step| step.name()))
}

/// Whether they have had a step that is none of ours.
pub(crate) async fn are_newer(connection: &impl ConnectionTrait) -> bool {
    let ours = Migrations::migrations();
    steps(connection).await.iter().any(|name| ours.iter().all(|step| step.name() != name))
}
