//! Bringing the tables up to date, whichever database they are in.

use sea_orm::{ConnectionTrait, DbErr, Statement};

use crate::migrations;

/// The steps that the tables have had, first to last.
pub(crate) async fn steps(connection: &impl ConnectionTrait) -> Result<Vec<String>, DbErr> {
    let read = "SELECT version FROM seaql_migrations ORDER BY version";
    let read = Statement::from_string(connection.get_database_backend(), read);
    connection.query_all_raw(read).await?.iter().map(|step| step.try_get_by_index(0)).collect()
}

/// The same; none where that cannot be read.
async fn readable_steps(connection: &impl ConnectionTrait) -> Vec<String> {
    steps(connection).await.unwrap_or_default()
}

/// Whether there are any.
pub(crate) async fn are_made(connection: &impl ConnectionTrait) -> bool {
    !readable_steps(connection).await.is_empty()
}

/// Whether they have had every step of ours, and no other.
pub(crate) async fn are_up_to_date(connection: &impl ConnectionTrait) -> bool {
    readable_steps(connection).await.iter().eq(migrations::ALL.iter().map(|step| step.name))
}

/// Whether they have had a step that is none of ours.
pub(crate) async fn are_newer(connection: &impl ConnectionTrait) -> bool {
    readable_steps(connection).await.iter().any(|name| migrations::ALL.iter().all(|step| step.name != name))
}
