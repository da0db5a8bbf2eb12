use async_trait::async_trait;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, SqlErr};
use sports_accounts::{Customer, CustomerId, Email, Plan};
use sports_ports::PortError;
use sports_ports::accounts::{CustomerCreation, Customers, PlanChange};

use crate::AccountsDatabase;
use crate::entities::customer;

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
        let plan = Expr::value(plan.map(|plan| plan.code().to_owned()));
        let same = customer::Entity::update_many().filter(customer::Column::Id.eq(id.to_string()));
        let changed = self.answer(PORT, self.write(same.col_expr(customer::Column::Plan, plan))).await?;
        Ok(if changed == 0 { PlanChange::NoSuchCustomer } else { PlanChange::Changed })
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
        transaction.commit().await
    }

    /// Finds the unique value of a refused customer that is in use: databases report it in different ways.
    async fn taken(&self, email: &Email) -> Result<CustomerCreation, DbErr> {
        let same_email = customer::Column::Email.eq(email.as_str());
        let holder = customer::Entity::find().filter(same_email).one(&self.reader()).await?;
        Ok(holder.map_or(CustomerCreation::IdTaken, |_| CustomerCreation::EmailTaken))
    }
}

fn to_customer(row: customer::Model) -> Result<Customer, PortError> {
    row.try_into().map_err(|source| PortError::corrupt(PORT, source))
}
