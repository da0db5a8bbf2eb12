//! Copying all of one database into another.

mod counts;
mod snapshot;

use std::collections::HashMap;

use sea_orm::sea_query::OnConflict;
use sea_orm::{
    DatabaseTransaction, DbErr, EntityTrait, IdenStatic, IntoActiveModel, Iterable, ModelTrait, PrimaryKeyToColumn,
};
use sports_ports::PortError;
use sports_ports::metering::UsageChange;

use crate::AccountsDatabase;
use crate::database::{PORT, ROWS};
use crate::entities::{api_key, customer, dataset, dataset_refresh, entitlement, secret, usage_count};
use snapshot::Snapshot;

/// How many of each kind a target holds after a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    /// Accounts.
    pub customers: usize,
    /// Keys, active or not.
    pub keys: usize,
    /// Counts of a customer and month.
    pub counts: usize,
    /// Numbers of refreshes of a customer and month.
    pub refreshes: usize,
    /// Rights to datasets, in force or not.
    pub entitlements: usize,
    /// Files on sale.
    pub datasets: usize,
    /// Secrets.
    pub secrets: usize,
}

/// Why nothing was copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The target holds what the source does not.
    #[error("the target holds other data, and nothing was copied: {0}; name an empty database with --to")]
    OtherData(String),
    /// Servers have counted calls in the target.
    #[error(
        "the target is served already: it holds calls that the source does not know, so nothing was copied; copy into an \
         empty database, and serve it after the last copy"
    )]
    Served,
    /// The source cannot be read.
    #[error("the source cannot be read")]
    Source(#[source] PortError),
    /// The target cannot be written.
    #[error("the target cannot be written, and is as it was")]
    Target(#[source] PortError),
}

/// What became of a copy whose statements went well.
enum Outcome {
    Copied(Copied),
    Refused(CopyError),
}

impl AccountsDatabase {
    /// Copies everything into another database, with `left` on top: counts that a server left beside the source. A copy can
    /// be repeated while the source is served: what changed or went away there since does so in the target, while no count
    /// in the target falls and no key that was revoked there comes back.
    ///
    /// The source is read as of one moment, and the target changes as a whole or not at all.
    ///
    /// # Errors
    ///
    /// [`CopyError`].
    pub async fn copy_to(&self, target: &Self, left: &[UsageChange]) -> Result<Copied, CopyError> {
        let read = async {
            let transaction = self.begin_snapshot().await?;
            let read = Snapshot::read(&transaction).await?;
            transaction.rollback().await?;
            Ok(read)
        };
        let source = self.without_limit(PORT, read).await.map_err(CopyError::Source)?.with_left(left);
        let written = target.without_limit(PORT, target.take_over(source)).await.map_err(CopyError::Target)?;
        match written {
            Outcome::Copied(copied) => Ok(copied),
            Outcome::Refused(error) => Err(error),
        }
    }

    async fn take_over(&self, source: Snapshot) -> Result<Outcome, DbErr> {
        let transaction = self.begin_alone().await?;
        let target = Snapshot::read(&transaction).await?;
        if let Err(refused) = target.expect_earlier_copy_of(&source) {
            transaction.rollback().await?;
            return Ok(Outcome::Refused(refused));
        }
        let source = source.over(&target);
        for gone in target.datasets.iter().filter(|dataset| !source.has_dataset(dataset)) {
            dataset::Entity::delete_by_id((gone.product.clone(), gone.sport.clone(), gone.file_name.clone()))
                .exec(&transaction)
                .await?;
        }
        put::<customer::Entity>(&transaction, &source.customers, &target.customers).await?;
        put::<api_key::Entity>(&transaction, &source.keys, &target.keys).await?;
        put::<usage_count::Entity>(&transaction, &source.counts, &target.counts).await?;
        put::<dataset_refresh::Entity>(&transaction, &source.refreshes, &target.refreshes).await?;
        put::<entitlement::Entity>(&transaction, &source.entitlements, &target.entitlements).await?;
        put::<dataset::Entity>(&transaction, &source.datasets, &target.datasets).await?;
        put::<secret::Entity>(&transaction, &source.secrets, &target.secrets).await?;
        transaction.commit().await?;
        Ok(Outcome::Copied(source.copied()))
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
