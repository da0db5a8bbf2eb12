use sea_orm::entity::prelude::*;
use sports_accounts::{Attempt, Delivery};

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_deliveries")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub webhook_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub event: String,
    pub payload: String,
    pub created_at: ChronoDateTimeUtc,
    pub attempts: i32,
    pub next_at: Option<ChronoDateTimeUtc>,
    pub last_at: Option<ChronoDateTimeUtc>,
    pub last_status: Option<i32>,
    pub last_error: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<&Delivery> for Model {
    fn from(delivery: &Delivery) -> Self {
        let last = delivery.last.as_ref();
        Self {
            webhook_id: delivery.webhook.to_string(),
            id: delivery.id.clone(),
            event: delivery.event.word().to_owned(),
            payload: delivery.payload.clone(),
            created_at: delivery.created_at,
            attempts: i32::try_from(delivery.attempts).unwrap_or(i32::MAX),
            next_at: delivery.next_at,
            last_at: last.map(|last| last.at),
            last_status: last.and_then(|last| last.status).map(i32::from),
            last_error: last.and_then(|last| last.error.clone()),
        }
    }
}

impl TryFrom<Model> for Delivery {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        let (status, error) = (row.last_status.map(u16::try_from).transpose()?, row.last_error);
        Ok(Self {
            id: row.id,
            webhook: row.webhook_id.parse()?,
            event: row.event.parse()?,
            payload: row.payload,
            created_at: row.created_at,
            attempts: row.attempts.try_into()?,
            next_at: row.next_at,
            last: row.last_at.map(|at| Attempt { at, status, error }),
        })
    }
}
