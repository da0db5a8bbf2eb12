use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter};
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::PortError;
use sports_ports::metering::{UsageChange, UsageCount, UsageCounts};

use crate::AccountsDatabase;
use crate::database::ROWS;
use crate::entities::process_count::{self, Model};
use crate::entities::usage_count::{ActiveModel, Column, Entity};
use crate::process_counts::{counts_of_customer, to_counts};

const PORT: &str = "usage counts";

#[async_trait]
impl UsageCounts for AccountsDatabase {
    async fn of_month(&self, month: CalendarMonth) -> Result<Vec<UsageCount>, PortError> {
        whole_counts(self.counts_of_month(month).await?)
    }

    async fn of_customer(&self, customer: CustomerId) -> Result<Vec<UsageCount>, PortError> {
        let mut counts = whole_counts(self.answer(PORT, counts_of_customer(&self.reader(), customer)).await?)?;
        counts.sort_unstable_by_key(|count| std::cmp::Reverse(count.month));
        Ok(counts)
    }

    async fn record(&self, changes: &[UsageChange]) -> Result<(), PortError> {
        self.answer(PORT, async { self.trusted(self.record_together(changes).await) }).await
    }
}

impl AccountsDatabase {
    async fn record_together(&self, changes: &[UsageChange]) -> Result<(), DbErr> {
        let transaction = self.begin_write().await?;
        let mut changes = without_those_of_processes(&transaction, changes.to_vec()).await?;
        changes.sort_unstable_by_key(|change| (change.given_back, change.count.customer, change.count.month));
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

/// Adds up the counts of each customer and month.
fn whole_counts(rows: Vec<Model>) -> Result<Vec<UsageCount>, PortError> {
    let mut whole = BTreeMap::<_, u64>::new();
    for count in to_counts(rows)? {
        *whole.entry((count.customer, count.month)).or_default() += count.admitted.saturating_sub(count.given_back);
    }
    Ok(whole.into_iter().map(|((customer, month), calls)| UsageCount { customer, month, calls }).collect())
}

/// Takes out of whole counts what processes have on record beside them.
async fn without_those_of_processes(
    transaction: &impl ConnectionTrait,
    mut changes: Vec<UsageChange>,
) -> Result<Vec<UsageChange>, DbErr> {
    let months: BTreeSet<_> = changes.iter().map(|change| change.count.month.to_string()).collect();
    let counted =
        process_count::Entity::find().filter(process_count::Column::Month.is_in(months)).all(transaction).await?;
    let mut of_processes = BTreeMap::<_, u64>::new();
    for row in counted {
        let calls = u64::try_from(row.admitted.saturating_sub(row.given_back)).unwrap_or_default();
        *of_processes.entry((row.customer_id, row.month)).or_default() += calls;
    }
    if !of_processes.is_empty() {
        for UsageChange { count, .. } in &mut changes {
            let known = of_processes.get(&(count.customer.to_string(), count.month.to_string()));
            count.calls = count.calls.saturating_sub(known.copied().unwrap_or_default());
        }
    }
    Ok(changes)
}

/// Keeps of the count on record what was not given back, unless the new one is higher.
fn lowered_by_at_most(given_back: u64) -> OnConflict {
    let given_back = i64::try_from(given_back).unwrap_or(i64::MAX);
    let kept = || Expr::col((Entity, Column::Calls)).sub(given_back);
    let new = || Expr::col(("excluded", Column::Calls));
    let higher = Expr::case(new().gt(kept()), new()).finally(kept());
    OnConflict::columns([Column::CustomerId, Column::Month]).value(Column::Calls, higher).to_owned()
}
