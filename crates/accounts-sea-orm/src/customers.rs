use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, SqlErr, UpdateMany,
};
use sports_accounts::{Actor, AuditEntry, Customer, CustomerId, Email, Plan};
use sports_ports::accounts::{CustomerCreation, Customers, EmailChange, PlanChange};
use sports_ports::{PortError, random_bytes};
use sports_program::SystemRandom;

use crate::AccountsDatabase;
use crate::database::Author;
use crate::entities::audit_entry::{Column, Entity, Model};
use crate::entities::{api_key, customer, entitlement, refresh_answer};
use crate::webhooks;

const PORT: &str = "customers";

#[async_trait]
impl Customers for AccountsDatabase {
    async fn create(&self, customer: &Customer) -> Result<CustomerCreation, PortError> {
        let create = async {
            match self.insert(customer).await {
                Ok(()) => Ok(CustomerCreation::Created),
                Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
                    self.taken(&customer.email).await
                }
                Err(error) => Err(error),
            }
        };
        self.answer(PORT, create).await
    }

    async fn find(&self, id: CustomerId) -> Result<Option<Customer>, PortError> {
        let row = self.answer(PORT, customer::Entity::find_by_id(id.to_string()).one(&self.reader())).await?;
        row.map(to_customer).transpose()
    }

    async fn change_plan(&self, id: CustomerId, plan: Option<Plan>) -> Result<PlanChange, PortError> {
        let word = plan.map_or("none", Plan::code);
        let plan = Expr::value(plan.map(|plan| plan.code().to_owned()));
        let same = customer::Entity::update_many().filter(customer::Column::Id.eq(id.to_string()));
        let (update, change) = (same.col_expr(customer::Column::Plan, plan), Change("customer.plan", Some(id), word));
        let changed = self.answer(PORT, self.write_logged(update, &change)).await?;
        Ok(if matches!(changed, None | Some(0)) { PlanChange::NoSuchCustomer } else { PlanChange::Changed })
    }

    async fn change_email(&self, id: CustomerId, email: &Email) -> Result<EmailChange, PortError> {
        let update = customer::Entity::update_many()
            .filter(customer::Column::Id.eq(id.to_string()))
            .col_expr(customer::Column::Email, Expr::value(email.as_str()));
        let change = async {
            match self.write_logged(update, &Change("customer.email", Some(id), "")).await {
                Ok(None | Some(0)) => Ok(EmailChange::NoSuchCustomer),
                Ok(_) => Ok(EmailChange::Changed),
                Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
                    Ok(EmailChange::EmailTaken)
                }
                Err(error) => Err(error),
            }
        };
        self.answer(PORT, change).await
    }

    async fn delete(&self, id: CustomerId) -> Result<bool, PortError> {
        let delete = async {
            let transaction = self.begin_write().await?;
            let deleted = remove(&transaction, &id.to_string()).await?;
            if deleted {
                self.log(&transaction, &Change(DELETION, Some(id), "")).await?;
            }
            transaction.commit().await?;
            Ok(deleted)
        };
        self.answer(PORT, delete).await
    }

    async fn list(&self) -> Result<Vec<Customer>, PortError> {
        let reader = self.reader();
        let rows = customer::Entity::find()
            .order_by_asc(customer::Column::CreatedAt)
            .order_by_asc(customer::Column::Id)
            .all(&reader);
        self.answer(PORT, rows).await?.into_iter().map(to_customer).collect()
    }
}

impl AccountsDatabase {
    async fn insert(&self, customer: &Customer) -> Result<(), DbErr> {
        let transaction = self.begin_write().await?;
        customer::Entity::insert(customer.into_active_model()).exec_without_returning(&transaction).await?;
        let plan = customer.plan.map_or("none", Plan::code);
        self.log(&transaction, &Change("customer.create", Some(customer.id), plan)).await?;
        transaction.commit().await
    }

    /// Finds the unique value of a refused customer that is in use: databases report it in different ways.
    async fn taken(&self, email: &Email) -> Result<CustomerCreation, DbErr> {
        let same_email = customer::Column::Email.eq(email.as_str());
        let holder = customer::Entity::find().filter(same_email).one(&self.reader()).await?;
        Ok(holder.map_or(CustomerCreation::IdTaken, |_| CustomerCreation::EmailTaken))
    }
}

/// The action of a deletion in the audit log, by which a copy of the accounts repeats it.
pub(crate) const DELETION: &str = "customer.delete";

/// Removes a customer with all keys and entitlements; returns false if there is none.
pub(crate) async fn remove(transaction: &DatabaseTransaction, id: &str) -> Result<bool, DbErr> {
    // No key is issued and no right is granted meanwhile. Keys are locked in the order of those who record their uses.
    customer::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
    let keys = api_key::Entity::find().filter(api_key::Column::CustomerId.eq(id)).order_by_asc(api_key::Column::Digest);
    keys.lock_exclusive().all(transaction).await?;
    api_key::Entity::delete_many().filter(api_key::Column::CustomerId.eq(id)).exec(transaction).await?;
    entitlement::Entity::delete_many().filter(entitlement::Column::CustomerId.eq(id)).exec(transaction).await?;
    refresh_answer::Entity::delete_many().filter(refresh_answer::Column::CustomerId.eq(id)).exec(transaction).await?;
    webhooks::remove_all(transaction, id).await?;
    Ok(customer::Entity::delete_by_id(id).exec(transaction).await?.rows_affected > 0)
}

fn to_customer(row: customer::Model) -> Result<Customer, PortError> {
    row.try_into().map_err(|source| PortError::corrupt(PORT, source))
}

const AUDIT_LOG: &str = "audit log";

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
        let rows = self.without_limit(AUDIT_LOG, rows.all(&reader)).await?.into_iter().map(AuditEntry::try_from);
        rows.collect::<Result<_, _>>().map_err(|source| PortError::corrupt(AUDIT_LOG, source))
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
        self.answer(AUDIT_LOG, note).await
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
