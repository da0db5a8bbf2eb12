use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sports_ports::metering::{ProcessCount, UsageCount};

use super::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "process_counts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub customer_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub process: String,
    pub admitted: i64,
    /// Refunds, which version 0.5 recorded apart; 0 since.
    pub given_back: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TryFrom<Model> for UsageCount {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        let calls = row.admitted.saturating_sub(row.given_back).max(0);
        Ok(Self { customer: row.customer_id.parse()?, month: row.month.parse()?, calls: calls.try_into()? })
    }
}

impl From<&ProcessCount> for ActiveModel {
    fn from(count: &ProcessCount) -> Self {
        Self {
            customer_id: Set(count.customer.to_string()),
            month: Set(count.month.to_string()),
            process: Set(count.process.to_string()),
            admitted: Set(i64::try_from(count.calls).unwrap_or(i64::MAX)),
            given_back: Set(0),
        }
    }
}
