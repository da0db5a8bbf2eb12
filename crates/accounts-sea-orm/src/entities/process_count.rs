use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sports_accounts::ProcessId;
use sports_ports::metering::ProcessCount;

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
    pub given_back: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TryFrom<Model> for ProcessCount {
    type Error = Unreadable;

    fn try_from(row: Model) -> Result<Self, Self::Error> {
        Ok(Self {
            customer: row.customer_id.parse()?,
            month: row.month.parse()?,
            process: Some(row.process).filter(|process| !process.is_empty()).map(|id| id.parse()).transpose()?,
            admitted: row.admitted.try_into()?,
            given_back: row.given_back.try_into()?,
        })
    }
}

/// Returns the row of a process's count.
pub(crate) fn counted_by(process: ProcessId, count: &ProcessCount) -> ActiveModel {
    let number = |calls: u64| i64::try_from(calls).unwrap_or(i64::MAX);
    ActiveModel {
        customer_id: Set(count.customer.to_string()),
        month: Set(count.month.to_string()),
        process: Set(process.to_string()),
        admitted: Set(number(count.admitted)),
        given_back: Set(number(count.given_back)),
    }
}
