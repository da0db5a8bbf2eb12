//! Copying all of one database into another.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, IdenStatic, IntoActiveModel, Iterable,
    ModelTrait, PrimaryKeyToColumn, QueryFilter,
};
use sports_ports::PortError;

use crate::AccountsDatabase;
use crate::customers::{DELETION, remove};
use crate::database::ROWS;
use crate::entities::{
    api_key, audit_entry, customer, dataset, dataset_refresh, entitlement, process_count, secret, usage_count, webhook,
    webhook_cursor, webhook_delivery,
};
use crate::failure::PORT;

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
            let transaction = self.begin_read().await?;
            let read = Snapshot::read(&transaction).await?;
            transaction.rollback().await?;
            Ok(read)
        };
        let source = self.without_limit(PORT, read).await.map_err(CopyError::Source)?.with_total_counts();
        target.without_limit(PORT, target.take_over(source)).await.map_err(CopyError::Target)?
    }

    /// Replaces the rows of the target by those of `source`; an inner error changed nothing.
    async fn take_over(&self, source: Snapshot) -> Result<Result<Copied, CopyError>, DbErr> {
        let transaction = self.begin_serializable().await?;
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
        webhook::Entity::delete_many().exec(&transaction).await?;
        webhook_delivery::Entity::delete_many().exec(&transaction).await?;
        webhook_cursor::Entity::delete_many().exec(&transaction).await?;
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
        put::<webhook::Entity>(&transaction, &source.webhooks, &[]).await?;
        put::<webhook_delivery::Entity>(&transaction, &source.deliveries, &[]).await?;
        put::<webhook_cursor::Entity>(&transaction, &source.webhook_cursors, &[]).await?;
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

/// The number of rows of each kind in a target after a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    pub customers: usize,
    /// Keys, active or not.
    pub keys: usize,
    /// Counts of a customer and month.
    pub counts: usize,
    /// Numbers of refreshes of a customer and month.
    pub refreshes: usize,
    /// Rights to datasets, in force or not.
    pub entitlements: usize,
    /// Webhooks, with their deliveries.
    pub webhooks: usize,
    /// Files on sale.
    pub datasets: usize,
    pub secrets: usize,
    /// Entries of the audit log.
    pub audit_log: usize,
}

/// The reason why nothing was copied.
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

/// Calls by customer and month, as the tables have both.
#[derive(Debug, Default)]
struct Calls(BTreeMap<(String, String), i64>);

impl Calls {
    /// Adds up the counts without a process and those of processes.
    pub fn total(alone: &[usage_count::Model], together: &[process_count::Model]) -> Self {
        let mut calls = Self::default();
        for row in alone {
            *calls.of(&row.customer_id, &row.month) += row.calls;
        }
        for row in together {
            *calls.of(&row.customer_id, &row.month) += (row.admitted - row.given_back).max(0);
        }
        calls
    }

    /// Raises each count to that of `others`, if it is higher.
    pub fn not_below(mut self, others: &[usage_count::Model]) -> Self {
        for row in others {
            let calls = self.of(&row.customer_id, &row.month);
            *calls = row.calls.max(*calls);
        }
        self
    }

    pub fn into_rows(self) -> Vec<usage_count::Model> {
        let rows = self.0.into_iter();
        rows.map(|((customer_id, month), calls)| usage_count::Model { customer_id, month, calls }).collect()
    }

    fn of(&mut self, customer: &str, month: &str) -> &mut i64 {
        self.0.entry((customer.to_owned(), month.to_owned())).or_default()
    }
}

/// All that a database holds at one moment. Times have the microseconds that every database keeps.
#[derive(Debug)]
struct Snapshot {
    pub customers: Vec<customer::Model>,
    pub keys: Vec<api_key::Model>,
    /// On record without a process.
    pub counts: Vec<usage_count::Model>,
    of_processes: Vec<process_count::Model>,
    pub refreshes: Vec<dataset_refresh::Model>,
    pub entitlements: Vec<entitlement::Model>,
    pub webhooks: Vec<webhook::Model>,
    pub deliveries: Vec<webhook_delivery::Model>,
    pub webhook_cursors: Vec<webhook_cursor::Model>,
    pub datasets: Vec<dataset::Model>,
    pub secrets: Vec<secret::Model>,
    pub audit_log: Vec<audit_entry::Model>,
}

impl Snapshot {
    /// Reads all of it, in a transaction that sees one moment.
    pub async fn read(transaction: &impl ConnectionTrait) -> Result<Self, DbErr> {
        let mut read = Self {
            customers: customer::Entity::find().all(transaction).await?,
            keys: api_key::Entity::find().all(transaction).await?,
            counts: usage_count::Entity::find().all(transaction).await?,
            of_processes: process_count::Entity::find().all(transaction).await?,
            refreshes: dataset_refresh::Entity::find().all(transaction).await?,
            entitlements: entitlement::Entity::find().all(transaction).await?,
            webhooks: webhook::Entity::find().all(transaction).await?,
            deliveries: webhook_delivery::Entity::find().all(transaction).await?,
            webhook_cursors: webhook_cursor::Entity::find().all(transaction).await?,
            datasets: dataset::Entity::find().all(transaction).await?,
            secrets: secret::Entity::find().all(transaction).await?,
            audit_log: audit_entry::Entity::find().all(transaction).await?,
        };
        for customer in &mut read.customers {
            round(&mut customer.created_at);
        }
        for key in &mut read.keys {
            round(&mut key.created_at);
            [&mut key.expires_at, &mut key.revoked_at, &mut key.last_used_at].into_iter().flatten().for_each(round);
        }
        for entitlement in &mut read.entitlements {
            round(&mut entitlement.granted_at);
            [&mut entitlement.expires_at, &mut entitlement.revoked_at].into_iter().flatten().for_each(round);
        }
        for dataset in &mut read.datasets {
            round(&mut dataset.added_at);
        }
        for entry in &mut read.audit_log {
            round(&mut entry.at);
        }
        Ok(read)
    }

