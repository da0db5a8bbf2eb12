use async_trait::async_trait;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, ExprTrait, FromQueryResult, Statement};
use sports_accounts::CalendarMonth;
use sports_ports::PortError;
use sports_ports::metering::{ProcessCount, ProcessCounts};

use crate::AccountsDatabase;
use crate::entities::process_count::{Column, Entity, Model, counted_by};

const PORT: &str = "usage counts";

/// Rows in one statement: five values each, far below what any database takes.
const ROWS: usize = 500;

#[async_trait]
impl ProcessCounts for AccountsDatabase {
    async fn of_month_by_process(&self, month: CalendarMonth) -> Result<Vec<ProcessCount>, PortError> {
        to_counts(self.answer(PORT, all_counts(self.reader(), "month", &month.to_string())).await?)
    }

    async fn record_of_processes(&self, counts: &[ProcessCount]) -> Result<(), PortError> {
        self.answer(PORT, async { self.trusted(self.record_each(counts).await) }).await
    }
}

impl AccountsDatabase {
    async fn record_each(&self, counts: &[ProcessCount]) -> Result<(), DbErr> {
        let mut counts: Vec<_> = counts.iter().filter_map(|count| Some((count.process?, count))).collect();
        // Rows are locked in one order, so that no two processes wait for each other.
        counts.sort_unstable_by_key(|(process, count)| (count.customer, count.month, *process));
        let transaction = self.begin_write().await?;
        for some in counts.chunks(ROWS) {
            let rows = some.iter().map(|(process, count)| counted_by(*process, count));
            Entity::insert_many(rows).on_conflict(the_higher()).exec_without_returning(&transaction).await?;
        }
        transaction.commit().await
    }
}

/// Keeps of each number the higher.
fn the_higher() -> OnConflict {
    let higher = |column: Column| {
        let (kept, new) = (Expr::col((Entity, column)), Expr::col(("excluded", column)));
        Expr::case(new.clone().gt(kept.clone()), new).finally(kept)
    };
    OnConflict::columns([Column::CustomerId, Column::Month, Column::Process])
        .value(Column::Admitted, higher(Column::Admitted))
        .value(Column::GivenBack, higher(Column::GivenBack))
        .to_owned()
}

/// Every count whose `column` has a value, those of no process with an empty one. One statement reads both tables, so they
/// are as of one moment.
pub(crate) async fn all_counts(
    connection: &impl ConnectionTrait,
    column: &'static str,
    value: &str,
) -> Result<Vec<Model>, DbErr> {
    let both = format!(
        "SELECT customer_id, month, '' AS process, calls AS admitted, CAST(0 AS bigint) AS given_back \
         FROM usage_counts WHERE {column} = $1 \
         UNION ALL SELECT customer_id, month, process, admitted, given_back FROM process_counts WHERE {column} = $1"
    );
    let both = Statement::from_sql_and_values(connection.get_database_backend(), both, [value.into()]);
    let rows = connection.query_all_raw(both).await?;
    rows.iter().map(|row| Model::from_query_result(row, "")).collect()
}

pub(crate) fn to_counts(rows: Vec<Model>) -> Result<Vec<ProcessCount>, PortError> {
    let counts = rows.into_iter().map(ProcessCount::try_from);
    counts.collect::<Result<_, _>>().map_err(|source| PortError::corrupt(PORT, source))
}
