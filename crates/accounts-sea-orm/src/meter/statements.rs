use sea_orm::{ConnectionTrait, DbErr, Statement, Value};
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::PortError;

use super::{Key, PORT};
use crate::AccountsDatabase;

/// The recorded counts of processes beside the shared count, for one customer and month.
const OF_PROCESSES: &str = "CAST(COALESCE((SELECT sum(admitted - given_back) FROM process_counts \
                            WHERE customer_id = $1 AND month = $2), 0) AS bigint)";

impl AccountsDatabase {
    /// Counts one more call, unless `most` are counted; gives the count with it. One statement decides: those that race
    /// wait for each other's row.
    pub(super) async fn count_up_to(&self, key: Key, most: u64) -> Result<Option<u64>, PortError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let count = format!(
            "INSERT INTO usage_counts (customer_id, month, calls) SELECT $1, $2, 1 WHERE {OF_PROCESSES} < $3 \
             ON CONFLICT (customer_id, month) DO UPDATE SET calls = usage_counts.calls + 1 \
             WHERE usage_counts.calls + {OF_PROCESSES} < $3 RETURNING calls + {OF_PROCESSES}"
        );
        self.answer(PORT, self.number(count, key, Some(most.into()))).await
    }

    /// Takes calls that were given back out of the count; gives the count without them.
    pub(super) async fn take_back(&self, key: Key, calls: u64) -> Result<u64, PortError> {
        let calls = i64::try_from(calls).unwrap_or(i64::MAX);
        let take = format!(
            "UPDATE usage_counts SET calls = GREATEST(calls - $3, 0) WHERE customer_id = $1 AND month = $2 \
             RETURNING calls + {OF_PROCESSES}"
        );
        self.answer(PORT, self.number(take, key, Some(calls.into()))).await.map(Option::unwrap_or_default)
    }

    /// Selects the count of a customer and month.
    pub(super) async fn calls_of(&self, key: Key) -> Result<u64, PortError> {
        let read = format!(
            "SELECT CAST(COALESCE((SELECT calls FROM usage_counts WHERE customer_id = $1 AND month = $2), 0) AS bigint) \
             + {OF_PROCESSES}"
        );
        self.answer(PORT, self.number(read, key, None)).await.map(Option::unwrap_or_default)
    }

    /// Returns the number that a statement selects, if any.
    async fn number(
        &self,
        statement: String,
        (customer, month): (CustomerId, CalendarMonth),
        more: Option<Value>,
    ) -> Result<Option<u64>, DbErr> {
        let values = [customer.to_string().into(), month.to_string().into()].into_iter().chain(more);
        let connection = self.reader();
        let statement = Statement::from_sql_and_values(connection.get_database_backend(), statement, values);
        let row = connection.query_one_raw(statement).await?;
        let number = row.map(|row| row.try_get_by_index::<i64>(0)).transpose()?;
        Ok(number.map(|number| u64::try_from(number).unwrap_or_default()))
    }
}
