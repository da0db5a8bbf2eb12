use async_trait::async_trait;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, Set};
use sports_accounts::{CalendarMonth, CustomerId, REFRESHES_A_MONTH};
use sports_ports::PortError;
use sports_ports::datasets::Refreshes;

use crate::AccountsDatabase;
use crate::entities::dataset_refresh::{ActiveModel, Column, Entity};

const REFRESHES: &str = "dataset refreshes";

#[async_trait]
impl Refreshes for AccountsDatabase {
    async fn refreshes_taken(&self, customer: CustomerId, month: CalendarMonth) -> Result<u32, PortError> {
        to_count(self.answer(REFRESHES, taken(&self.reader(), customer, month)).await?)
    }

    async fn take_refresh(&self, customer: CustomerId, month: CalendarMonth) -> Result<Option<u32>, PortError> {
        self.answer(REFRESHES, self.take_one(customer, month)).await?.map(to_count).transpose()
    }

    async fn give_back_refresh(&self, customer: CustomerId, month: CalendarMonth) -> Result<(), PortError> {
        let give_back = Entity::update_many()
            .filter(Column::CustomerId.eq(customer.to_string()))
            .filter(Column::Month.eq(month.to_string()))
            .filter(Column::Taken.gt(0))
            .col_expr(Column::Taken, Expr::col(Column::Taken).sub(1));
        let give_back = async {
            let transaction = self.begin_write().await?;
            give_back.exec(&transaction).await?;
            transaction.commit().await
        };
        self.answer(REFRESHES, give_back).await
    }
}

impl AccountsDatabase {
    /// Takes a refresh by one statement, which adds one to a row only while the row is below the limit.
    async fn take_one(&self, customer: CustomerId, month: CalendarMonth) -> Result<Option<i32>, DbErr> {
        let transaction = self.begin_write().await?;
        let first =
            ActiveModel { customer_id: Set(customer.to_string()), month: Set(month.to_string()), taken: Set(1) };
        let one_more = OnConflict::columns([Column::CustomerId, Column::Month])
            .value(Column::Taken, Expr::col((Entity, Column::Taken)).add(1))
            .action_and_where(Expr::col((Entity, Column::Taken)).lt(REFRESHES_A_MONTH))
            .to_owned();
        let changed = Entity::insert(first).on_conflict(one_more).exec_without_returning(&transaction).await;
        match changed {
            Ok(0) | Err(DbErr::RecordNotInserted) => Ok(None),
            Ok(_) => {
                let taken = taken(&transaction, customer, month).await?;
                transaction.commit().await?;
                Ok(Some(taken))
            }
            Err(error) => Err(error),
        }
    }
}

async fn taken(connection: &impl ConnectionTrait, customer: CustomerId, month: CalendarMonth) -> Result<i32, DbErr> {
    let row = Entity::find_by_id((customer.to_string(), month.to_string())).one(connection).await?;
    Ok(row.map_or(0, |row| row.taken))
}

fn to_count(taken: i32) -> Result<u32, PortError> {
    u32::try_from(taken).map_err(|source| PortError::corrupt(REFRESHES, source))
}
