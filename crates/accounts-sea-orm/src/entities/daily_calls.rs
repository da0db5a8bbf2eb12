use sea_orm::entity::prelude::*;
use sports_ports::accounts::DailyCalls;

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, DeriveEntityModel)]
#[sea_orm(table_name = "daily_calls")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub customer_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub operation: String,
    /// The day (UTC), such as 2026-12-01.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: String,
    pub calls: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<&DailyCalls> for Model {
    fn from(DailyCalls { customer, key, operation, day, calls }: &DailyCalls) -> Self {
        let calls = i64::try_from(*calls).unwrap_or(i64::MAX);
        let (customer_id, digest) = (customer.to_string(), key.to_string());
        Self { customer_id, digest, operation: operation.clone(), day: day.to_string(), calls }
    }
}

impl TryFrom<Model> for DailyCalls {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        let Model { customer_id, digest, operation, day, calls } = row;
        let (customer, key) = (customer_id.parse()?, digest.parse()?);
        Ok(Self { customer, key, operation, day: day.parse()?, calls: calls.try_into()? })
    }
}
