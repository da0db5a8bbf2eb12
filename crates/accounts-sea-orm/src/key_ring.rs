use std::collections::HashMap;
use std::slice;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use sports_accounts::{CustomerId, KeyDigest, KeyName, KeyRecord, MAX_ACTIVE_KEYS};
use sports_ports::PortError;
use sports_ports::accounts::{KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing};

use crate::AccountsDatabase;
use crate::entities::api_key::{self, active_at, held_by};
use crate::entities::customer;

const PORT: &str = "key ring";

#[async_trait]
impl KeyRing for AccountsDatabase {
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyHolder>>, PortError> {
        Ok(self.holders(slice::from_ref(digest)).await?.pop().flatten())
    }

    async fn holders(&self, digests: &[KeyDigest]) -> Result<Vec<Option<Arc<KeyHolder>>>, PortError> {
        let reader = self.reader();
        let rows = api_key::Entity::find()
            .filter(api_key::Column::Digest.is_in(digests.iter().map(KeyDigest::to_string)))
            .find_also_related(customer::Entity)
            .all(&reader);
        let found = self
            .answer(PORT, rows)
            .await?
            .into_iter()
            .map(|row| to_holder(row).map(|holder| (holder.key.digest, Arc::new(holder))));
        let found: HashMap<_, _> = found.collect::<Result<_, _>>()?;
        Ok(digests.iter().map(|digest| found.get(digest).cloned()).collect())
    }

    async fn keys_of(&self, customer: CustomerId) -> Result<Vec<KeyRecord>, PortError> {
        let reader = self.reader();
        let rows = api_key::Entity::find()
            .filter(api_key::Column::CustomerId.eq(customer.to_string()))
            .order_by_asc(api_key::Column::CreatedAt)
            .order_by_asc(api_key::Column::Digest)
            .all(&reader);
        self.answer(PORT, rows).await?.into_iter().map(to_record).collect()
    }

    async fn issue(&self, customer: CustomerId, key: &KeyRecord) -> Result<KeyIssue, PortError> {
        self.answer(PORT, self.issue_alone(customer, key)).await
    }

    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError> {
        let rename = one_key(customer, digest).col_expr(api_key::Column::Name, Expr::value(name.as_str()));
        let renamed = self.answer(PORT, self.write(rename)).await?;
        Ok(if renamed == 0 { KeyRenaming::NoSuchKey } else { KeyRenaming::Renamed })
    }

    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError> {
        let active = one_key(customer, digest).filter(active_at(at));
        let revoke = active.col_expr(api_key::Column::RevokedAt, Expr::value(at));
        let revoked = self.answer(PORT, self.write(revoke)).await?;
        Ok(if revoked == 0 { KeyRevocation::NotActive } else { KeyRevocation::Revoked })
    }
}

impl AccountsDatabase {
    /// Checks and inserts in one transaction, so that no other call adds to this customer's keys meanwhile.
    async fn issue_alone(&self, customer: CustomerId, key: &KeyRecord) -> Result<KeyIssue, DbErr> {
        let transaction = self.begin_write().await?;
        // SQLite has locked the whole file by now; elsewhere, locking the customer's row does the same.
        let holder = customer::Entity::find_by_id(customer.to_string()).lock_exclusive().one(&transaction).await?;
        if holder.is_none() {
            return Ok(KeyIssue::UnknownCustomer);
        }
        if api_key::Entity::find_by_id(key.digest.to_string()).one(&transaction).await?.is_some() {
            return Ok(KeyIssue::AlreadyIssued);
        }
        let active = api_key::Entity::find()
            .filter(api_key::Column::CustomerId.eq(customer.to_string()))
            .filter(active_at(key.created_at))
            .count(&transaction)
            .await?;
        if usize::try_from(active).is_ok_and(|active| active < MAX_ACTIVE_KEYS) {
            api_key::Entity::insert(held_by(customer, key)).exec_without_returning(&transaction).await?;
            transaction.commit().await?;
            Ok(KeyIssue::Issued)
        } else {
            Ok(KeyIssue::LimitReached)
        }
    }
}

/// Selects a key of this customer for a change.
fn one_key(customer: CustomerId, digest: &KeyDigest) -> sea_orm::UpdateMany<api_key::Entity> {
    api_key::Entity::update_many()
        .filter(api_key::Column::Digest.eq(digest.to_string()))
        .filter(api_key::Column::CustomerId.eq(customer.to_string()))
}

fn to_holder((key, customer): (api_key::Model, Option<customer::Model>)) -> Result<KeyHolder, PortError> {
    let customer = customer.ok_or_else(|| PortError::corrupt(PORT, "a key without its customer"))?;
    let customer = customer.try_into().map_err(|source| PortError::corrupt(PORT, source))?;
    Ok(KeyHolder { customer, key: to_record(key)? })
}

fn to_record(row: api_key::Model) -> Result<KeyRecord, PortError> {
    row.try_into().map_err(|source| PortError::corrupt(PORT, source))
}
