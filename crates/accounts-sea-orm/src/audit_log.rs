use std::sync::Arc;

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, UpdateMany,
};
use sports_accounts::{Actor, AuditEntry, CustomerId};
use sports_ports::{PortError, random_bytes};
use sports_system::SystemRandom;

use crate::AccountsDatabase;
use crate::database::Author;
use crate::entities::audit_entry::{Column, Entity, Model};
use crate::entities::{api_key, customer};

const PORT: &str = "audit log";

/// A change of accounts, as the audit log has it: the action, the customer that it concerns, and the changed thing.
pub(crate) struct Change<'a>(pub &'static str, pub Option<CustomerId>, pub &'a str);

impl AccountsDatabase {
    /// Returns a handle to the same database whose changes are in the audit log under `actor`. Other handles add no entries.
    pub fn acting(&self, actor: Actor) -> Self {
        let mut acting = self.clone();
        acting.author = Author::Recorded(Arc::new(actor));
        acting
    }

    /// Lists the audit log, oldest first: the entries of a customer, or all; those since an instant, or all.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the log cannot be read.
    pub async fn audit_log(
        &self,
        customer: Option<CustomerId>,
        since: Option<DateTime<Utc>>,
    ) -> Result<Vec<AuditEntry>, PortError> {
        let reader = self.reader();
        let mut rows = Entity::find().order_by_asc(Column::At).order_by_asc(Column::Id);
        if let Some(customer) = customer {
            rows = rows.filter(Column::CustomerId.eq(customer.to_string()));
        }
        if let Some(since) = since {
            rows = rows.filter(Column::At.gte(since));
        }
        let rows = self.without_limit(PORT, rows.all(&reader)).await?.into_iter().map(AuditEntry::try_from);
        rows.collect::<Result<_, _>>().map_err(|source| PortError::corrupt(PORT, source))
    }

    /// Adds a change that was made elsewhere, such as a publish, to the audit log.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the log cannot be written.
    pub async fn note(&self, action: &'static str, detail: &str) -> Result<(), PortError> {
        let note = async {
            let transaction = self.begin_write().await?;
            self.log(&transaction, &Change(action, None, detail)).await?;
            transaction.commit().await
        };
        self.answer(PORT, note).await
    }

    /// Changes rows of one table, and adds the change to the log if it changed a row; returns their number. `None` if the key
    /// that authenticates the change was revoked meanwhile: then nothing changes.
    pub(crate) async fn write_logged<E: EntityTrait>(
        &self,
        update: UpdateMany<E>,
        change: &Change<'_>,
    ) -> Result<Option<u64>, DbErr> {
        let transaction = self.begin_write().await?;
        if let Change(_, Some(customer), _) = change {
            // As for an issue: no key of the customer is issued or revoked meanwhile. A lock of the key's own row could end in a
            // deadlock with whoever locks several keys.
            customer::Entity::find_by_id(customer.to_string()).lock_exclusive().one(&transaction).await?;
        }
        if !self.is_actor_active(&transaction).await? {
            return Ok(None);
        }
        let changed = update.exec(&transaction).await?.rows_affected;
        if changed > 0 {
            self.log(&transaction, change).await?;
        }
        transaction.commit().await?;
        Ok(Some(changed))
    }

    /// Adds a change to the log, in the transaction of the change.
    pub(crate) async fn log(&self, transaction: &DatabaseTransaction, change: &Change<'_>) -> Result<(), DbErr> {
        let Author::Recorded(actor) = &self.author else { return Ok(()) };
        let Change(action, customer, detail) = change;
        let random: [u8; 16] = random_bytes(&SystemRandom).map_err(|error| DbErr::Custom(error.to_string()))?;
        let entry = Model {
            id: format!("{:032x}", u128::from_be_bytes(random)),
            at: actor.at,
            actor: actor.name.clone(),
            place: actor.place.clone(),
            action: (*action).to_owned(),
            customer_id: customer.map(|customer| customer.to_string()),
            detail: (*detail).to_owned(),
        };
        Entity::insert(entry.into_active_model()).exec_without_returning(transaction).await.map(drop)
    }

    /// Returns false if the key that authenticates the change was revoked since: servers know keys for some time.
    pub(crate) async fn is_actor_active(&self, connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
        let key = match &self.author {
            Author::Recorded(actor) => actor.key,
            Author::Unrecorded => None,
        };
        let Some(key) = key else { return Ok(true) };
        let row = api_key::Entity::find_by_id(key.to_string()).one(connection).await?;
        Ok(row.is_some_and(|row| row.revoked_at.is_none()))
    }
}
