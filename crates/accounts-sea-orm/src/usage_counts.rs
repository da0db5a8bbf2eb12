use async_trait::async_trait;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QueryOrder};
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::PortError;
use sports_ports::metering::{UsageChange, UsageCount, UsageCounts};

use crate::AccountsDatabase;
use crate::entities::usage_count::{ActiveModel, Column, Entity, Model};

const PORT: &str = "usage counts";

/// Rows in one statement: three values each, far below what any database takes.
const ROWS: usize = 500;

#[async_trait]
impl UsageCounts for AccountsDatabase {
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError> {
        let rows = Entity::find().filter(Column::Month.eq(month.to_string())).all(self.reader());
        to_counts(self.answer(PORT, rows).await?)
    }

    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError> {
        let rows = Entity::find()
            .filter(Column::CustomerId.eq(customer.to_string()))
            .order_by_desc(Column::Month)
            .all(self.reader());
        to_counts(self.answer(PORT, rows).await?)
    }

    async fn record(&self, changes: &[UsageChange]) -> Result<(), PortError> {
        self.answer(PORT, async { self.trusted(self.record_together(changes).await) }).await
    }
}

impl AccountsDatabase {
    async fn record_together(&self, changes: &[UsageChange]) -> Result<(), DbErr> {
        let mut changes = changes.to_vec();
        changes.sort_unstable_by_key(|change| change.given_back);
        let transaction = self.begin_write().await?;
        // A statement has room for one number of calls given back; most customers share a few.
        for alike in changes.chunk_by(|one, next| one.given_back == next.given_back) {
            for some in alike.chunks(ROWS) {
                let rows = some.iter().map(|change| ActiveModel::from(&change.count));
                let merge = lowered_by_at_most(some[0].given_back);
                Entity::insert_many(rows).on_conflict(merge).exec_without_returning(&transaction).await?;
            }
        }
        transaction.commit().await
    }
}

/// Keeps of the count on record what was not given back, unless the new one is higher.
fn lowered_by_at_most(given_back: u64) -> OnConflict {
    let given_back = i64::try_from(given_back).unwrap_or(i64::MAX);
    let kept = || Expr::col((Entity, Column::Calls)).sub(given_back);
    let new = || Expr::col(("excluded", Column::Calls));
    let higher = Expr::case(new().gt(kept()), new()).finally(kept());
    OnConflict::columns([Column::CustomerId, Column::Month]).value(Column::Calls, higher).to_owned()
}

fn to_counts(rows: Vec<Model>) -> Result<Vec<UsageCount>, PortError> {
    let counts = rows.into_iter().map(UsageCount::try_from);
    counts.collect::<Result<_, _>>().map_err(|source| PortError::corrupt(PORT, source))
}
