use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, Set};
use sports_accounts::{CalendarMonth, CustomerId, IdempotencyKey, REFRESHES_A_MONTH};
use sports_ports::PortError;
use sports_ports::datasets::{REFRESH_KEPT, REFRESH_UNDERWAY, RefreshClaim, Refreshed, Refreshes};

use crate::AccountsDatabase;
use crate::entities::dataset_refresh::{ActiveModel, Column, Entity};
use crate::entities::refresh_answer;

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

    async fn claim_refresh(
        &self,
        customer: CustomerId,
        key: &IdempotencyKey,
        at: DateTime<Utc>,
    ) -> Result<RefreshClaim, PortError> {
        if self.answer(REFRESHES, self.claim(customer, key, at)).await? {
            return Ok(RefreshClaim::Claimed);
        }
        let place = (customer.to_string(), key.as_str().to_owned());
        let row = self.answer(REFRESHES, refresh_answer::Entity::find_by_id(place).one(&self.reader())).await?;
        // A claim that was abandoned since is free at the next look.
        row.map_or(Ok(None), |row| made(customer, row))
            .map(|made| made.map_or(RefreshClaim::Underway, RefreshClaim::Made))
    }

    async fn abandon_refresh(
        &self,
        customer: CustomerId,
        key: &IdempotencyKey,
        at: DateTime<Utc>,
    ) -> Result<(), PortError> {
        let abandon = refresh_answer::Entity::delete_many().filter(claimed(customer, key, at));
        let abandon = async {
            let transaction = self.begin_write().await?;
            abandon.exec(&transaction).await?;
            transaction.commit().await
        };
        self.answer(REFRESHES, abandon).await
    }

    async fn keep_refresh(
        &self,
        customer: CustomerId,
        key: Option<&IdempotencyKey>,
        at: DateTime<Utc>,
        refreshed: &Refreshed,
    ) -> Result<bool, PortError> {
        let text = refresh_answer::to_text(refreshed);
        let keep = async {
            let transaction = self.begin_write().await?;
            let kept = if let Some(key) = key {
                let keep = refresh_answer::Entity::update_many().filter(claimed(customer, key, at));
                let keep = keep.col_expr(refresh_answer::Column::Answer, Expr::value(text));
                keep.exec(&transaction).await?.rows_affected > 0
            } else {
                let row = answer_row(customer, "", at, Some(text));
                let later = replaced();
                refresh_answer::Entity::insert(row).on_conflict(later).exec_without_returning(&transaction).await?;
                true
            };
            transaction.commit().await?;
            Ok(kept)
        };
        self.answer(REFRESHES, keep).await
    }

    async fn last_refresh(&self, customer: CustomerId) -> Result<Option<Refreshed>, PortError> {
        let reader = self.reader();
        let last = refresh_answer::Entity::find()
            .filter(refresh_answer::Column::CustomerId.eq(customer.to_string()))
            .filter(refresh_answer::Column::Answer.is_not_null())
            .order_by_desc(refresh_answer::Column::At);
        let last = self.answer(REFRESHES, last.one(&reader)).await?;
        last.map_or(Ok(None), |row| made(customer, row))
    }
}

/// Returns the answer of a row; `None` while the refresh is underway.
fn made(customer: CustomerId, row: refresh_answer::Model) -> Result<Option<Refreshed>, PortError> {
    let answer = row.answer.map(|text| refresh_answer::from_text(customer, &text)).transpose();
    answer.map_err(|source| PortError::corrupt(REFRESHES, source))
}

/// Selects the row of a claim that is underway.
fn claimed(customer: CustomerId, key: &IdempotencyKey, at: DateTime<Utc>) -> Condition {
    Condition::all()
        .add(refresh_answer::Column::CustomerId.eq(customer.to_string()))
        .add(refresh_answer::Column::IdempotencyKey.eq(key.as_str()))
        .add(refresh_answer::Column::At.eq(at))
        .add(refresh_answer::Column::Answer.is_null())
}

fn answer_row(
    customer: CustomerId,
    key: &str,
    at: DateTime<Utc>,
    answer: Option<String>,
) -> refresh_answer::ActiveModel {
    refresh_answer::ActiveModel {
        customer_id: Set(customer.to_string()),
        idempotency_key: Set(key.to_owned()),
        at: Set(at),
        answer: Set(answer),
    }
}

/// Replaces the row of the same customer and key.
fn replaced() -> OnConflict {
    let mut conflict =
        OnConflict::columns([refresh_answer::Column::CustomerId, refresh_answer::Column::IdempotencyKey]);
    conflict.update_columns([refresh_answer::Column::At, refresh_answer::Column::Answer]).to_owned()
}

impl AccountsDatabase {
    /// Claims a refresh by one statement, which takes over a row only if it is old enough. Old answers of the customer are removed.
    async fn claim(&self, customer: CustomerId, key: &IdempotencyKey, at: DateTime<Utc>) -> Result<bool, DbErr> {
        let (table, column) = (refresh_answer::Entity, refresh_answer::Column::At);
        let unmade = Expr::col((table, refresh_answer::Column::Answer)).is_null();
        let is_stale = Expr::col((table, column)).lte(at - REFRESH_UNDERWAY).and(unmade);
        let is_old = Expr::col((table, column)).lte(at - REFRESH_KEPT);
        let take_over = replaced().action_and_where(is_stale.or(is_old)).to_owned();
        let transaction = self.begin_write().await?;
        let old = refresh_answer::Entity::delete_many()
            .filter(refresh_answer::Column::CustomerId.eq(customer.to_string()))
            .filter(column.lte(at - REFRESH_KEPT));
        old.exec(&transaction).await?;
        let row = answer_row(customer, key.as_str(), at, None);
        let claimed =
            refresh_answer::Entity::insert(row).on_conflict(take_over).exec_without_returning(&transaction).await;
        match claimed {
            Ok(0) | Err(DbErr::RecordNotInserted) => Ok(false),
            Ok(_) => transaction.commit().await.map(|()| true),
            Err(error) => Err(error),
        }
    }

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
