use std::collections::HashMap;
use std::num::NonZeroU32;
use std::slice;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, Condition, DbErr, EntityTrait, ExprTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use sports_accounts::{CustomerId, KeyDigest, KeyName, KeyRecord, KeyUse, MAX_ACTIVE_KEYS};
use sports_ports::PortError;
use sports_ports::accounts::{DailyCalls, KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing, KeyUses};

use crate::AccountsDatabase;
use crate::customers::Change;
use crate::database::ROWS;
use crate::entities::api_key::{active_at, held_by};
use crate::entities::{api_key, customer, daily_calls};

const PORT: &str = "key ring";

/// The period of the limit on new keys.
const MINUTE: TimeDelta = TimeDelta::minutes(1);

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

    async fn issue_limited(
        &self,
        customer: CustomerId,
        key: &KeyRecord,
        per_minute: NonZeroU32,
    ) -> Result<KeyIssue, PortError> {
        self.answer(PORT, self.issue_alone(customer, key, per_minute)).await
    }

    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError> {
        let rename = one_key(customer, digest).col_expr(api_key::Column::Name, Expr::value(name.as_str()));
        let renamed = self.answer(PORT, self.change_key("key.rename", customer, digest, rename)).await?;
        Ok(match renamed {
            None => KeyRenaming::ActorRevoked,
            Some(0) => KeyRenaming::NoSuchKey,
            Some(_) => KeyRenaming::Renamed,
        })
    }

    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError> {
        let active = one_key(customer, digest).filter(active_at(at));
        let revoke = active.col_expr(api_key::Column::RevokedAt, Expr::value(at));
        let revoked = self.answer(PORT, self.change_key("key.revoke", customer, digest, revoke)).await?;
        Ok(match revoked {
            None => KeyRevocation::ActorRevoked,
            Some(0) => KeyRevocation::NotActive,
            Some(_) => KeyRevocation::Revoked,
        })
    }

    async fn revoke_all(
        &self,
        customer: CustomerId,
        since: DateTime<Utc>,
        except: Option<&KeyDigest>,
        at: DateTime<Utc>,
    ) -> Result<Vec<KeyRecord>, PortError> {
        let mut chosen = Condition::all()
            .add(api_key::Column::CustomerId.eq(customer.to_string()))
            .add(api_key::Column::CreatedAt.gte(since))
            .add(active_at(at));
        if let Some(except) = except {
            chosen = chosen.add(api_key::Column::Digest.ne(except.to_string()));
        }
        let rows = self.answer(PORT, self.revoke_together(customer, chosen, at)).await?;
        let mut keys = rows.into_iter().map(to_record).collect::<Result<Vec<_>, _>>()?;
        keys.sort_by_key(|key| (key.created_at, key.digest));
        Ok(keys)
    }
}

#[async_trait]
impl KeyUses for AccountsDatabase {
    async fn record_uses(&self, uses: &[(KeyDigest, KeyUse)]) -> Result<(), PortError> {
        let mut uses = uses.to_vec();
        // Rows are locked in one order, so that no two processes wait for each other.
        uses.sort_by_key(|(digest, _)| *digest);
        let record = async {
            let transaction = self.begin_write().await?;
            for (digest, KeyUse { at, network }) in uses {
                let is_older =
                    Condition::any().add(api_key::Column::LastUsedAt.is_null()).add(api_key::Column::LastUsedAt.lt(at));
                let update = api_key::Entity::update_many()
                    .filter(api_key::Column::Digest.eq(digest.to_string()))
                    .filter(is_older)
                    .col_expr(api_key::Column::LastUsedAt, Expr::value(at))
                    .col_expr(api_key::Column::LastUsedFrom, Expr::value(network.to_string()));
                update.exec(&transaction).await?;
            }
            transaction.commit().await
        };
        self.answer(PORT, async { self.trusted(record.await) }).await
    }

    async fn record_calls(&self, calls: &[DailyCalls], kept: NaiveDate) -> Result<(), PortError> {
        let mut rows: Vec<_> = calls.iter().map(daily_calls::Model::from).collect();
        // Rows are locked in one order, so that no two processes wait for each other.
        rows.sort_unstable();
        let (kept_calls, new) = (
            Expr::col((daily_calls::Entity, daily_calls::Column::Calls)),
            Expr::col(("excluded", daily_calls::Column::Calls)),
        );
        let columns = [
            daily_calls::Column::CustomerId,
            daily_calls::Column::Digest,
            daily_calls::Column::Operation,
            daily_calls::Column::Day,
        ];
        let add = OnConflict::columns(columns).value(daily_calls::Column::Calls, kept_calls.add(new)).to_owned();
        let record = async {
            let transaction = self.begin_write().await?;
            for some in rows.chunks(ROWS) {
                let rows = some.iter().cloned().map(IntoActiveModel::into_active_model);
                daily_calls::Entity::insert_many(rows)
                    .on_conflict(add.clone())
                    .exec_without_returning(&transaction)
                    .await?;
            }
            let old = daily_calls::Entity::delete_many().filter(daily_calls::Column::Day.lt(kept.to_string()));
            old.exec(&transaction).await?;
            transaction.commit().await
        };
        self.answer(PORT, async { self.trusted(record.await) }).await
    }

