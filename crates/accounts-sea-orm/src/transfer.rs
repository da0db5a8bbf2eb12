//! Copying all of one database into another.

mod copied;
mod counts;
mod snapshot;

use std::collections::HashMap;

use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, IdenStatic, IntoActiveModel, Iterable, ModelTrait,
    PrimaryKeyToColumn, QueryFilter,
};

use crate::AccountsDatabase;
use crate::customers::{DELETION, remove};
use crate::database::ROWS;
use crate::entities::{api_key, audit_entry, customer, dataset, dataset_refresh, entitlement, secret, usage_count};
use crate::failure::PORT;
use snapshot::Snapshot;

pub use copied::{Copied, CopyError};

impl AccountsDatabase {
    /// Copies everything into another database. A copy can be repeated while the source is served: what changed or went
    /// away there since does so in the target, while no count in the target falls and no key that was revoked there comes
    /// back.
    ///
    /// The source is read as of one moment, and the target changes as a whole or not at all.
    ///
    /// # Errors
    ///
    /// [`CopyError`].
    pub async fn copy_to(&self, target: &Self) -> Result<Copied, CopyError> {
        let read = async {
            let transaction = self.begin_snapshot().await?;
            let read = Snapshot::read(&transaction).await?;
            transaction.rollback().await?;
            Ok(read)
        };
        let source = self.without_limit(PORT, read).await.map_err(CopyError::Source)?.with_total_counts();
        target.without_limit(PORT, target.take_over(source)).await.map_err(CopyError::Target)?
    }

    /// Replaces the rows of the target by those of `source`; an inner error changed nothing.
    async fn take_over(&self, source: Snapshot) -> Result<Result<Copied, CopyError>, DbErr> {
        let transaction = self.begin_alone().await?;
        for deletion in source.audit_log.iter().filter(|entry| entry.action == DELETION) {
            remove(&transaction, deletion.customer_id.as_deref().unwrap_or_default()).await?;
        }
        let target = Snapshot::read(&transaction).await?;
        if let Err(refused) = target.expect_earlier_copy_of(&source) {
            transaction.rollback().await?;
            return Ok(Err(refused));
        }
        let source = source.over(&target);
        for gone in target.datasets.iter().filter(|dataset| !source.has_dataset(dataset)) {
            dataset::Entity::delete_by_id((gone.product.clone(), gone.sport.clone(), gone.file_name.clone()))
                .exec(&transaction)
                .await?;
        }
        for renamed in source.customers_with_other_email(&target) {
            // Two customers may have exchanged their emails, which no order of the rows below permits.
            let same = customer::Entity::update_many().filter(customer::Column::Id.eq(renamed));
            same.col_expr(customer::Column::Email, Expr::value(renamed)).exec(&transaction).await?;
        }
        put::<customer::Entity>(&transaction, &source.customers, &target.customers).await?;
        put::<api_key::Entity>(&transaction, &source.keys, &target.keys).await?;
        put::<usage_count::Entity>(&transaction, &source.counts, &target.counts).await?;
        put::<dataset_refresh::Entity>(&transaction, &source.refreshes, &target.refreshes).await?;
        put::<entitlement::Entity>(&transaction, &source.entitlements, &target.entitlements).await?;
        put::<dataset::Entity>(&transaction, &source.datasets, &target.datasets).await?;
        put::<secret::Entity>(&transaction, &source.secrets, &target.secrets).await?;
        put::<audit_entry::Entity>(&transaction, &source.audit_log, &target.audit_log).await?;
        transaction.commit().await?;
        Ok(Ok(source.copied()))
    }
}

/// Writes the rows that the target does not have as they are.
async fn put<E: EntityTrait>(
    transaction: &DatabaseTransaction,
    rows: &[E::Model],
    there: &[E::Model],
) -> Result<(), DbErr>
where
    E::Model: IntoActiveModel<E::ActiveModel> + PartialEq + Clone,
{
    let key: Vec<E::Column> = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column).collect();
    let named = |row: &E::Model| key.iter().map(|part| format!("{:?}", row.get(*part))).collect::<Vec<_>>();
    let there: HashMap<_, _> = there.iter().map(|row| (named(row), row)).collect();
    let changed: Vec<_> = rows.iter().filter(|row| there.get(&named(row)) != Some(row)).cloned().collect();
    let others = E::Column::iter().filter(|column| key.iter().all(|part| part.as_str() != column.as_str()));
    let replace = OnConflict::columns(key.iter().copied()).update_columns(others).to_owned();
    for some in changed.chunks(ROWS) {
        let rows = some.iter().cloned().map(IntoActiveModel::into_active_model);
        E::insert_many(rows).on_conflict(replace.clone()).exec_without_returning(transaction).await?;
    }
    Ok(())
}
