use async_trait::async_trait;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::PortError;
use sports_ports::metering::{UsageCount, UsageCounts};

use crate::AccountsDatabase;
use crate::entities::usage_count::{ActiveModel, Column, Entity, Model};
use crate::failure::port_error;

const PORT: &str = "usage counts";

/// Rows in one statement: three values each, far below what any database takes.
const ROWS: usize = 500;

#[async_trait]
impl UsageCounts for AccountsDatabase {
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError> {
        let rows = Entity::find().filter(Column::Month.eq(month.to_string())).all(&self.connection).await;
        to_counts(rows)
    }

    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError> {
        let rows = Entity::find()
            .filter(Column::CustomerId.eq(customer.to_string()))
            .order_by_desc(Column::Month)
            .all(&self.connection)
            .await;
        to_counts(rows)
    }

    async fn record(&self, counts: &[UsageCount]) -> Result<(), PortError> {
        self.record_together(counts).await.map_err(port_error(PORT))
    }
}

impl AccountsDatabase {
    async fn record_together(&self, counts: &[UsageCount]) -> Result<(), DbErr> {
        let transaction = self.begin_write().await?;
        for some in counts.chunks(ROWS) {
            let replace =
                OnConflict::columns([Column::CustomerId, Column::Month]).update_column(Column::Calls).to_owned();
            let rows = some.iter().map(ActiveModel::from);
            Entity::insert_many(rows).on_conflict(replace).exec_without_returning(&transaction).await?;
        }
        transaction.commit().await
    }
}

fn to_counts(rows: Result<Vec<Model>, DbErr>) -> Result<Vec<UsageCount>, PortError> {
    let counts = rows.map_err(port_error(PORT))?.into_iter().map(UsageCount::try_from);
    counts.collect::<Result<_, _>>().map_err(|source| PortError::corrupt(PORT, source))
}
