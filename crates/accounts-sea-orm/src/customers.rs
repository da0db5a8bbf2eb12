use async_trait::async_trait;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, SqlErr,
};
use sports_accounts::{Customer, CustomerId, Email, Plan};
use sports_ports::PortError;
use sports_ports::accounts::{CustomerCreation, Customers, EmailChange, PlanChange};

use crate::AccountsDatabase;
use crate::audit_log::Change;
use crate::entities::{api_key, customer, entitlement};

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
    Ok(customer::Entity::delete_by_id(id).exec(transaction).await?.rows_affected > 0)
}

fn to_customer(row: customer::Model) -> Result<Customer, PortError> {
    row.try_into().map_err(|source| PortError::corrupt(PORT, source))
}
