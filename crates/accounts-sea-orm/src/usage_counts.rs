use std::collections::BTreeMap;

use async_trait::async_trait;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, ExprTrait, FromQueryResult, Statement, Value};
use sports_accounts::{CalendarMonth, CustomerId, ProcessId};
use sports_ports::PortError;
use sports_ports::metering::{ProcessCount, UsageCount, UsageCounts};

use crate::AccountsDatabase;
use crate::database::ROWS;
use crate::entities::process_count::{ActiveModel, Column, Entity, Model};

const PORT: &str = "usage counts";

/// Rows read in one statement: far fewer than a database reads within the time that a caller waits.
const PAGE: usize = 10_000;

#[async_trait]
impl UsageCounts for AccountsDatabase {
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError> {
        totals(self.counts_of_month(month).await?)
    }

    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError> {
        let mut counts = totals(self.answer(PORT, counts_of_customer(&self.reader(), customer)).await?)?;
        counts.sort_unstable_by_key(|count| std::cmp::Reverse(count.month));
        Ok(counts)
    }

    async fn of_others(
        &self,
        customer: CustomerId,
        month: CalendarMonth,
        process: ProcessId,
    ) -> Result<u64, PortError> {
        let mut rows = self.answer(PORT, counts_of_customer(&self.reader(), customer)).await?;
        let (month, process) = (month.to_string(), process.to_string());
        rows.retain(|row| row.month == month && row.process != process);
        Ok(totals(rows)?.iter().map(|count| count.calls).sum())
    }

    async fn record(&self, counts: &[ProcessCount]) -> Result<(), PortError> {
        self.answer(PORT, async { self.trusted(self.record_each(counts).await) }).await
    }
}

impl AccountsDatabase {
    /// Selects every count of a month; counts without a process have an empty one. Each page is a statement of its own,
    /// so that a month with any number of rows can be read. Numbers that grow meanwhile are read as they were before or
    /// after.
    async fn counts_of_month(&self, month: CalendarMonth) -> Result<Vec<Model>, PortError> {
        let (mut counts, month) = (Vec::<Model>::new(), month.to_string());
        loop {
            let page = self.answer(PORT, page_of_month(&self.reader(), &month, counts.last())).await?;
            let is_last = page.len() < PAGE;
            counts.extend(page);
            if is_last {
                return Ok(counts);
            }
        }
    }

    async fn record_each(&self, counts: &[ProcessCount]) -> Result<(), DbErr> {
        let mut counts = counts.to_vec();
        // Rows are locked in one order, so that no two processes wait for each other.
        counts.sort_unstable_by_key(|count| (count.customer, count.month, count.process));
        let transaction = self.begin_write().await?;
        for some in counts.chunks(ROWS) {
            let rows = some.iter().map(ActiveModel::from);
            Entity::insert_many(rows).on_conflict(the_higher()).exec_without_returning(&transaction).await?;
        }
        transaction.commit().await
    }
}

/// Keeps the higher of two numbers of a process.
fn the_higher() -> OnConflict {
    let (kept, new) = (Expr::col((Entity, Column::Admitted)), Expr::col(("excluded", Column::Admitted)));
    let higher = Expr::case(new.clone().gt(kept.clone()), new).finally(kept);
    OnConflict::columns([Column::CustomerId, Column::Month, Column::Process]).value(Column::Admitted, higher).to_owned()
}

/// Reads at most a page of the counts of a month that follow the last count read, by customer and process.
async fn page_of_month(
    connection: &impl ConnectionTrait,
    month: &str,
    last: Option<&Model>,
) -> Result<Vec<Model>, DbErr> {
    let page = format!(
        "SELECT * FROM (\
         SELECT * FROM (SELECT customer_id, month, '' AS process, calls AS admitted, CAST(0 AS bigint) AS given_back \
         FROM usage_counts WHERE month = $1 AND customer_id > $2 ORDER BY customer_id LIMIT {PAGE}) AS alone \
         UNION ALL \
         SELECT * FROM (SELECT customer_id, month, process, admitted, given_back FROM process_counts \
         WHERE month = $1 AND customer_id >= $2 AND (customer_id > $2 OR process > $3) \
         ORDER BY customer_id, process LIMIT {PAGE}) AS together\
         ) AS both_kinds ORDER BY customer_id, process LIMIT {PAGE}"
    );
    let (customer, process) = last.map_or(("", ""), |last| (&last.customer_id, &last.process));
    read(connection, &page, [month.into(), customer.into(), process.into()]).await
}

/// Selects every count of a customer; counts without a process have an empty one. One statement reads both tables, so
/// they are as of one moment.
async fn counts_of_customer(connection: &impl ConnectionTrait, customer: CustomerId) -> Result<Vec<Model>, DbErr> {
    let both = "SELECT customer_id, month, '' AS process, calls AS admitted, CAST(0 AS bigint) AS given_back \
                FROM usage_counts WHERE customer_id = $1 \
                UNION ALL \
                SELECT customer_id, month, process, admitted, given_back FROM process_counts WHERE customer_id = $1";
    read(connection, both, [customer.to_string().into()]).await
}

async fn read(
    connection: &impl ConnectionTrait,
    statement: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<Model>, DbErr> {
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), statement, values);
    let rows = connection.query_all_raw(statement).await?;
    rows.iter().map(|row| Model::from_query_result(row, "")).collect()
}

/// Adds up the counts of each customer and month.
fn totals(rows: Vec<Model>) -> Result<Vec<UsageCount>, PortError> {
    let mut totals = BTreeMap::<_, u64>::new();
    for row in rows {
        let count = UsageCount::try_from(row).map_err(|source| PortError::corrupt(PORT, source))?;
        *totals.entry((count.customer, count.month)).or_default() += count.calls;
    }
    Ok(totals.into_iter().map(|((customer, month), calls)| UsageCount { customer, month, calls }).collect())
}