    /// Adds up the counts of processes and those without one.
    pub fn with_total_counts(mut self) -> Self {
        self.counts = Calls::total(&self.counts, &self.of_processes).into_rows();
        self.of_processes = Vec::new();
        self
    }

    /// Checks that there are only rows that an earlier copy of a source would have left.
    pub fn expect_earlier_copy_of(&self, source: &Self) -> Result<(), CopyError> {
        if !self.of_processes.is_empty() {
            return Err(CopyError::Served);
        }
        let other = |what: String| Err(CopyError::OtherData(what));
        let customers: HashSet<_> = source.customers.iter().map(|customer| &customer.id).collect();
        if let Some(customer) = self.customers.iter().find(|customer| !customers.contains(&customer.id)) {
            return other(format!("the source has no customer {} ({})", customer.id, customer.email));
        }
        let keys: HashMap<_, _> = source.keys.iter().map(|key| (&key.digest, &key.customer_id)).collect();
        if let Some(key) = self.keys.iter().find(|key| keys.get(&key.digest) != Some(&&key.customer_id)) {
            return other(format!("the source has no key {} of the customer {}", key.masked, key.customer_id));
        }
        let rights: HashSet<_> = source.entitlements.iter().map(right).collect();
        if let Some(more) = self.entitlements.iter().find(|more| !rights.contains(&right(more))) {
            let entitlement::Model { customer_id, product, sport, .. } = more;
            return other(format!("the customer {customer_id} has {product} for {sport}, and not in the source"));
        }
        let secrets: HashMap<_, _> = source.secrets.iter().map(|secret| (&secret.name, &secret.value)).collect();
        if let Some(secret) = self.secrets.iter().find(|secret| secrets.get(&secret.name) != Some(&&secret.value)) {
            return other(format!("its secret for {} is another: a server has used it", secret.name));
        }
        // Files are removed as time goes by, but there are none before the first copy.
        match self.datasets.iter().find(|dataset| !source.has_dataset(dataset)) {
            Some(dataset) if self.customers.is_empty() && self.secrets.is_empty() => {
                other(format!("the source has no file {} of {}", dataset.file_name, dataset.product))
            }
            _ => Ok(()),
        }
    }

    /// Returns the rows that a target has after the copy: no count falls, and no key that was revoked comes back.
    pub fn over(mut self, target: &Self) -> Self {
        self.counts = Calls::total(&self.counts, &[]).not_below(&target.counts).into_rows();
        let taken: HashMap<_, _> =
            target.refreshes.iter().map(|row| ((&row.customer_id, &row.month), row.taken)).collect();
        for row in &mut self.refreshes {
            row.taken = row.taken.max(taken.get(&(&row.customer_id, &row.month)).copied().unwrap_or_default());
        }
        let revoked: HashMap<_, _> = target.keys.iter().map(|key| (&key.digest, key.revoked_at)).collect();
        for key in &mut self.keys {
            key.revoked_at = key.revoked_at.or(revoked.get(&key.digest).copied().flatten());
        }
        self
    }

    /// Returns the ids of customers that have another email in `target`.
    pub fn customers_with_other_email(&self, target: &Self) -> impl Iterator<Item = &str> {
        let emails: HashMap<_, _> = target.customers.iter().map(|known| (&known.id, &known.email)).collect();
        let is_other = move |id, email| emails.get(id).is_some_and(|known| *known != email);
        self.customers.iter().filter(move |row| is_other(&row.id, &row.email)).map(|row| row.id.as_str())
    }

    pub fn has_dataset(&self, dataset: &dataset::Model) -> bool {
        let names =
            |dataset: &dataset::Model| (dataset.product.clone(), dataset.sport.clone(), dataset.file_name.clone());
        self.datasets.iter().any(|other| names(other) == names(dataset))
    }

    pub const fn copied(&self) -> Copied {
        Copied {
            customers: self.customers.len(),
            keys: self.keys.len(),
            counts: self.counts.len(),
            refreshes: self.refreshes.len(),
            entitlements: self.entitlements.len(),
            webhooks: self.webhooks.len(),
            datasets: self.datasets.len(),
            secrets: self.secrets.len(),
            audit_log: self.audit_log.len(),
        }
    }
}

fn right(entitlement: &entitlement::Model) -> (&str, &str, &str) {
    (&entitlement.customer_id, &entitlement.product, &entitlement.sport)
}

fn round(time: &mut DateTime<Utc>) {
    *time = time.trunc_subsecs(6);
}