    async fn calls_since(&self, customer: CustomerId, day: NaiveDate) -> Result<Vec<DailyCalls>, PortError> {
        let reader = self.reader();
        let rows = daily_calls::Entity::find()
            .filter(daily_calls::Column::CustomerId.eq(customer.to_string()))
            .filter(daily_calls::Column::Day.gte(day.to_string()));
        let rows = self.answer(PORT, rows.all(&reader)).await?;
        let calls = rows.into_iter().map(DailyCalls::try_from).collect::<Result<Vec<_>, _>>();
        let mut calls = calls.map_err(|source| PortError::corrupt(PORT, source))?;
        calls.sort_by(|one, other| (one.day, one.key, &one.operation).cmp(&(other.day, other.key, &other.operation)));
        Ok(calls)
    }
}

impl AccountsDatabase {
    /// Lists the active keys that expire before an instant, by expiry, each with its customer.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the keys cannot be read.
    pub async fn keys_expiring(&self, now: DateTime<Utc>, before: DateTime<Utc>) -> Result<Vec<KeyHolder>, PortError> {
        let reader = self.reader();
        let rows = api_key::Entity::find()
            .filter(active_at(now))
            .filter(api_key::Column::ExpiresAt.lt(before))
            .order_by_asc(api_key::Column::ExpiresAt)
            .order_by_asc(api_key::Column::Digest)
            .find_also_related(customer::Entity)
            .all(&reader);
        self.answer(PORT, rows).await?.into_iter().map(to_holder).collect()
    }

    /// Changes one key, and logs it by its masked form; returns the number of changed keys.
    async fn change_key(
        &self,
        action: &'static str,
        customer: CustomerId,
        digest: &KeyDigest,
        update: sea_orm::UpdateMany<api_key::Entity>,
    ) -> Result<Option<u64>, DbErr> {
        let row = api_key::Entity::find_by_id(digest.to_string()).one(&self.reader()).await?;
        let masked = row.map(|row| row.masked).unwrap_or_default();
        self.write_logged(update, &Change(action, Some(customer), &masked)).await
    }

    /// Revokes the chosen keys while no key of the customer can be issued; returns them.
    async fn revoke_together(
        &self,
        customer: CustomerId,
        chosen: Condition,
        at: DateTime<Utc>,
    ) -> Result<Vec<api_key::Model>, DbErr> {
        let transaction = self.begin_write().await?;
        customer::Entity::find_by_id(customer.to_string()).lock_exclusive().one(&transaction).await?;
        let keys = api_key::Entity::find().filter(chosen).order_by_asc(api_key::Column::Digest).lock_exclusive();
        let keys = keys.all(&transaction).await?;
        let digests = keys.iter().map(|key| key.digest.as_str());
        let revoke = api_key::Entity::update_many().filter(api_key::Column::Digest.is_in(digests));
        revoke.col_expr(api_key::Column::RevokedAt, Expr::value(at)).exec(&transaction).await?;
        for key in &keys {
            self.log(&transaction, &Change("key.revoke", Some(customer), &key.masked)).await?;
        }
        transaction.commit().await?;
        Ok(keys)
    }

    /// Checks and inserts in one transaction, so that no other call adds to this customer's keys meanwhile.
    async fn issue_alone(
        &self,
        customer: CustomerId,
        key: &KeyRecord,
        per_minute: NonZeroU32,
    ) -> Result<KeyIssue, DbErr> {
        let transaction = self.begin_write().await?;
        // SQLite has locked the whole file by now; elsewhere, locking the customer's row does the same.
        let holder = customer::Entity::find_by_id(customer.to_string()).lock_exclusive().one(&transaction).await?;
        if holder.is_none() {
            return Ok(KeyIssue::UnknownCustomer);
        }
        if !self.is_actor_active(&transaction).await? {
            return Ok(KeyIssue::ActorRevoked);
        }
        if api_key::Entity::find_by_id(key.digest.to_string()).one(&transaction).await?.is_some() {
            return Ok(KeyIssue::AlreadyIssued);
        }
        let active = api_key::Entity::find()
            .filter(api_key::Column::CustomerId.eq(customer.to_string()))
            .filter(active_at(key.created_at))
            .count(&transaction)
            .await?;
        if !usize::try_from(active).is_ok_and(|active| active < MAX_ACTIVE_KEYS) {
            return Ok(KeyIssue::LimitReached);
        }
        let within_minute = Condition::all()
            .add(api_key::Column::CustomerId.eq(customer.to_string()))
            .add(api_key::Column::CreatedAt.gt(key.created_at - MINUTE))
            .add(api_key::Column::CreatedAt.lte(key.created_at));
        let newest_first = api_key::Entity::find().filter(within_minute).order_by_desc(api_key::Column::CreatedAt);
        let oldest_allowed = newest_first.offset(u64::from(per_minute.get()) - 1).one(&transaction).await?;
        if let Some(oldest) = oldest_allowed {
            return Ok(KeyIssue::MinuteIsFull(oldest.created_at + MINUTE));
        }
        api_key::Entity::insert(held_by(customer, key)).exec_without_returning(&transaction).await?;
        let issued = format!("{} {}", key.masked, key.scope.code());
        self.log(&transaction, &Change("key.issue", Some(customer), &issued)).await?;
        transaction.commit().await?;
        Ok(KeyIssue::Issued)
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
